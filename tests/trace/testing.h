/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the test programs share. They print what a program can see of its calls, so that traced and
 * untraced output can be compared, and end with status 1 if a call that must succeed does not.
 */
#ifndef TESTING_H
#define TESTING_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline void check(const char *what, int line, int rc)
{
    if (rc == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(rc, text, &length);
    printf("line %d: %s: %s\n", line, what, text);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void require(const char *what, int line, int holds)
{
    if (holds)
        return;
    printf("line %d: not true: %s\n", line, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/** Prints how a call ended: the error class, 0 for success. */
static inline int show(const char *what, int rc)
{
    int class = rc;
    MPI_Error_class(rc, &class);
    printf("rank %d: %.60s: %d\n", world_rank(), what, class);
    fflush(stdout);
    return rc;
}

#define MUST(call) check(#call, __LINE__, (call))
#define REQUIRE(condition) require(#condition, __LINE__, (condition))
#define SHOW(call) show(#call, (call))
#define FAILS(call) require("fails: " #call, __LINE__, show(#call, (call)) != MPI_SUCCESS)

/** Prints the number of bytes that a status reports. */
static inline void show_bytes(const char *what, MPI_Status *status)
{
    MPI_Count bytes;
    MPI_Get_elements_x(status, MPI_BYTE, &bytes);
    printf("rank %d: %s: %lld bytes\n", world_rank(), what, (long long)bytes);
}

static inline MPI_File open_file(MPI_Comm comm, const char *name, int amode)
{
    MPI_File fh;
    MUST(MPI_File_open(comm, name, amode, MPI_INFO_NULL, &fh));
    return fh;
}

#endif
