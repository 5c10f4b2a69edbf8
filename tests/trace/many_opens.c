/* SPDX-License-Identifier: BSD-3-Clause */
/* 1000 opens of 3 files on one communicator. */
#include "testing.h"

int main(int argc, char **argv)
{
    static const char *const names[] = {"aa.dat", "bb.dat", "cc.dat"};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++) {
        MPI_File fh = open_file(MPI_COMM_WORLD, names[i % 3], MPI_MODE_CREATE | MPI_MODE_WRONLY);
        MUST(MPI_File_write_at(fh, i, &i, 1, MPI_INT, MPI_STATUS_IGNORE));
        MUST(MPI_File_close(&fh));
    }
    MPI_Finalize();
    return 0;
}
