/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens with every access mode and flag, closes and deletes, and each of them failing. */
#include "testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_File fh;
    MPI_Comm world = MPI_COMM_WORLD;
    int writes = MPI_MODE_CREATE | MPI_MODE_WRONLY;

    fh = open_file(world, "plain.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&fh));
    fh = open_file(world, "plain.dat", MPI_MODE_RDONLY);
    MUST(MPI_File_close(&fh));
    fh = open_file(world, "excl.dat", writes | MPI_MODE_EXCL);
    MUST(MPI_File_close(&fh));
    fh = open_file(world, "append.dat", writes | MPI_MODE_APPEND);
    MUST(MPI_File_close(&fh));
    fh = open_file(world, "sequential.dat", writes | MPI_MODE_SEQUENTIAL);
    MUST(MPI_File_close(&fh));
    fh = open_file(world, "gone.dat", writes | MPI_MODE_UNIQUE_OPEN | MPI_MODE_DELETE_ON_CLOSE);
    MUST(MPI_File_close(&fh));
    if (world_rank() == 1) {
        fh = open_file(MPI_COMM_SELF, "self.dat", writes | MPI_MODE_DELETE_ON_CLOSE);
        MUST(MPI_File_close(&fh));
    }

    FAILS(MPI_File_open(world, "no-such.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
    FAILS(MPI_File_open(world, "plain.dat", writes | MPI_MODE_EXCL, MPI_INFO_NULL, &fh));
    FAILS(MPI_File_open(world, "bad.dat", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh));
    fh = MPI_FILE_NULL;
    FAILS(MPI_File_close(&fh));

    MPI_Barrier(world);
    if (world_rank() == 0) {
        MUST(MPI_File_delete("plain.dat", MPI_INFO_NULL));
        FAILS(MPI_File_delete("plain.dat", MPI_INFO_NULL));
    }
    MPI_Finalize();
    return 0;
}
