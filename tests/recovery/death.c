/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * death HOW [COUNT]: does COUNT writes on each rank, leaves a non-blocking and a split operation
 * open, and dies. Rank 1 dies by itself where only one does.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static int rank;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void die(MPI_File file)
{
    char byte;

    if (is("hang")) { /* the others wait in a collective for rank 1 until somebody kills the job */
        if (rank != 1)
            MPI_File_read_at_all(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
        usleep(400000);
        MPI_File_write_at(file, 24, &rank, sizeof rank, MPI_BYTE, MPI_STATUS_IGNORE);
        pause();
    }
    /* the launcher ends all ranks once the first has died: none may be inside MPI-IO by then */
    MPI_Barrier(MPI_COMM_WORLD);
    if (is("kill-all"))
        raise(SIGKILL);
    if (rank != 1)
        pause();
    if (is("kill-one"))
        raise(SIGKILL);
    if (is("abort"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (is("_exit"))
        _exit(4);
    if (is("exit"))
        exit(5);
    if (is("segv"))
        raise(SIGSEGV);
    if (is("term"))
        raise(SIGTERM);
}

int main(int argc, char **argv)
{
    int count = argc > 2 ? atoi(argv[2]) : 3;
    MPI_Request request;
    MPI_File file;

    how = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < count; i++)
        MPI_File_write_at(file, 8 * i, &i, sizeof i, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 0, &count, 4, MPI_BYTE, &request);
    MPI_File_write_at_all_begin(file, 4, &count, 4, MPI_BYTE);
    if (!is("end"))
        die(file);
    MPI_File_write_at_all_end(file, &count, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
