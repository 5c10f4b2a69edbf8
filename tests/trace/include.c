/* SPDX-License-Identifier: BSD-3-Clause */
/* Three files, of which MPIOTRACE_INCLUDE and MPIOTRACE_EXCLUDE choose. */
#include "completion.h"

int main(int argc, char **argv)
{
    static const char *const names[] = {"in.dat", "in.log", "out.dat"};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        int data = 0;
        MPI_File fh = open_file(MPI_COMM_WORLD, names[i], MPI_MODE_CREATE | MPI_MODE_RDWR);
        MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
        MPI_Request request = start_write(fh, 8, 8);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MUST(MPI_File_sync(fh));
        MUST(MPI_File_close(&fh));
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0)
            MUST(MPI_File_delete(names[i], MPI_INFO_NULL));
    }
    MPI_Finalize();
    return 0;
}
