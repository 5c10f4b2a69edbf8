/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OTF2 documentation, "Event order for I/O operation records". An operation is known by its handle
 * and its matching id, within a process: what one thread begins, another may complete, unless it
 * is blocking.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "tools/check_collective.h"
#include "tools/check_io.h"
#include "tools/check_report.h"

struct key {
    uint64_t handle, id; /**< no padding: the bytes are hashed */
};

struct mpiot_io_operation {
    struct key key;
    struct mpiot_io_handle *handle;
    struct mpiot_location *location; /**< where it began */
    OTF2_TimeStamp time;             /**< when it began */
    uint64_t bytes;                  /**< requested */
    OTF2_IoOperationMode mode;
    bool blocking, issued;
    UT_hash_handle hh; /**< non-blocking ones */
};

/** Reports a problem of a record of an operation, printf-like. */
static void __attribute__((format(printf, 4, 5)))
problem(const struct mpiot_event *event, const struct mpiot_io_handle *handle, uint64_t id,
        const char *format, ...)
{
    char *name = mpiot_io_handle_text(handle);
    char *about = mpiot_text("%s, id %" PRIu64, name, id);
    char *record = mpiot_text("%s(%s)", event->record, about);
    va_list arguments;

    va_start(arguments, format);
    mpiot_check_report_problem_list(
        &(struct mpiot_where){record, true, event->location->id, event->time}, format, arguments);
    va_end(arguments);
    free(record);
    free(about);
    free(name);
}

static struct mpiot_io_operation *find_blocking(struct mpiot_location *location, struct key key)
{
    for (size_t i = location->blocking_count; i > 0; i--) {
        struct mpiot_io_operation *operation = &location->blocking[i - 1];
        if (operation->key.handle == key.handle && operation->key.id == key.id)
            return operation;
    }
    return NULL;
}

/** The operation in progress that a record on `location` means, or NULL. */
static struct mpiot_io_operation *find(struct mpiot_location *location, struct key key)
{
    struct mpiot_process *process = location->process;
    struct mpiot_io_operation *operation = find_blocking(location, key);

    if (!operation && process->non_blocking)
        HASH_FIND(hh, process->non_blocking, &key, sizeof key, operation);
    return operation;
}

/** The same, in the right process but maybe on the wrong location. */
static struct mpiot_io_operation *find_anywhere(struct mpiot_location *location, struct key key)
{
    struct mpiot_io_operation *operation = find(location, key);

    for (struct mpiot_location *other = location->process->locations; other && !operation;
         other = other->next_of_process)
        operation = find_blocking(other, key);
    return operation;
}

static void add(const struct mpiot_io_operation *operation)
{
    struct mpiot_location *location = operation->location;

    operation->handle->open_operations++;
    if (operation->blocking) {
        location->blocking = mpiot_grow(location->blocking, location->blocking_count,
                                        &location->blocking_capacity, sizeof *location->blocking);
        location->blocking[location->blocking_count++] = *operation;
        return;
    }
    struct mpiot_io_operation *copy = mpiot_resize(NULL, sizeof *copy);
    *copy = *operation;
    HASH_ADD(hh, location->process->non_blocking, key, sizeof copy->key, copy);
}

static void end(struct mpiot_io_operation *operation)
{
    struct mpiot_location *location = operation->location;

    operation->handle->open_operations--;
    if (operation->blocking) {
        *operation = location->blocking[--location->blocking_count];
        return;
    }
    HASH_DEL(location->process->non_blocking, operation);
    free(operation);
}

/** Whether a number of bytes cannot be meant; UNDEFINED says that a flush does not know it. */
static bool is_absurd(OTF2_IoOperationMode mode, uint64_t bytes)
{
    return bytes >= MPIOT_ABSURD_BYTES &&
           !(mode == OTF2_IO_OPERATION_MODE_FLUSH && bytes == OTF2_UNDEFINED_UINT64);
}

/** Collective operations need a communicator and a paradigm that has them. */
static void check_collective(const struct mpiot_event *event, struct mpiot_io_handle *handle,
                             const struct mpiot_io_operation *operation)
{
    const struct mpiot_def *paradigm =
        mpiot_defs_find(MPIOT_KIND_IO_PARADIGM, handle->def->handle.paradigm);

    if (paradigm && paradigm->paradigm.class != OTF2_IO_PARADIGM_CLASS_PARALLEL)
        problem(event, handle, operation->key.id, "COLLECTIVE, but \"%s\" is a serial paradigm",
                mpiot_defs_name(MPIOT_KIND_IO_PARADIGM, paradigm->id));
    else if (handle->def->handle.comm == OTF2_UNDEFINED_COMM)
        problem(event, handle, operation->key.id, "COLLECTIVE, but the handle has no communicator");
    mpiot_check_collective_count(handle->def->handle.comm, event->location->process,
                                 (enum mpiot_collective)operation->mode);
    mpiot_check_totals.collective++;
}

/**
 * A matching id is the operation's alone while that is in progress. mpiotrace promises more, that
 * it is never used again on its handle.
 */
static bool check_matching_id(const struct mpiot_event *event, struct mpiot_io_handle *handle,
                              struct key key)
{
    const struct mpiot_io_operation *other = find(event->location, key);

    if (other) {
        problem(event, handle, key.id,
                "an operation with this id, begun at time %" PRIu64 ", has not ended", other->time);
        return false;
    }
    if (mpiot_check_archive.own && !mpiot_ids_add(&handle->matching_ids, key.id))
        problem(event, handle, key.id, "an operation before had this id");
    return true;
}

static OTF2_CallbackCode on_begin(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                  OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                  OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                                  uint64_t bytes, uint64_t matching_id)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    (void)user;
    if (!mpiot_event_start(&event, id, time, attributes, "IoOperationBegin") ||
        !(handle = mpiot_io_handle(&event, handle_id)))
        return OTF2_CALLBACK_SUCCESS;
    mpiot_io_handle_use(&event, handle);
    if (mode > OTF2_IO_OPERATION_MODE_FLUSH) {
        problem(&event, handle, matching_id, "unknown mode %u", mode);
        mode = OTF2_IO_OPERATION_MODE_FLUSH;
    }
    const struct mpiot_io_operation operation = {
        .key = {handle_id, matching_id},
        .handle = handle,
        .location = event.location,
        .time = time,
        .bytes = bytes,
        .mode = mode,
        .blocking = !(flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING),
    };
    if (is_absurd(mode, bytes))
        problem(&event, handle, matching_id, "absurd request of %" PRIu64 " bytes", bytes);
    if (flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE)
        check_collective(&event, handle, &operation);
    if (check_matching_id(&event, handle, operation.key))
        add(&operation);
    mpiot_check_totals.operations[mode].begun++;
    mpiot_check_totals.non_blocking += !operation.blocking;
    return OTF2_CALLBACK_SUCCESS;
}

/**
 * First thing for the records that follow a Begin: the operation in progress, or NULL after
 * reporting that there is none.
 */
static struct mpiot_io_operation *follow(struct mpiot_event *event, OTF2_LocationRef id,
                                         OTF2_TimeStamp time, OTF2_AttributeList *attributes,
                                         const char *record, OTF2_IoHandleRef handle_id,
                                         uint64_t matching_id)
{
    struct mpiot_io_handle *handle;

    if (!mpiot_event_start(event, id, time, attributes, record) ||
        !(handle = mpiot_io_handle(event, handle_id)))
        return NULL;
    struct mpiot_io_operation *operation =
        find_anywhere(event->location, (struct key){handle_id, matching_id});
    if (operation)
        return operation;
    if (handle->active)
        problem(event, handle, matching_id, "no such operation begun");
    else
        mpiot_io_handle_use(event, handle);
    return NULL;
}

/** Only a non-blocking operation has more than begin and end, and those after Issued. */
static void check_issued(const struct mpiot_event *event,
                         const struct mpiot_io_operation *operation)
{
    if (operation->blocking)
        problem(event, operation->handle, operation->key.id, "the operation is blocking");
    else if (!operation->issued)
        problem(event, operation->handle, operation->key.id, "the operation has not been issued");
}

static OTF2_CallbackCode on_issued(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                   OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                   uint64_t matching_id)
{
    struct mpiot_event event;
    struct mpiot_io_operation *operation =
        follow(&event, id, time, attributes, "IoOperationIssued", handle_id, matching_id);

    (void)user;
    if (!operation)
        return OTF2_CALLBACK_SUCCESS;
    if (operation->blocking)
        problem(&event, operation->handle, matching_id, "the operation is blocking");
    else if (operation->issued)
        problem(&event, operation->handle, matching_id, "the operation has been issued before");
    operation->issued = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_test(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                 OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                 uint64_t matching_id)
{
    struct mpiot_event event;
    const struct mpiot_io_operation *operation =
        follow(&event, id, time, attributes, "IoOperationTest", handle_id, matching_id);

    (void)user;
    if (operation)
        check_issued(&event, operation);
    mpiot_check_totals.tests++;
    return OTF2_CALLBACK_SUCCESS;
}

/** The bytes transferred, as far as they can be believed. */
static uint64_t check_bytes(const struct mpiot_event *event,
                            const struct mpiot_io_operation *operation, uint64_t bytes)
{
    if (is_absurd(operation->mode, bytes)) {
        problem(event, operation->handle, operation->key.id, "absurd result of %" PRIu64 " bytes",
                bytes);
        return 0;
    }
    if (bytes == OTF2_UNDEFINED_UINT64)
        return 0;
    if (bytes > operation->bytes)
        problem(event, operation->handle, operation->key.id,
                "%" PRIu64 " bytes, but %" PRIu64 " were requested", bytes, operation->bytes);
    return bytes;
}

static OTF2_CallbackCode on_complete(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                     OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                     uint64_t bytes, uint64_t matching_id)
{
    struct mpiot_event event;
    struct mpiot_io_operation *operation =
        follow(&event, id, time, attributes, "IoOperationComplete", handle_id, matching_id);

    (void)user;
    if (!operation)
        return OTF2_CALLBACK_SUCCESS;
    if (!operation->blocking)
        check_issued(&event, operation);
    else if (operation->location != event.location)
        problem(&event, operation->handle, matching_id,
                "the operation is blocking and began on location %" PRIu64,
                operation->location->id);
    mpiot_check_totals.operations[operation->mode].completed++;
    mpiot_check_totals.operations[operation->mode].bytes += check_bytes(&event, operation, bytes);
    end(operation);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                      OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                      uint64_t matching_id)
{
    struct mpiot_event event;
    struct mpiot_io_operation *operation =
        follow(&event, id, time, attributes, "IoOperationCancelled", handle_id, matching_id);

    (void)user;
    if (!operation)
        return OTF2_CALLBACK_SUCCESS;
    check_issued(&event, operation);
    mpiot_check_totals.operations[operation->mode].cancelled++;
    end(operation);
    return OTF2_CALLBACK_SUCCESS;
}

static void report_open(const struct mpiot_io_operation *operation)
{
    const struct mpiot_event begin = {operation->location, operation->time, "IoOperationBegin"};

    problem(&begin, operation->handle, operation->key.id, "not ended by the end of the trace");
}

void mpiot_check_operations_end(const struct mpiot_process *process)
{
    for (const struct mpiot_location *location = process->locations; location;
         location = location->next_of_process)
        for (size_t i = 0; i < location->blocking_count; i++)
            report_open(&location->blocking[i]);
    for (const struct mpiot_io_operation *operation = process->non_blocking; operation;
         operation = operation->hh.next)
        report_open(operation);
}

void mpiot_check_operations_set(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, on_issued);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationTestCallback(callbacks, on_test);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
    OTF2_GlobalEvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_cancelled);
}
