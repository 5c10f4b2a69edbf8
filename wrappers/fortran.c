/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrappers/fortran.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

_Static_assert(sizeof(MPI_Status) >= MPIOT_F_STATUS_SIZE * sizeof(MPI_Fint),
               "a Fortran status is passed down in the memory of a C status");

/**
 * The definition that `caller` would have reached. Usually it is the next one behind ours; the
 * Fortran library that a module loaded with RTLD_LOCAL brings along is seen by that module only.
 */
static void *mpiot_fortran_symbol(const char *symbol, const void *caller)
{
    void *entry = dlsym(RTLD_NEXT, symbol);
    if (entry)
        return entry;
    Dl_info module;
    void *handle = dladdr(caller, &module) ? dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                                           : NULL;
    if (!handle)
        return NULL;
    entry = dlsym(handle, symbol);
    dlclose(handle); /* the caller keeps its module loaded */
    return entry;
}

void *mpiot_fortran_find(const struct mpiot_fortran_binding *binding, const char *name,
                         const void *caller)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s%s", name, binding->suffix);
    for (char *c = symbol; *c; c++)
        *c = (char)tolower((unsigned char)*c);

    void *entry = mpiot_fortran_symbol(symbol, caller);
    if (!entry) {
        /* There is nothing to call, and the program cannot go on without. */
        mpiot_log_error("%s is not in a shared library: link MPI dynamically", symbol);
        abort();
    }
    return entry;
}

MPI_Datatype mpiot_fortran_datatype(MPI_Fint datatype)
{
    MPI_Datatype handle = PMPI_Type_f2c(datatype);
    return handle ? handle : MPI_DATATYPE_NULL;
}

const char *mpiot_fortran_string(char buffer[static MPIOT_FORTRAN_STRING], const char *string,
                                 size_t length)
{
    /* Some compilers pass an int, and leave the upper half of the register as it is. */
    size_t end = (unsigned)length, begin = 0;
    while (end > 0 && string[end - 1] == ' ')
        end--;
    while (begin < end && string[begin] == ' ')
        begin++;
    size_t size = end - begin < MPIOT_FORTRAN_STRING ? end - begin : MPIOT_FORTRAN_STRING - 1;
    memcpy(buffer, string + begin, size);
    buffer[size] = '\0';
    return buffer;
}

/**
 * Whether the address stands for an ignored status. The MPI library learns these addresses when
 * its Fortran part starts, so they are read at each call.
 */
static bool mpiot_fortran_ignores(const MPI_Fint *status)
{
    if (status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE)
        return true;
#ifdef MPICH_VERSION
    const void *address = status; /* MPICH's mpi_f08 has constants of its own */
    return address == MPI_F08_STATUS_IGNORE || address == MPI_F08_STATUSES_IGNORE;
#else
    return false;
#endif
}

/** Makes the C form of `count` statuses; `c` may be the same memory as `fortran`. */
static void mpiot_fortran_convert_statuses(MPI_Fint count, const MPI_Fint *fortran, MPI_Status *c)
{
    MPI_Fint one[MPIOT_F_STATUS_SIZE];
    for (MPI_Fint i = 0; i < count; i++) {
        memcpy(one, fortran + (size_t)i * MPIOT_F_STATUS_SIZE, sizeof one);
        PMPI_Status_f2c(one, &c[i]);
    }
}

MPI_Fint *mpiot_fortran_status(struct mpiot_call *call, MPI_Fint *status)
{
    if (!call->thread || !mpiot_fortran_ignores(status))
        return status;
    memset(&call->own_status, 0, sizeof call->own_status);
    return (MPI_Fint *)&call->own_status;
}

const MPI_Status *mpiot_fortran_status_c(struct mpiot_call *call, MPI_Fint *status)
{
    if (!call->thread || mpiot_fortran_ignores(status))
        return MPI_STATUS_IGNORE;
    mpiot_fortran_convert_statuses(1, status, &call->own_status);
    return &call->own_status;
}

/** Converts the requests as they are now. */
static void mpiot_fortran_convert_requests(struct mpiot_fortran_completion *completion)
{
    for (MPI_Fint i = 0; i < completion->count; i++)
        completion->handles[i] = PMPI_Request_f2c(completion->requests[i]);
}

void mpiot_fortran_complete_begin(struct mpiot_call *call,
                                  struct mpiot_fortran_completion *completion, MPI_Fint count,
                                  const MPI_Fint *requests)
{
    enum { FEW = sizeof completion->few_indices / sizeof *completion->few_indices };
    completion->count = count > 0 ? count : 0;
    completion->requests = requests;
    completion->handles = completion->few_handles;
    completion->indices = completion->few_indices;
    completion->allocated = NULL;
    if (count > FEW) {
        size_t handles = (size_t)count * sizeof(MPI_Request);
        completion->allocated = malloc(handles + (size_t)count * sizeof(int));
        if (!completion->allocated)
            completion->count = 0; /* the call is not recorded */
        completion->handles = completion->allocated;
        completion->indices = (int *)((char *)completion->allocated + handles);
    }
    mpiot_fortran_convert_requests(completion);
    mpiot_complete_begin(call, completion->count, completion->handles);
}

MPI_Fint *mpiot_fortran_statuses(struct mpiot_call *call,
                                 struct mpiot_fortran_completion *completion, MPI_Fint *statuses)
{
    if (!call->thread)
        return statuses;
    completion->statuses = mpiot_statuses(call, completion->count, MPI_STATUSES_IGNORE);
    return mpiot_fortran_ignores(statuses) && !mpiot_operations[call->op].keeps
               ? (MPI_Fint *)completion->statuses
               : statuses;
}

/** Fills completion->statuses for `count` requests; those of `indices`, or the first ones. */
static void mpiot_fortran_gather_statuses(struct mpiot_fortran_completion *completion, MPI_Fint rc,
                                          MPI_Fint count, const int *indices,
                                          const MPI_Fint *statuses)
{
    if (!mpiot_fortran_ignores(statuses)) {
        mpiot_fortran_convert_statuses(count, statuses, completion->statuses);
        return;
    }
    /* That was Request_get_status: the requests still have them. */
    for (MPI_Fint i = 0; rc == MPI_SUCCESS && i < count; i++) {
        int flag, index = indices ? indices[i] : i;
        PMPI_Request_get_status(completion->handles[index], &flag, &completion->statuses[i]);
    }
}

void mpiot_fortran_complete_all_end(struct mpiot_call *call,
                                    struct mpiot_fortran_completion *completion, MPI_Fint rc,
                                    bool flag, const MPI_Fint *statuses)
{
    if (call->thread) {
        mpiot_fortran_convert_requests(completion);
        if (flag || rc != MPI_SUCCESS)
            mpiot_fortran_gather_statuses(completion, rc, completion->count, NULL, statuses);
        mpiot_complete_all_end(call, rc, flag, completion->handles, completion->statuses);
    }
    free(completion->allocated);
}

/**
 * What `binding` calls the first of several requests: 1, but 0 in the mpi_f08 of MPICH 4.0, against
 * the standard. Found out by asking it for the index of a receive that is complete from the start.
 */
static int mpiot_fortran_first_index(struct mpiot_fortran_binding *binding, const void *caller)
{
    int known = atomic_load_explicit(&binding->first_index, memory_order_relaxed);
    if (known)
        return known - 1;

    typedef void waitany(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
    waitany *real = mpiot_fortran_entry(binding, MPIOT_OP_WAITANY, caller);
    MPI_Request request;
    PMPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    MPI_Fint count = 1, handle = PMPI_Request_c2f(request), index = 1, error;
    MPI_Fint status[MPIOT_F_STATUS_SIZE];
    real(&count, &handle, &index, status, &error);
    atomic_store_explicit(&binding->first_index, index + 1, memory_order_relaxed);
    return index;
}

void mpiot_fortran_complete_some_end(struct mpiot_call *call,
                                     struct mpiot_fortran_completion *completion,
                                     struct mpiot_fortran_binding *binding, MPI_Fint rc,
                                     MPI_Fint outcount, const MPI_Fint *indices,
                                     const MPI_Fint *statuses)
{
    if (call->thread) {
        /* After a failure nothing that the call returned need make sense. */
        MPI_Fint count = outcount < 0 || outcount > completion->count ? 0 : outcount;
        int first = mpiot_fortran_first_index(binding, call->return_address);
        for (MPI_Fint i = 0; i < count; i++)
            completion->indices[i] = indices[i] - first;
        mpiot_fortran_convert_requests(completion);
        mpiot_fortran_gather_statuses(completion, rc, count, completion->indices, statuses);
        mpiot_complete_some_end(call, rc, count, completion->indices, completion->handles,
                                completion->statuses);
    }
    free(completion->allocated);
}
