/* SPDX-License-Identifier: BSD-3-Clause */
/** Sums of the model, for the tables. */
#ifndef MPIOT_TOOLS_REPORT_SUMMARY_H
#define MPIOT_TOOLS_REPORT_SUMMARY_H

#include "tools/report_model.h"

/** By what a table has rows: any combination. */
enum { MPIOT_BY_FILE = 1, MPIOT_BY_CALL = 2, MPIOT_BY_SITE = 4 };

/** MPIOT_NONE where that is not asked. */
struct mpiot_sum_key {
    uint32_t file, call, site; /**< no padding: the bytes are hashed */
};

/** What all accesses with the same file, call, place do. */
struct mpiot_sum {
    struct mpiot_sum_key key;
    uint64_t calls, not_left, ticks;
    uint64_t metadata_ticks; /**< of these: in calls that are metadata's */
    struct mpiot_operations modes[MPIOT_MODES];
    UT_hash_handle hh;
};

/** An array, the longest time first; to be freed. By file, those that were only opened are in. */
struct mpiot_sum *mpiot_summary(unsigned by, size_t *count);

/** Sums over all modes. */
uint64_t mpiot_sum_bytes(const struct mpiot_sum *sum);
uint64_t mpiot_sum_begun(const struct mpiot_sum *sum);

/** How a quantity is spread over the ranks; indices into the model's ranks. */
struct mpiot_spread {
    double least, median, most, sum;
    uint32_t least_rank, most_rank;
    size_t count; /**< of ranks that have events */
};

/** Of the ranks that have events; all 0 if none has. */
struct mpiot_spread mpiot_spread(double (*quantity)(const struct mpiot_rank *rank));

/** Quantities of a rank, in seconds, as a part of 1, in bytes. */
double mpiot_rank_run_time(const struct mpiot_rank *rank);
double mpiot_rank_io_time(const struct mpiot_rank *rank);
double mpiot_rank_io_share(const struct mpiot_rank *rank);
double mpiot_rank_metadata_time(const struct mpiot_rank *rank);
double mpiot_rank_bytes_read(const struct mpiot_rank *rank);
double mpiot_rank_bytes_written(const struct mpiot_rank *rank);

/** From the first event of any rank to the last, within what the options leave in; seconds. */
double mpiot_run_time(void);

#endif
