/* SPDX-License-Identifier: BSD-3-Clause */
/* Children: one that leaves with exit, one with _exit, one that executes a program. */
#include <sys/wait.h>
#include <unistd.h>

#include "../trace/testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 0, status;
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0 && i == 0)
            exit(3);
        if (child == 0)
            _exit(4);
        REQUIRE(waitpid(child, &status, 0) == child && WIFEXITED(status));
        printf("child: %d\n", WEXITSTATUS(status));
    }
    fflush(stdout);
    REQUIRE(system("echo from a child") == 0);
    MUST(MPI_File_write_at(fh, 4, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
