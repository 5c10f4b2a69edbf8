/* SPDX-License-Identifier: BSD-3-Clause */
/** I/O handles of a process, and the operations on them. */
#ifndef MPIOT_TOOLS_CHECK_IO_H
#define MPIOT_TOOLS_CHECK_IO_H

#include <uthash.h>

#include "tools/check_events.h"
#include "tools/check_ids.h"

/** Sizes and offsets from here on cannot be meant. */
#define MPIOT_ABSURD_BYTES (UINT64_C(1) << 62)

/** A handle as one process has it. */
struct mpiot_io_handle {
    OTF2_IoHandleRef id;
    const struct mpiot_def *def;
    bool active;
    bool was_created;              /**< not only active by its flag PRE_CREATED */
    uint64_t open_operations;      /**< begun and not ended */
    struct mpiot_ids matching_ids; /**< used so far; of archives of our own only */
    UT_hash_handle hh;
};

/** The handle that an event refers to; NULL after reporting that it is not defined. */
struct mpiot_io_handle *mpiot_io_handle(const struct mpiot_event *event, OTF2_IoHandleRef id);

/** Reports a handle that is not active, once: what follows is not made worse by it. */
void mpiot_io_handle_use(const struct mpiot_event *event, struct mpiot_io_handle *handle);

/** `handle 3 "f.dat"`; malloc'ed. */
char *mpiot_io_handle_text(const struct mpiot_io_handle *handle);

#endif
