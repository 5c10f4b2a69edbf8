/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that synchronise, on files that all nodes see, that a node has for itself, and that
 * lie where a node has its own but are opened by all. The argument is a directory in memory.
 */
#include <unistd.h>

#include "testing.h"

static void use(MPI_Comm comm, const char *directory, const char *name)
{
    char path[4096];
    int data = 0, rank;

    MPI_Comm_rank(comm, &rank);
    snprintf(path, sizeof path, "%s%s", directory, name);
    MPI_File fh = open_file(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MUST(MPI_File_write_at_all(fh, rank * sizeof data, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
}

int main(int argc, char **argv)
{
    char node[MPI_MAX_PROCESSOR_NAME];
    MPI_Comm on_node;
    int length;

    MPI_Init(&argc, &argv);
    MPI_Get_processor_name(node, &length);
    MUST(MPI_Comm_split(MPI_COMM_WORLD, node[length - 1], 0, &on_node));
    for (int i = 0; i < 20; i++) {
        use(MPI_COMM_WORLD, "", "shared.dat");
        usleep(1000 * world_rank());
    }
    use(on_node, argv[1], "node.dat");
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    use(MPI_COMM_WORLD, argv[1], "all.dat");
    MUST(MPI_Comm_free(&on_node));
    MPI_Finalize();
    return 0;
}
