/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the recorder keeps per thread, and the stack of regions the thread has open.
 *
 * An error handler of the program may run inside any MPI call, call MPI-IO itself, and leave the
 * outer call with longjmp. A wrapper's frame is gone then, so that what its region needs to be
 * ended lies here, with the frame's address: stacks grow downwards on every system we know, and a
 * call whose frame is not below an open region's was not made from inside it.
 */
#ifndef MPIOT_RECORD_THREAD_H
#define MPIOT_RECORD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"
#include "trace/clock.h"

struct mpiot_location;

/** One open region. */
struct mpiot_frame {
    const void *address; /**< of the wrapper's stack frame */
    enum mpiot_op op;
    bool entered;         /**< the Enter is written; completion tests write it when they must */
    bool has_operation;   /**< a blocking operation is open in it */
    uint64_t time;        /**< of its Enter */
    uint32_t handle;      /**< of the operation */
    uint64_t matching_id; /**< of the operation */
    unsigned scratch;     /**< completion scratch in use when it was opened */
    const void *return_address;        /**< in the caller of the MPI procedure */
    const struct mpiot_callpath *path; /**< that was entered; NULL without call paths */
};

/** One I/O request found among those that a completion call was given. */
struct mpiot_found {
    struct mpiot_io *io;
    int index; /**< in the caller's array */
};

struct mpiot_thread {
    struct mpiot_location *location;
    struct mpiot_clock clock;          /**< of all times in the location's records */
    struct mpiot_callpaths *callpaths; /**< NULL: regions are entered without */

    struct mpiot_frame *frames;
    unsigned depth, frame_capacity;

    /* The file of the last call: programs mostly stay with one. */
    MPI_File cached_fh;
    struct mpiot_file *cached_file;
    uint64_t cached_generation;

    struct mpiot_io *free_ios; /**< descriptors of finished operations, to be used again */

    struct mpiot_found *found; /**< scratch of completion calls, nested ones behind outer ones */
    unsigned found_count, found_capacity;
    MPI_Status *statuses;
    int status_capacity;
};

/** The calling thread's state, once it is made. */
extern _Thread_local struct mpiot_thread *mpiot_thread_known
    __attribute__((tls_model("initial-exec")));
struct mpiot_thread *mpiot_thread_make(void);

/**
 * The calling thread's state with its location, made on first use; NULL if there can be none (no
 * memory, trace not active).
 */
static inline struct mpiot_thread *mpiot_thread_self(void)
{
    return __builtin_expect(mpiot_thread_known != NULL, 1) ? mpiot_thread_known
                                                           : mpiot_thread_make();
}

/** Room for `count` more found requests; false: no memory. */
bool mpiot_thread_reserve_found(struct mpiot_thread *thread, unsigned count);

/**
 * First act of every begin: decides whether the call is recorded, and sets call->thread if so.
 * False: the call is passed through unseen (tracing off, inner call of a Fortran call).
 */
bool mpiot_call_admit(struct mpiot_call *call);

/** The call turns out not to be recorded after all (excluded path, paused, no I/O request). */
void mpiot_call_dismiss(struct mpiot_call *call);

/**
 * Opens the call's region, as of now: call->time. With `enter` false its Enter is written only when
 * something happens in it. False: no memory, the call is not recorded.
 */
bool mpiot_call_open_region(struct mpiot_call *call, bool enter);

/** Writes the Enter of the call's region if it has not been written. */
void mpiot_call_enter(struct mpiot_call *call);
static inline struct mpiot_frame *mpiot_call_frame(const struct mpiot_call *call)
{
    return &call->thread->frames[call->depth];
}

/**
 * Makes the call's region the innermost again: what is above it was abandoned. First act of every
 * end. The time after the call; 0 if the call is not recorded.
 */
uint64_t mpiot_call_return(struct mpiot_call *call);

/**
 * Closes the call's region, with the error's class and text if `rc` is one. Last act of every end;
 * attributes for the Leave may have been added before.
 */
void mpiot_call_close_region(struct mpiot_call *call, uint64_t time, int rc);

#endif
