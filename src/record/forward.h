/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One event per user call.
 *
 * A Fortran wrapper calls the MPI library's Fortran procedure, which in some libraries, and for
 * some procedures, calls the C procedure by its MPI name, and so a C wrapper. The Fortran wrapper
 * therefore announces its procedure on this thread; the C wrapper's begin finds the announcement
 * and passes through. A call from elsewhere, as from a user's error handler, is not taken for the
 * inner call: its return address is neither in the library's Fortran layer nor in our own code.
 *
 * Any thread may call; an announcement belongs to its thread. Nothing fails: where a layer cannot
 * be found, its calls are recorded twice, and logged for the debugging of the tracer.
 */
#ifndef MPIOT_RECORD_FORWARD_H
#define MPIOT_RECORD_FORWARD_H

#include <stdbool.h>
#include <stddef.h>

#include "record/operations.h"

struct mpiot_call;

/** The Fortran call that is about to run, or is running, in the MPI library. */
struct mpiot_announcement {
    const void *frame; /**< of the Fortran wrapper; NULL: none */
    enum mpiot_op op;  /**< MPIOT_OP_COUNT once its C call has been seen */
};

extern _Thread_local struct mpiot_announcement mpiot_announced
    __attribute__((tls_model("initial-exec")));

/** Announces `call`, about to be made through the MPI library's procedure `fortran_entry`. */
void mpiot_forward_begin(struct mpiot_call *call, const void *fortran_entry);

/** That procedure has returned. */
void mpiot_forward_end(struct mpiot_call *call);

/** Whether `call`, of a C wrapper, is made by the Fortran layer for the call announced. */
bool mpiot_forward_matches(const struct mpiot_call *call);

/** The first thing every begin does: true means to let the call pass, it has been recorded. */
static inline bool mpiot_forward_consume(const struct mpiot_call *call)
{
    return mpiot_announced.frame && mpiot_forward_matches(call);
}

#endif
