/* SPDX-License-Identifier: BSD-3-Clause */
/** The clock of event records: nanoseconds of CLOCK_MONOTONIC, comparable within one node. */
#ifndef MPIOT_TRACE_CLOCK_H
#define MPIOT_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define MPIOT_CLOCK_RESOLUTION UINT64_C(1000000000) /* ticks per second */

static inline uint64_t mpiot_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * MPIOT_CLOCK_RESOLUTION + (uint64_t)now.tv_nsec;
}

/**
 * A thread's clock: the same time, at the cost of a look at the processor's counter (10 ns where
 * clock_gettime takes 24). It looks at CLOCK_MONOTONIC every millisecond, which bounds what the
 * counter's rate can be wrong by, and never goes back. Where the kernel does not trust the counter
 * it always looks. Used by one thread; fields are clock.c's own.
 */
struct mpiot_clock {
    uint64_t counter; /**< at the last look */
    uint64_t time;    /**< at the last look */
    uint64_t span;    /**< counts until the next look; 0: each time */
    uint64_t rate;    /**< clock ticks per count, in units of 2^-32 */
    uint64_t last;    /**< the latest time given */
    uint64_t base_counter, base_time; /**< the look from which the rate is measured */
    bool counts;                      /**< the counter may be used */
};

void mpiot_clock_begin(struct mpiot_clock *clock);

/** Looks at CLOCK_MONOTONIC, and at how fast the counter runs. */
uint64_t mpiot_clock_look(struct mpiot_clock *clock);

static inline uint64_t mpiot_clock_count(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

static inline uint64_t mpiot_clock_read(struct mpiot_clock *clock)
{
    uint64_t passed = mpiot_clock_count() - clock->counter;
    if (__builtin_expect(passed >= clock->span, 0))
        return mpiot_clock_look(clock);
    uint64_t time = clock->time + (passed * clock->rate >> 32);
    /* Two reads of the counter are not ordered by the processor. */
    return clock->last = time > clock->last ? time : clock->last;
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
