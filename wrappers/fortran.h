/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the generated Fortran wrappers share.
 *
 * A Fortran wrapper describes its call to the recorder in C handles and calls down in the language
 * it was called in: to the procedure of the same name that the program would have reached without
 * us, with the arguments it was given. So MPI_BOTTOM, descriptors, string lengths and the values of
 * LOGICAL stay the MPI library's business. Two arguments are replaced: a status that the caller
 * ignores, where the call is recorded, and an absent ierror.
 *
 * The wrappers are generated once and compiled once per binding (fortran_mpifh.c, fortran_f08.c,
 * fortran_f08ts.c), which differ in the names of the entries only: every argument is an address,
 * handles and statuses have the same representation (MPI-4.1, 19.3.4 and 19.3.5), a string's length
 * follows ierror. No Fortran library is linked or needed; its entries are looked up when called.
 */
#ifndef MPIOT_WRAPPERS_FORTRAN_H
#define MPIOT_WRAPPERS_FORTRAN_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"

/* MPI_Fint elements of a status; named since MPI-4.0. */
#ifdef MPI_F_STATUS_SIZE
enum { MPIOT_F_STATUS_SIZE = MPI_F_STATUS_SIZE };
#else
enum { MPIOT_F_STATUS_SIZE = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif

/** Longest Fortran string that is recorded, with its terminator; a longer path cannot be opened. */
enum { MPIOT_FORTRAN_STRING = 4097 };

/** One set of entries: how its names are made, and those that were looked up. */
struct mpiot_fortran_binding {
    const char *suffix;     /**< behind the procedure's name in lower case */
    atomic_int first_index; /**< see mpiot_fortran_first_index; 1 more, 0 is not known */
    _Atomic(void *) entries[MPIOT_OP_COUNT];
};

/**
 * The MPI library's entry `name` (as in the standard) for a call from `caller`. Does not return if
 * there is none, which takes an MPI library whose Fortran part is linked statically.
 */
void *mpiot_fortran_find(const struct mpiot_fortran_binding *binding, const char *name,
                         const void *caller);

/** The same for a procedure with an operation, looked up at its first call. */
static inline void *mpiot_fortran_entry(struct mpiot_fortran_binding *binding, enum mpiot_op op,
                                        const void *caller)
{
    void *entry = atomic_load_explicit(&binding->entries[op], memory_order_relaxed);
    if (!entry) {
        entry = mpiot_fortran_find(binding, mpiot_operations[op].name, caller);
        atomic_store_explicit(&binding->entries[op], entry, memory_order_relaxed);
    }
    return entry;
}

/** What a wrapper calls; must be expanded in the wrapper itself. */
#define mpiot_fortran_real(op)                                                                     \
    mpiot_fortran_entry(&mpiot_binding, (op), __builtin_return_address(0))

/** The C handle; MPI_DATATYPE_NULL for a value that is none, which PMPI_Type_f2c may not return. */
MPI_Datatype mpiot_fortran_datatype(MPI_Fint datatype);

/** A Fortran string, without its blanks and terminated, in `buffer`. */
const char *mpiot_fortran_string(char buffer[static MPIOT_FORTRAN_STRING], const char *string,
                                 size_t length);

/** The status to pass down: as mpiot_status. */
MPI_Fint *mpiot_fortran_status(struct mpiot_call *call, MPI_Fint *status);

/** The C form of that status after the call, in call->own_status; MPI_STATUS_IGNORE if ignored. */
const MPI_Status *mpiot_fortran_status_c(struct mpiot_call *call, MPI_Fint *status);

/** The arguments of a completion call in C. */
struct mpiot_fortran_completion {
    MPI_Fint count;
    const MPI_Fint *requests; /**< the caller's */
    MPI_Status *statuses;     /**< the recorder's, while the call is recorded */
    MPI_Request *handles;     /**< C handles of `requests` */
    int *indices;             /**< room for `count` */
    void *allocated;          /**< where these two are, if there are many */
    MPI_Request few_handles[64];
    int few_indices[64];
};

/** As mpiot_complete_begin. */
void mpiot_fortran_complete_begin(struct mpiot_call *call,
                                  struct mpiot_fortran_completion *completion, MPI_Fint count,
                                  const MPI_Fint *requests);

/**
 * The status or statuses to pass down: as mpiot_statuses, but for Request_get_status, which in Open
 * MPI 4's Fortran never says yes to a caller that ignores the status.
 */
MPI_Fint *mpiot_fortran_statuses(struct mpiot_call *call,
                                 struct mpiot_fortran_completion *completion, MPI_Fint *statuses);

/** As mpiot_complete_all_end; `statuses` are those that were passed down. */
void mpiot_fortran_complete_all_end(struct mpiot_call *call,
                                    struct mpiot_fortran_completion *completion, MPI_Fint rc,
                                    bool flag, const MPI_Fint *statuses);

/** As mpiot_complete_some_end, with the indices that `binding` returned. */
void mpiot_fortran_complete_some_end(struct mpiot_call *call,
                                     struct mpiot_fortran_completion *completion,
                                     struct mpiot_fortran_binding *binding, MPI_Fint rc,
                                     MPI_Fint outcount, const MPI_Fint *indices,
                                     const MPI_Fint *statuses);

#endif
