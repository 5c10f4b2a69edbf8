/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "stub.h"

#include <dlfcn.h>
#include <string.h>

struct stub stub;

enum { REQUESTS = 128 };

/** Requests are addresses in (Open MPI) or numbers beside (MPICH) what the library hands out. */
static char slots[REQUESTS];
static unsigned next_slot;

static MPI_Request request_of(unsigned slot)
{
#ifdef OPEN_MPI
    return (MPI_Request)&slots[slot];
#else
    (void)slots;
    return 0x7e000000 + slot;
#endif
}

static bool is_ours(MPI_Request request)
{
#ifdef OPEN_MPI
    return (char *)request >= slots && (char *)request < slots + REQUESTS;
#else
    return request >= 0x7e000000 && request < 0x7e000000 + REQUESTS;
#endif
}

void stub_expect(MPI_Count bytes)
{
    memset(&stub.status, 0, sizeof stub.status);
    PMPI_Status_set_elements_x(&stub.status, MPI_BYTE, bytes);
}

static int done(MPI_Status *status)
{
    if (status != MPI_STATUS_IGNORE)
        *status = stub.status;
    return MPI_SUCCESS;
}

static int start(MPI_Request *request)
{
    *request = request_of(next_slot++ % REQUESTS);
    return MPI_SUCCESS;
}

/** The MPI library's own procedure, looked up once. */
#define LIBRARY(name, ...)                                                                         \
    ({                                                                                             \
        static __typeof__(&name) library;                                                          \
        if (!library)                                                                              \
            *(void **)&library = dlsym(RTLD_NEXT, #name);                                          \
        library(__VA_ARGS__);                                                                      \
    })

int PMPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                       MPI_Datatype datatype, MPI_Status *status)
{
    return stub.real ? LIBRARY(PMPI_File_write_at, fh, offset, buf, count, datatype, status)
                     : done(status);
}

int PMPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                           MPI_Datatype datatype, MPI_Status *status)
{
    return stub.real ? LIBRARY(PMPI_File_write_at_all, fh, offset, buf, count, datatype, status)
                     : done(status);
}

int PMPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
    return stub.real ? LIBRARY(PMPI_File_read, fh, buf, count, datatype, status) : done(status);
}

int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                        MPI_Datatype datatype, MPI_Request *request)
{
    return stub.real ? LIBRARY(PMPI_File_iwrite_at, fh, offset, buf, count, datatype, request)
                     : start(request);
}

int PMPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                 MPI_Datatype datatype)
{
    return stub.real ? LIBRARY(PMPI_File_write_at_all_begin, fh, offset, buf, count, datatype)
                     : MPI_SUCCESS;
}

int PMPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return stub.real ? LIBRARY(PMPI_File_write_at_all_end, fh, buf, status) : done(status);
}

/** Without `real`, only requests of the stub and null ones are waited for. */
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (stub.real)
        return LIBRARY(PMPI_Wait, request, status);
    if (is_ours(*request))
        *request = MPI_REQUEST_NULL;
    return done(status);
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    if (stub.real)
        return LIBRARY(PMPI_Test, request, flag, status);
    *flag = 1;
    return PMPI_Wait(request, status);
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    if (stub.real)
        return LIBRARY(PMPI_Waitall, count, requests, statuses);
    for (int i = 0; i < count; i++) {
        if (is_ours(requests[i]))
            requests[i] = MPI_REQUEST_NULL;
        if (statuses != MPI_STATUSES_IGNORE)
            statuses[i] = stub.status;
    }
    return MPI_SUCCESS;
}
