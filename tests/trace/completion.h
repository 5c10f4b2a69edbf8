/* SPDX-License-Identifier: BSD-3-Clause */
/** Requests for the tests of completion calls. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

/** A write of `bytes` bytes (up to 64) at `offset`. */
static inline MPI_Request start_write(MPI_File fh, MPI_Offset offset, int bytes)
{
    static char data[64];
    MPI_Request request;
    MUST(MPI_File_iwrite_at(fh, offset, data, bytes, MPI_BYTE, &request));
    return request;
}

/**
 * Waits until `name` has `size` bytes: a write up to there is over, though no MPI call says so. The
 * probe lets the MPI library see it.
 */
static inline void settle(const char *name, off_t size)
{
    struct stat status = {0};
    while (stat(name, &status) != 0 || status.st_size < size)
        usleep(1000);
    usleep(100000);
    int flag;
    MUST(MPI_Iprobe(0, 99, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
}

/** A send to MPI_PROC_NULL: complete at once. Open MPI gives the same handle for all of them. */
static inline MPI_Request start_empty(void)
{
    MPI_Request request;
    MUST(MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    return request;
}

/** A receive that nothing matches before finish_receive. */
static inline MPI_Request start_receive(int *data)
{
    MPI_Request request;
    MUST(MPI_Irecv(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request));
    return request;
}

static inline void finish_receive(int data)
{
    MUST(MPI_Send(&data, 1, MPI_INT, 0, 7, MPI_COMM_SELF));
}

/** Fills memory that the MPI library must leave alone, and tells whether it did. */
static inline void guard(void *memory, size_t bytes)
{
    memset(memory, 0x5a, bytes);
}

static inline int guarded(const void *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)memory)[i] != 0x5a)
            return 0;
    return 1;
}

#endif
