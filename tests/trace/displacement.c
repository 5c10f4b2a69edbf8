/* SPDX-License-Identifier: BSD-3-Clause */
/* A view that starts in front of the file: MPICH refuses it, Open MPI does not look. */
#include "testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    SHOW(MPI_File_set_view(fh, -1, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_at(fh, 0, NULL, 0, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(fh, 4, MPI_SEEK_SET));
    MUST(MPI_File_set_view(fh, 8, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
