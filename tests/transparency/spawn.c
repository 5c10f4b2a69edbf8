/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawns itself; parent and child each write a file, and one together. */
#include "../trace/testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm parent, both, merged;
    MPI_Comm_get_parent(&parent);
    int is_parent = parent == MPI_COMM_NULL;
    if (is_parent)
        MUST(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both,
                            MPI_ERRCODES_IGNORE));
    else
        both = parent;
    const char *name = is_parent ? "parent.dat" : "child.dat";
    MPI_File fh = open_file(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MUST(MPI_File_close(&fh));
    MUST(MPI_Intercomm_merge(both, !is_parent, &merged));
    fh = open_file(merged, "merged.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MUST(MPI_File_close(&fh));
    MUST(MPI_Comm_free(&merged));
    MUST(MPI_Comm_disconnect(&both));
    printf("%s ends\n", is_parent ? "parent" : "child");
    MPI_Finalize();
    return 0;
}
