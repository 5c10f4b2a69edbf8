/* SPDX-License-Identifier: BSD-3-Clause */
/** The clock of event records: nanoseconds of CLOCK_MONOTONIC, comparable within one node. */
#ifndef MPIOT_TRACE_CLOCK_H
#define MPIOT_TRACE_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define MPIOT_CLOCK_RESOLUTION UINT64_C(1000000000) /* ticks per second */

static inline uint64_t mpiot_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * MPIOT_CLOCK_RESOLUTION + (uint64_t)now.tv_nsec;
}

/** What must be added to a clock at its `time`, in ticks, to give that of rank 0's node. */
struct mpiot_clock_offset {
    uint64_t time;
    int64_t offset;
};

/** A time of a clock with these two offsets (NULL: none) on rank 0's, as readers find it, to 1. */
static inline uint64_t mpiot_clock_global(uint64_t time, const struct mpiot_clock_offset *offsets)
{
    if (!offsets)
        return time;
    double slope = (double)(offsets[1].offset - offsets[0].offset) /
                   (double)(offsets[1].time - offsets[0].time);
    return time + offsets[0].offset + (int64_t)(slope * (double)(int64_t)(time - offsets[0].time));
}

#endif
