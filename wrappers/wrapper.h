/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the wrappers share: the name a wrapper is defined under, and reading arguments that MPI
 * passes by address. A null address is the MPI library's to report; here it reads as "nothing".
 */
#ifndef MPIOT_WRAPPERS_WRAPPER_H
#define MPIOT_WRAPPERS_WRAPPER_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "wrappers/entry.h"

static inline MPI_File mpiot_argument_file(const MPI_File *fh)
{
    return fh ? *fh : MPI_FILE_NULL;
}

static inline MPI_Request mpiot_argument_request(const MPI_Request *request)
{
    return request ? *request : MPI_REQUEST_NULL;
}

static inline bool mpiot_argument_flag(const int *flag)
{
    return flag && *flag;
}

/** Whether a completion call returned an index. */
static inline bool mpiot_argument_has_index(const int *index)
{
    return index && *index != MPI_UNDEFINED;
}

/** Number of indices a completion call returned; MPI_UNDEFINED passes through. */
static inline int mpiot_argument_outcount(const int *outcount)
{
    return outcount ? *outcount : MPI_UNDEFINED;
}

#endif
