/* SPDX-License-Identifier: BSD-3-Clause */
/* One file open several times at once, on one communicator and on two. */
#include "testing.h"

static void write_int(MPI_File fh)
{
    int data = 0;
    MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int amode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    MPI_File first = open_file(MPI_COMM_WORLD, "f.dat", amode);
    MPI_File second = open_file(MPI_COMM_WORLD, "f.dat", amode);
    write_int(first);
    write_int(second);
    MUST(MPI_File_close(&first));
    first = open_file(MPI_COMM_WORLD, "f.dat", amode);
    write_int(first);
    MPI_File own = open_file(MPI_COMM_SELF, "f.dat", amode);
    write_int(own);
    MUST(MPI_File_close(&second));
    MUST(MPI_File_close(&own));
    MUST(MPI_File_close(&first));

    /* only one rank has two of its own open */
    if (world_rank() == 1) {
        own = open_file(MPI_COMM_SELF, "f.dat", amode);
        first = open_file(MPI_COMM_SELF, "f.dat", amode);
        write_int(first);
        MUST(MPI_File_close(&own));
        MUST(MPI_File_close(&first));
    }
    MPI_Finalize();
    return 0;
}
