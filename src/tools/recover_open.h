/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What of a process is open while its records are copied, and how that ends.
 *
 * An operation may end on another thread than it began, so that operations and handles belong to
 * the process. Threads are copied one after the other: an operation's end may come before its
 * begin, and only when all are copied it is known what is open. Then operations end with 0 bytes
 * and the attribute "Unfinished", where they began; handles are destroyed on the first location,
 * regions left, the program ended, all one tick behind the last record of the process.
 */
#ifndef MPIOT_TOOLS_RECOVER_OPEN_H
#define MPIOT_TOOLS_RECOVER_OPEN_H

#include <otf2/otf2.h>

#include "tools/recover.h"

/** A region or calling context that has been entered. */
struct mpiot_recover_region {
    uint32_t reference;
    bool by_context;
    uint64_t time;
    uint32_t path; /**< value of its attribute "Path", or undefined */
};

/** A location as it is copied. */
struct mpiot_recover_stream {
    struct mpiot_recover_location *location;
    OTF2_EvtWriter *writer;
    struct mpiot_recover_region *regions; /**< innermost last */
    size_t depth, capacity;
    bool program_begun, program_ended;
};

/** Begins with a process; 0 or -ENOMEM. */
int mpiot_recover_open_start(struct mpiot_recover_process *process);

/** These return false where the records cannot be true: the stream is damaged. */
bool mpiot_recover_open_enter(struct mpiot_recover_stream *stream,
                              struct mpiot_recover_region region);
bool mpiot_recover_open_leave(struct mpiot_recover_stream *stream, uint32_t reference);

void mpiot_recover_open_handle(uint32_t handle, int change);

/** `change`: +1 where the operation begins, -1 where it completes or is cancelled. */
bool mpiot_recover_open_operation(struct mpiot_recover_stream *stream, uint32_t handle,
                                  uint64_t matching_id, int change);

/** How the process ended, from what is open; then ends all that is. */
int mpiot_recover_open_end(struct mpiot_recover_stream *streams, size_t count);

#endif
