/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a position: MPI_MODE_SEQUENTIAL, and views of size zero. */
#include "testing.h"

static void sequential(void)
{
    int data[10] = {0};
    int amode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL;
    MPI_File fh = open_file(MPI_COMM_WORLD, "sequential.dat", amode);
    MUST(MPI_File_set_view(fh, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native",
                           MPI_INFO_NULL));
    MUST(MPI_File_write_shared(fh, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_write_ordered(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    SHOW(MPI_File_write_at(fh, 0, data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
}

/** What an access of no bytes at no place does is the library's business; only no crash. */
static void zero_size(void)
{
    MPI_Datatype empty;
    MUST(MPI_Type_contiguous(0, MPI_INT, &empty));
    MUST(MPI_Type_commit(&empty));
    MPI_File fh = open_file(MPI_COMM_WORLD, "zero.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_set_view(fh, 0, MPI_INT, empty, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_at(fh, 0, NULL, 0, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_all(fh, NULL, 0, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_set_view(fh, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_at(fh, 1, NULL, 0, empty, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MUST(MPI_Type_free(&empty));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sequential();
    zero_size();
    MPI_Finalize();
    return 0;
}
