/* SPDX-License-Identifier: BSD-3-Clause */
/* File names: relative with chdir between, from two directories, with all kinds of characters. */
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

static void open_and_close(const char *name, int amode)
{
    MPI_File fh;
    if (SHOW(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &fh)) == MPI_SUCCESS)
        MUST(MPI_File_close(&fh));
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    int create = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    if (rank == 0)
        mkdir("sub", 0777);

    open_and_close("with space.dat", create);
    open_and_close("gr\303\274n-\346\265\213\350\257\225.dat", create);
    open_and_close("./dot.dat", create);
    open_and_close("col:on.dat", create);
    open_and_close("ufs:prefixed.dat", create);
    open_and_close("ufs:col:on2.dat", create);

    open_and_close("f.dat", create);
    chdir("sub");
    open_and_close("f.dat", create);

    /* rank 0 is back where it began: its directory counts */
    if (rank == 0)
        chdir("..");
    open_and_close("f.dat", MPI_MODE_WRONLY);

    if (rank == 0)
        MUST(MPI_File_delete("ufs:prefixed.dat", MPI_INFO_NULL));
    MPI_Finalize();
    return 0;
}
