/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unification: one table of definitions for all ranks.
 *
 * Along a binomial tree each rank merges its children's tables into its own and sends the result
 * to its parent: O(log P) steps. Rank 0's table is then the job's; indices in it go back down the
 * same tree. The transport is an argument, so that the end of a run (MPI), mpiotrace-recover (one
 * process) and the benchmark (simulated ranks) drive the same code.
 */
#ifndef MPIOT_TRACE_UNIFY_H
#define MPIOT_TRACE_UNIFY_H

#include "trace/deftable.h"

struct mpiot_transport {
    int rank, size;
    int (*send)(int to, const uint64_t *words, size_t count);
    /** Stores malloc'ed words. */
    int (*receive)(int from, uint64_t **words, size_t *count);
};

/**
 * Merges the tables of all ranks. Afterwards rank 0's `table` is the unified one; on every rank
 * `map` gives, per definition the rank had before the call, its index there. Collective over the
 * transport; 0 or a negative errno. The caller releases `map`.
 */
int mpiot_unify(struct mpiot_deftable *table, const struct mpiot_transport *transport,
                struct mpiot_defmap *map);

#endif
