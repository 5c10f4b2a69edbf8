/* SPDX-License-Identifier: BSD-3-Clause */
/* One file on each of 200 communicators, of which 100 at a time are alive. */
#include "testing.h"

enum { ALIVE = 100 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int round = 0; round < 2; round++) {
        MPI_Comm comms[ALIVE];
        for (int i = 0; i < ALIVE; i++) {
            MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
            MPI_File fh = open_file(comms[i], "f.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
            MUST(MPI_File_close(&fh));
        }
        for (int i = 0; i < ALIVE; i++)
            MUST(MPI_Comm_free(&comms[i]));
    }
    MPI_Finalize();
    return 0;
}
