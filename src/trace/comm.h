/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The tool's own communicator over MPI_COMM_WORLD, and what travels on it.
 *
 * Separate from every communicator of the program, with MPI_ERRORS_RETURN, so that nothing the
 * tracer sends meets a user's message or error handler. A process that traces alone (one archive
 * per rank) has a world of one: then every function here succeeds without communication, and the
 * code above need not distinguish.
 *
 * All functions but mpiot_comm_rank and _size are collective and called by one thread per process.
 * They return 0 or a negative errno (-EIO: MPI reported an error).
 */
#ifndef MPIOT_TRACE_COMM_H
#define MPIOT_TRACE_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Makes the communicator, if the roll call (trace/rollcall.h, with the same arguments and errors)
 * finds all ranks; after an error the process is in a world of one, as before the call.
 */
int mpiot_comm_join(bool willing, bool *first);
void mpiot_comm_leave(void);

/** Rank and size in the joined world: 0 and 1 when alone. */
int mpiot_comm_rank(void);
int mpiot_comm_size(void);

/** Largest (smallest) of everybody's values. */
int mpiot_comm_max(uint64_t *value);
int mpiot_comm_min(uint64_t *value);

/** Rank 0's bytes to everybody. */
int mpiot_comm_broadcast(void *bytes, size_t size);

/** Point to point, for unification; `words` received is malloc'ed. */
int mpiot_comm_send(int to, const uint64_t *words, size_t count);
int mpiot_comm_receive(int from, uint64_t **words, size_t *count);

/**
 * Everybody's words to rank 0, in order of rank; there `all` (malloc'ed) has `*total` words, on
 * the other ranks it is NULL.
 */
int mpiot_comm_gather(const uint64_t *words, size_t count, uint64_t **all, size_t *total);

#endif
