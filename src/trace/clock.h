/* SPDX-License-Identifier: BSD-3-Clause */
/** The clock of event records: nanoseconds of CLOCK_MONOTONIC, comparable within one node. */
#ifndef MPIOT_TRACE_CLOCK_H
#define MPIOT_TRACE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define MPIOT_CLOCK_RESOLUTION UINT64_C(1000000000) /* ticks per second */

static inline uint64_t mpiot_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * MPIOT_CLOCK_RESOLUTION + (uint64_t)now.tv_nsec;
}

#endif
