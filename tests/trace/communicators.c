/* SPDX-License-Identifier: BSD-3-Clause */
/* Files opened on communicators of equal group, split ones, one-member ones; their names. */
#include "testing.h"

static void use(MPI_Comm comm, const char *name)
{
    int data = 0;
    MPI_File fh = open_file(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at_all(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm first, second, half, single;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &first));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &second));
    MUST(MPI_Comm_set_name(first, "first"));
    MUST(MPI_Comm_set_name(second, "second"));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half));
    MUST(MPI_Comm_set_name(half, world_rank() % 2 ? "odd" : "even"));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, world_rank(), 0, &single));
    MUST(MPI_Comm_set_name(single, "single"));

    use(MPI_COMM_WORLD, "world.dat");
    use(first, "world.dat");
    use(second, "world.dat");
    use(first, "world.dat");
    use(half, world_rank() % 2 ? "odd.dat" : "even.dat");
    use(MPI_COMM_SELF, "self.dat");
    use(single, "self.dat");

    MUST(MPI_Comm_free(&first));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &first));
    MUST(MPI_Comm_set_name(first, "third"));
    use(first, "world.dat");
    MUST(MPI_Comm_free(&first));
    MUST(MPI_Comm_free(&second));
    MUST(MPI_Comm_free(&half));
    MUST(MPI_Comm_free(&single));
    MPI_Finalize();
    return 0;
}
