/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/events.h"

#include "trace/location.h"
#include "trace/trace.h"

_Static_assert((int)MPIOT_IO_READ == OTF2_IO_OPERATION_MODE_READ &&
                   (int)MPIOT_IO_WRITE == OTF2_IO_OPERATION_MODE_WRITE &&
                   (int)MPIOT_IO_FLUSH == OTF2_IO_OPERATION_MODE_FLUSH,
               "OTF2_IoOperationMode");
_Static_assert((int)MPIOT_IO_NON_BLOCKING == OTF2_IO_OPERATION_FLAG_NON_BLOCKING &&
                   (int)MPIOT_IO_COLLECTIVE == OTF2_IO_OPERATION_FLAG_COLLECTIVE,
               "OTF2_IoOperationFlag");
_Static_assert((int)MPIOT_SEEK_FROM_START == OTF2_IO_SEEK_FROM_START &&
                   (int)MPIOT_SEEK_FROM_CURRENT == OTF2_IO_SEEK_FROM_CURRENT &&
                   (int)MPIOT_SEEK_FROM_END == OTF2_IO_SEEK_FROM_END,
               "OTF2_IoSeekOption");
_Static_assert((int)MPIOT_ACCESS_READ_ONLY == OTF2_IO_ACCESS_MODE_READ_ONLY &&
                   (int)MPIOT_ACCESS_WRITE_ONLY == OTF2_IO_ACCESS_MODE_WRITE_ONLY &&
                   (int)MPIOT_ACCESS_READ_WRITE == OTF2_IO_ACCESS_MODE_READ_WRITE,
               "OTF2_IoAccessMode");
_Static_assert(MPIOT_UNDEFINED == OTF2_UNDEFINED_UINT32, "undefined references");

/** The time a record gets: OTF2 refuses one that is earlier than the location's last. */
static inline OTF2_TimeStamp stamp(struct mpiot_location *location, uint64_t time)
{
    if (time > location->last_time)
        location->last_time = time;
    return location->last_time;
}

static inline void check(struct mpiot_location *location, OTF2_ErrorCode error)
{
    if (__builtin_expect(error == OTF2_SUCCESS, 1))
        return;
    /* OTF2 empties the list only with a record it has written. */
    OTF2_AttributeList_RemoveAllAttributes(location->attributes);
    mpiot_trace_stop("cannot write an event: %s", OTF2_Error_GetDescription(error));
}

/** The attributes of the next record; NULL for none, which OTF2 is quicker with. */
static inline OTF2_AttributeList *pending(struct mpiot_location *location)
{
    if (__builtin_expect(!location->has_attributes, 1))
        return NULL;
    location->has_attributes = false;
    return location->attributes;
}

/** Where to add one. */
static inline OTF2_AttributeList *more(struct mpiot_location *location)
{
    location->has_attributes = true;
    return location->attributes;
}

void mpiot_event_attribute_uint64(struct mpiot_location *location, enum mpiot_attribute attribute,
                                  uint64_t value)
{
    OTF2_AttributeList_AddUint64(more(location), mpiot_define_attribute(attribute), value);
}

void mpiot_event_attribute_int64(struct mpiot_location *location, enum mpiot_attribute attribute,
                                 int64_t value)
{
    OTF2_AttributeList_AddInt64(more(location), mpiot_define_attribute(attribute), value);
}

void mpiot_event_attribute_string(struct mpiot_location *location, enum mpiot_attribute attribute,
                                  const char *value)
{
    OTF2_AttributeList_AddStringRef(more(location), mpiot_define_attribute(attribute),
                                    mpiot_define_string(value));
}

void mpiot_event_named_attribute(struct mpiot_location *location, const char *name,
                                 const char *value)
{
    OTF2_AttributeList_AddStringRef(more(location), mpiot_define_string_attribute(name),
                                    mpiot_define_string(value));
}

void mpiot_event_enter(struct mpiot_location *location, uint64_t time, uint32_t region)
{
    check(location, OTF2_EvtWriter_Enter(location->writer, pending(location),
                                         stamp(location, time), region));
}

void mpiot_event_leave(struct mpiot_location *location, uint64_t time, uint32_t region)
{
    check(location, OTF2_EvtWriter_Leave(location->writer, pending(location),
                                         stamp(location, time), region));
}

void mpiot_event_context_enter(struct mpiot_location *location, uint64_t time, uint32_t context,
                               uint32_t distance)
{
    check(location, OTF2_EvtWriter_CallingContextEnter(location->writer, pending(location),
                                                       stamp(location, time), context, distance));
}

void mpiot_event_context_leave(struct mpiot_location *location, uint64_t time, uint32_t context)
{
    check(location, OTF2_EvtWriter_CallingContextLeave(location->writer, pending(location),
                                                       stamp(location, time), context));
}

void mpiot_event_io_create_handle(struct mpiot_location *location, uint64_t time, uint32_t handle,
                                  const struct mpiot_io_open *how)
{
    OTF2_IoCreationFlag creation = OTF2_IO_CREATION_FLAG_NONE;
    OTF2_IoStatusFlag status = OTF2_IO_STATUS_FLAG_NONE;

    if (how->create)
        creation |= OTF2_IO_CREATION_FLAG_CREATE;
    if (how->exclusive)
        creation |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
    if (how->sequential)
        creation |= OTF2_IO_CREATION_FLAG_NO_SEEK;
    if (how->unique)
        creation |= OTF2_IO_CREATION_FLAG_UNIQUE;
    if (how->append)
        status |= OTF2_IO_STATUS_FLAG_APPEND;
    if (how->delete_on_close)
        status |= OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE;
    check(location,
          OTF2_EvtWriter_IoCreateHandle(location->writer, pending(location),
                                        stamp(location, time), handle,
                                        (OTF2_IoAccessMode)how->access, creation, status));
}

void mpiot_event_io_destroy_handle(struct mpiot_location *location, uint64_t time, uint32_t handle)
{
    check(location, OTF2_EvtWriter_IoDestroyHandle(location->writer, pending(location),
                                                   stamp(location, time), handle));
}

void mpiot_event_io_delete_file(struct mpiot_location *location, uint64_t time, uint32_t file)
{
    check(location, OTF2_EvtWriter_IoDeleteFile(location->writer, pending(location),
                                                stamp(location, time), 0, file));
}

void mpiot_event_io_seek(struct mpiot_location *location, uint64_t time, uint32_t handle,
                         int64_t request, enum mpiot_io_seek whence, uint64_t result)
{
    check(location, OTF2_EvtWriter_IoSeek(location->writer, pending(location),
                                          stamp(location, time), handle, request,
                                          (OTF2_IoSeekOption)whence, result));
}

void mpiot_event_attribute_offset(struct mpiot_location *location, uint64_t offset)
{
    /* The one attribute of almost every operation: its reference is at hand. */
    if (__builtin_expect(location->offset_attribute == MPIOT_UNDEFINED, 0))
        location->offset_attribute = mpiot_define_attribute(MPIOT_ATTRIBUTE_OFFSET);
    OTF2_AttributeList_AddUint64(more(location), location->offset_attribute, offset);
}

void mpiot_event_io_begin(struct mpiot_location *location, uint64_t time, uint32_t handle,
                          enum mpiot_io_mode mode, unsigned flags, uint64_t bytes,
                          uint64_t matching_id)
{
    check(location, OTF2_EvtWriter_IoOperationBegin(location->writer, pending(location),
                                                    stamp(location, time), handle,
                                                    (OTF2_IoOperationMode)mode, flags, bytes,
                                                    matching_id));
}

void mpiot_event_io_issued(struct mpiot_location *location, uint64_t time, uint32_t handle,
                           uint64_t matching_id)
{
    check(location, OTF2_EvtWriter_IoOperationIssued(location->writer, pending(location),
                                                     stamp(location, time), handle, matching_id));
}

void mpiot_event_io_test(struct mpiot_location *location, uint64_t time, uint32_t handle,
                         uint64_t matching_id)
{
    check(location, OTF2_EvtWriter_IoOperationTest(location->writer, pending(location),
                                                   stamp(location, time), handle, matching_id));
}

void mpiot_event_io_complete(struct mpiot_location *location, uint64_t time, uint32_t handle,
                             uint64_t bytes, uint64_t matching_id)
{
    check(location,
          OTF2_EvtWriter_IoOperationComplete(location->writer, pending(location),
                                             stamp(location, time), handle, bytes, matching_id));
}

void mpiot_event_io_cancelled(struct mpiot_location *location, uint64_t time, uint32_t handle,
                              uint64_t matching_id)
{
    check(location,
          OTF2_EvtWriter_IoOperationCancelled(location->writer, pending(location),
                                              stamp(location, time), handle, matching_id));
}
