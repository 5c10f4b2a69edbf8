/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The trace of this process: from its first record to a closed archive.
 *
 * mpiot_trace_start opens the archive, mpiot_trace_end completes it; both are collective over the
 * world that trace/comm.h has joined, and called by one thread. Between them any thread may make a
 * location of its own and write events to it.
 */
#ifndef MPIOT_TRACE_TRACE_H
#define MPIOT_TRACE_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mpiot_location;

/** What the trace needs to know about the process and its MPI. */
struct mpiot_trace_identity {
    int world_rank;          /**< in MPI_COMM_WORLD */
    int world_size;
    bool joint;              /**< one archive with all ranks of the world */
    const char *mpi_library; /**< version of the MPI library, one line */
};

enum mpiot_trace_state {
    MPIOT_TRACE_OFF,  /**< before the start, after the end, in a forked child, after a failure */
    MPIOT_TRACE_ON,
    MPIOT_TRACE_FULL, /**< on, but before each call room must be looked for */
};

extern _Atomic int mpiot_trace_state;

/** Whether calls are recorded without further question. */
static inline bool mpiot_trace_is_on(void)
{
    return atomic_load_explicit(&mpiot_trace_state, memory_order_relaxed) == MPIOT_TRACE_ON;
}

static inline bool mpiot_trace_is_off(void)
{
    return atomic_load_explicit(&mpiot_trace_state, memory_order_relaxed) == MPIOT_TRACE_OFF;
}

/**
 * Whether there is room for another call by the thread of this location; to be asked where the
 * trace is neither on nor off. If not the trace is stopped.
 */
bool mpiot_trace_admits(const struct mpiot_location *location);

/**
 * Opens the archive. All ranks succeed or all fail; a failure has been logged, and nothing is
 * traced then.
 */
int mpiot_trace_start(const struct mpiot_trace_identity *identity);

/**
 * Ends recording here for good: says why, once per process. What is recorded stays; calls in
 * progress, and what is open at the end of the run, are still ended.
 */
void mpiot_trace_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Whether it is one archive with all ranks; decided by the start. */
bool mpiot_trace_is_joint(void);

/**
 * The calling context of the program itself, below which all call paths hang; MPIOT_UNDEFINED:
 * regions are entered without call paths. One or the other for the whole archive: OTF2 forbids a
 * mix.
 */
uint32_t mpiot_trace_root_context(void);

/** What a reader of the archive must know: the words of its property MPIOTRACE::MARK. */
enum mpiot_mark {
    MPIOT_MARK_PAUSED,    /**< "paused": stretches are missing, by MPI_Pcontrol */
    MPIOT_MARK_PARTIAL,   /**< "partial": some process stopped recording before its end */
    MPIOT_MARK_RECOVERED, /**< "recovered": made from what a dead job left */
    MPIOT_MARK_COUNT,
};

/** Marks the archive; any thread may call. */
void mpiot_trace_mark(enum mpiot_mark mark);

/** Leaves the root regions, unifies definitions, closes the archive. */
void mpiot_trace_end(void);

/**
 * A location for the calling thread, entered into the program's root region at `time`; NULL when
 * the trace is not active. It lasts until the end of the trace, whatever becomes of the thread.
 */
struct mpiot_location *mpiot_location_create(uint64_t time);

#endif
