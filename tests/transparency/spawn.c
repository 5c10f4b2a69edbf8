/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawns itself, twice; parent and children each write a file, and one together. */
#include "../trace/testing.h"

enum { CHILDREN = 2 };

static void write_file(MPI_Comm comm, const char *name)
{
    MPI_File fh = open_file(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MUST(MPI_File_close(&fh));
}

static void meet(MPI_Comm both, int is_parent)
{
    MPI_Comm merged;

    MUST(MPI_Intercomm_merge(both, !is_parent, &merged));
    write_file(merged, "merged.dat");
    MUST(MPI_Comm_free(&merged));
    MUST(MPI_Comm_disconnect(&both));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm parent, children;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        write_file(MPI_COMM_WORLD, "parent.dat");
        for (int i = 0; i < 2; i++) {
            MUST(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                                &children, MPI_ERRCODES_IGNORE));
            meet(children, 1);
        }
    } else {
        write_file(MPI_COMM_WORLD, "child.dat");
        meet(parent, 0);
    }
    printf("%s ends\n", parent == MPI_COMM_NULL ? "parent" : "child");
    MPI_Finalize();
    return 0;
}
