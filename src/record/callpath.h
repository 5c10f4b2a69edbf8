/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Call paths: who called an MPI procedure, as a calling context of the trace.
 *
 * The stack is unwound by libunwind (unw_backtrace), from the caller of the MPI procedure outwards
 * to the program's start, or to the MPI procedure from within which it is called (an error handler
 * that does MPI-IO). Frames of the tracer, of the MPI library and of the C library's start-up are
 * left out. A path that the thread has seen before costs a comparison and allocates nothing; mostly
 * it is not even unwound (record/witness.h).
 *
 * All paths hang below the program's own context; OTF2 documentation, CallingContext in
 * OTF2_GlobalDefWriter.h and CallingContextEnter in OTF2_EvtWriter.h.
 */
#ifndef MPIOT_RECORD_CALLPATH_H
#define MPIOT_RECORD_CALLPATH_H

#include <stdint.h>

/** Most frames that can be asked for (MPIOTRACE_CALLSTACK). */
enum { MPIOT_CALLPATH_MAX = 255 };

/** A path from the program's start to an MPI procedure; it lasts as long as its thread's cache. */
struct mpiot_callpath {
    uint32_t context; /**< reference of the procedure's calling context: the path's last node */
    uint32_t length;  /**< number of nodes, the program's and the procedure's own included */
    const uint32_t *nodes;
};

/** A thread's paths; only the thread uses them. */
struct mpiot_callpaths;

struct mpiot_callpaths *mpiot_callpaths_create(void);
void mpiot_callpaths_release(struct mpiot_callpaths *paths);

/** An MPI procedure that is being called. */
struct mpiot_callpath_call {
    const void *return_address; /**< in its caller */
    const void *frame;          /**< stack address of its wrapper */
    uint32_t region;            /**< what it is */
};

/**
 * The path of `call`; `outer` is the call from within which it is made, with its path, or NULL.
 * Called below the procedure's wrapper on the stack. NULL: no memory, logged.
 */
const struct mpiot_callpath *mpiot_callpath_find(struct mpiot_callpaths *paths,
                                                 const struct mpiot_callpath_call *call,
                                                 const struct mpiot_callpath_call *outer,
                                                 const struct mpiot_callpath *outer_path);

/**
 * Enters a path: OTF2's unwind distance, the number of its nodes that are new since the thread's
 * last enter or leave, and one.
 */
uint32_t mpiot_callpath_enter(struct mpiot_callpaths *paths, const struct mpiot_callpath *path);
void mpiot_callpath_leave(struct mpiot_callpaths *paths, const struct mpiot_callpath *path);

/**
 * Objects may have been unloaded, and others be at their addresses: forgets what all threads know
 * of addresses if so. To be called now and then, where some microseconds do not matter.
 */
void mpiot_callpaths_refresh(void);

#endif
