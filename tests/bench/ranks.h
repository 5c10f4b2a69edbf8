/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Simulated ranks: the real mpiot_unify, for as many ranks as one likes, in one process.
 *
 * Each rank is a coroutine that gives way where MPI would make it wait, so that what a rank costs
 * is told apart from what it waits for. What a rank allocates is counted as its own: the program is
 * linked with --wrap for malloc and its relatives.
 */
#ifndef BENCH_RANKS_H
#define BENCH_RANKS_H

#include <stddef.h>

#include "trace/deftable.h"

/** What unification took, without what the ranks did before it; bytes with their definitions. */
struct ranks_cost {
    double seconds;             /**< processor time of all ranks */
    double root_seconds;        /**< of rank 0, which takes part in every step */
    size_t root_peak, peak;     /**< most bytes that rank 0, or any other rank, had at a time */
    struct mpiot_deftable *unified;
};

/**
 * Unifies what `define` makes for each rank with mpiot_define_... (trace/definitions.h). Checks
 * that each rank's map leads to equal definitions. Exits on failure.
 */
void ranks_unify(int count, void (*define)(int rank, int count), struct ranks_cost *cost);

#endif
