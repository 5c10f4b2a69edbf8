/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose MPI_Init does not come through the tracer, as under another PMPI tool. */
#include "../trace/testing.h"

int main(int argc, char **argv)
{
    PMPI_Init(&argc, &argv);
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&fh));
    PMPI_Finalize();
    return 0;
}
