/* SPDX-License-Identifier: BSD-3-Clause */
/* Children of every kind: fork, vfork, posix_spawn, popen, system, and a child's child. */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../trace/testing.h"

extern char **environ;

static void await(const char *what, pid_t child)
{
    int status;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    printf("%s: %d\n", what, WEXITSTATUS(status));
    fflush(stdout);
}

static void fork_children(void)
{
    pid_t child = fork();
    if (child == 0)
        exit(3);
    await("exit", child);
    child = fork();
    if (child == 0)
        _exit(4);
    await("_exit", child);
    child = fork();
    if (child == 0) {
        int status;
        child = fork();
        if (child == 0)
            exit(5);
        waitpid(child, &status, 0);
        _exit(WEXITSTATUS(status) + 1);
    }
    await("a child's child", child);
    child = vfork();
    if (child == 0)
        _exit(7);
    await("vfork", child);
}

static void run_programs(void)
{
    char *const arguments[] = {"sh", "-c", "exit 8", NULL};
    char line[64] = "";
    pid_t child;

    child = vfork();
    if (child == 0) {
        execv("/bin/sh", arguments);
        _exit(1);
    }
    await("vfork and exec", child);
    REQUIRE(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    await("posix_spawn", child);
    REQUIRE(system("echo system") == 0);
    FILE *output = popen("echo popen", "r");
    REQUIRE(fgets(line, sizeof line, output) && pclose(output) == 0);
    fputs(line, stdout);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 0;
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    fflush(stdout);
    fork_children();
    run_programs();
    MUST(MPI_File_write_at(fh, 4, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
