/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Writing event records of one location.
 *
 * A location belongs to one thread and only that thread writes to it (the end of the run excepted,
 * when no thread records any more); nothing here locks. Times are clock ticks (trace/clock.h). A
 * record that would be earlier than the location's last is stamped with the last time: OTF2 demands
 * non-decreasing times. References are local ones (trace/definitions.h). Attributes added before a
 * record go with that record and no other.
 *
 * A record that cannot be written stops the trace for good (mpiot_trace_stop); the functions
 * return nothing, since no caller could do more.
 */
#ifndef MPIOT_TRACE_EVENTS_H
#define MPIOT_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/definitions.h"

struct mpiot_location;

/** OTF2_IoOperationMode. */
enum mpiot_io_mode { MPIOT_IO_READ, MPIOT_IO_WRITE, MPIOT_IO_FLUSH };

/** OTF2_IoOperationFlag. */
enum mpiot_io_flag { MPIOT_IO_NON_BLOCKING = 1, MPIOT_IO_COLLECTIVE = 2 };

/** OTF2_IoSeekOption. */
enum mpiot_io_seek { MPIOT_SEEK_FROM_START, MPIOT_SEEK_FROM_CURRENT, MPIOT_SEEK_FROM_END };

/** OTF2_IoAccessMode. */
enum mpiot_io_access { MPIOT_ACCESS_READ_ONLY, MPIOT_ACCESS_WRITE_ONLY, MPIOT_ACCESS_READ_WRITE };

/** How a file was opened: access, and whether each of the flags OTF2 knows was given. */
struct mpiot_io_open {
    enum mpiot_io_access access;
    bool create, exclusive, sequential, unique, append, delete_on_close;
};

void mpiot_event_attribute_uint64(struct mpiot_location *location, enum mpiot_attribute attribute,
                                  uint64_t value);
void mpiot_event_attribute_offset(struct mpiot_location *location, uint64_t offset);
void mpiot_event_attribute_int64(struct mpiot_location *location, enum mpiot_attribute attribute,
                                 int64_t value);
void mpiot_event_attribute_string(struct mpiot_location *location, enum mpiot_attribute attribute,
                                  const char *value);

/** With an attribute of mpiot_define_string_attribute. */
void mpiot_event_named_attribute(struct mpiot_location *location, const char *name,
                                 const char *value);

void mpiot_event_enter(struct mpiot_location *location, uint64_t time, uint32_t region);
void mpiot_event_leave(struct mpiot_location *location, uint64_t time, uint32_t region);

/** The same by call path; `distance` is OTF2's unwind distance. */
void mpiot_event_context_enter(struct mpiot_location *location, uint64_t time, uint32_t context,
                               uint32_t distance);
void mpiot_event_context_leave(struct mpiot_location *location, uint64_t time, uint32_t context);

void mpiot_event_io_create_handle(struct mpiot_location *location, uint64_t time, uint32_t handle,
                                  const struct mpiot_io_open *how);
void mpiot_event_io_destroy_handle(struct mpiot_location *location, uint64_t time, uint32_t handle);
void mpiot_event_io_delete_file(struct mpiot_location *location, uint64_t time, uint32_t file);
void mpiot_event_io_seek(struct mpiot_location *location, uint64_t time, uint32_t handle,
                         int64_t request, enum mpiot_io_seek whence, uint64_t result);

/** `flags` of enum mpiot_io_flag; `bytes` as requested. */
void mpiot_event_io_begin(struct mpiot_location *location, uint64_t time, uint32_t handle,
                          enum mpiot_io_mode mode, unsigned flags, uint64_t bytes,
                          uint64_t matching_id);
void mpiot_event_io_issued(struct mpiot_location *location, uint64_t time, uint32_t handle,
                           uint64_t matching_id);
void mpiot_event_io_test(struct mpiot_location *location, uint64_t time, uint32_t handle,
                         uint64_t matching_id);
void mpiot_event_io_complete(struct mpiot_location *location, uint64_t time, uint32_t handle,
                             uint64_t bytes, uint64_t matching_id);
void mpiot_event_io_cancelled(struct mpiot_location *location, uint64_t time, uint32_t handle,
                              uint64_t matching_id);

#endif
