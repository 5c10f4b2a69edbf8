/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A run whose start and end are timed: scale_run CALLS FILE
 *
 * Each rank writes CALLS blocks to FILE. Rank 0 prints seconds that MPI_Init and MPI_Finalize
 * take, those of a call, and the most memory that a rank has had, as a JSON object. scale.py runs
 * it with and without the tracer.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    double init = seconds(), io, most[3];
    struct rusage usage;
    long block = 0;
    MPI_File file;
    int rank;

    if (argc != 3)
        return 2;
    long calls = atol(argv[1]);
    MPI_Init(&argc, &argv);
    init = seconds() - init;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    io = seconds();
    for (long i = 0; i < calls; i++)
        MPI_File_write_at(file, (rank * calls + i) * sizeof block, &block, sizeof block, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    io = seconds() - io;
    MPI_File_close(&file);
    getrusage(RUSAGE_SELF, &usage);
    double own[3] = {init, io / calls, usage.ru_maxrss * 1024.0};
    MPI_Reduce(own, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double finalize = seconds();
    MPI_Finalize();
    finalize = seconds() - finalize;
    if (rank == 0)
        printf("{\"init\": %.6f, \"call\": %.9f, \"memory\": %.0f, \"finalize\": %.6f}\n", most[0],
               most[1], most[2], finalize);
    return 0;
}
