/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The page's timeline: the I/O calls of each thread as spans of time. There is room for a number of
 * spans that does not depend on the trace; where there are more calls, short ones that are close to
 * each other become one span. Long ones stay as they are.
 */
#ifndef MPIOT_TOOLS_REPORT_TIMELINE_H
#define MPIOT_TOOLS_REPORT_TIMELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/** What a span did something with more than one of. */
#define MPIOT_SEVERAL (UINT32_MAX - 1)

struct mpiot_span {
    uint64_t begin, end;
    uint64_t busy;    /**< ticks in calls */
    uint64_t longest; /**< of these: in the call that it is named after */
    uint32_t call;    /**< index of the model's row */
    uint32_t file;    /**< the same; MPIOT_NONE, MPIOT_SEVERAL */
    uint32_t context; /**< calling context; MPIOT_NONE, MPIOT_SEVERAL */
    uint32_t calls;
    uint64_t bytes;
    uint64_t offset; /**< the lowest; UINT64_MAX: none */
};

/** Before the events are read; `lanes` threads are to come. */
void mpiot_timeline_start(uint64_t lanes);

/** The next process has so many threads. */
void mpiot_timeline_rank(uint32_t rank, uint32_t threads);

/** An I/O call of one of its threads; in order of time. */
void mpiot_timeline_add(uint32_t thread, const struct mpiot_span *span);

/** For the page: lanes, call paths, and whether calls have been merged. */
json_t *mpiot_timeline_as_json(void);

#endif
