/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol pauses and resumes; handles and operations that were begun end all the same. */
#include "completion.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 0;
    MPI_File a = open_file(MPI_COMM_SELF, "aa.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Request begun = start_write(a, 0, 10);

    MUST(MPI_Pcontrol(0));
    MPI_Request unseen = start_write(a, 10, 20);
    MUST(MPI_File_write_at(a, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(a, 4, MPI_SEEK_SET));
    MPI_File b = open_file(MPI_COMM_SELF, "bb.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_Wait(&begun, MPI_STATUS_IGNORE));
    MUST(MPI_Pcontrol(1));

    MUST(MPI_Wait(&unseen, MPI_STATUS_IGNORE));
    MUST(MPI_File_write(a, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_at(b, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_Pcontrol(0));
    MUST(MPI_File_close(&a));
    MUST(MPI_File_close(&b));
    MPI_Finalize();
    return 0;
}
