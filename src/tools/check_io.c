/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_GlobalDefWriter.h, IoHandle: when a handle is active. The life cycle is each process's. */
#include "tools/check_io.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check_collective.h"
#include "tools/check_report.h"

char *mpiot_io_handle_text(const struct mpiot_io_handle *handle)
{
    const char *name = mpiot_defs_name(MPIOT_KIND_IO_HANDLE, handle->id);

    if (!*name)
        name = mpiot_defs_name(MPIOT_KIND_IO_FILE, handle->def->handle.file);
    return mpiot_text("handle %" PRIu32 " \"%s\"", handle->id, name);
}

/** Reports a problem of a record that is about a handle. */
static void problem(const struct mpiot_event *event, const struct mpiot_io_handle *handle,
                    const char *what)
{
    char *about = mpiot_io_handle_text(handle);

    mpiot_event_problem(event, about, "%s", what);
    free(about);
}

struct mpiot_io_handle *mpiot_io_handle(const struct mpiot_event *event, OTF2_IoHandleRef id)
{
    struct mpiot_location *location = event->location;
    struct mpiot_process *process = location->process;
    struct mpiot_io_handle *handle = location->last_handle;

    if (handle && handle->id == id)
        return handle;
    HASH_FIND(hh, process->handles, &id, sizeof id, handle);
    if (!handle) {
        const struct mpiot_def *def = mpiot_event_need(event, MPIOT_KIND_IO_HANDLE, id);
        if (!def)
            return NULL;
        handle = mpiot_resize(NULL, sizeof *handle);
        *handle = (struct mpiot_io_handle){.id = id, .def = def};
        handle->active =
            def->handle.flags & (OTF2_IO_HANDLE_FLAG_PRE_CREATED | OTF2_IO_HANDLE_FLAG_ALL_PROXY);
        HASH_ADD(hh, process->handles, id, sizeof handle->id, handle);
    }
    location->last_handle = handle;
    return handle;
}

void mpiot_io_handle_use(const struct mpiot_event *event, struct mpiot_io_handle *handle)
{
    if (handle->active)
        return;
    problem(event, handle,
            handle->was_created ? "the handle has been destroyed"
                                : "the handle has not been created");
    handle->active = true;
}

/** A proxy stands for many handles, and none of them is created or destroyed through it. */
static void check_proxy(const struct mpiot_event *event, const struct mpiot_io_handle *handle)
{
    if (handle->def->handle.flags & OTF2_IO_HANDLE_FLAG_ALL_PROXY)
        problem(event, handle, "not allowed on a handle with the flag ALL_PROXY");
}

static void count_collective(const struct mpiot_event *event, const struct mpiot_io_handle *handle,
                             enum mpiot_collective what)
{
    mpiot_check_collective_count(handle->def->handle.comm, event->location->process, what);
}

static OTF2_CallbackCode on_create(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                   OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                   OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation_flags,
                                   OTF2_IoStatusFlag status_flags)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    (void)user, (void)mode, (void)creation_flags, (void)status_flags;
    if (!mpiot_event_start(&event, id, time, attributes, "IoCreateHandle") ||
        !(handle = mpiot_io_handle(&event, handle_id)))
        return OTF2_CALLBACK_SUCCESS;
    check_proxy(&event, handle);
    if (handle->active && !(handle->def->handle.flags & OTF2_IO_HANDLE_FLAG_ALL_PROXY))
        problem(&event, handle, "the handle is active already");
    handle->active = handle->was_created = true;
    count_collective(&event, handle, MPIOT_COLLECTIVE_CREATE);
    mpiot_check_totals.created++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_destroy(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                    OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    (void)user;
    if (!mpiot_event_start(&event, id, time, attributes, "IoDestroyHandle") ||
        !(handle = mpiot_io_handle(&event, handle_id)))
        return OTF2_CALLBACK_SUCCESS;
    check_proxy(&event, handle);
    mpiot_io_handle_use(&event, handle);
    if (handle->open_operations > 0)
        problem(&event, handle, "an operation on it has not ended");
    handle->active = handle->def->handle.flags & OTF2_IO_HANDLE_FLAG_ALL_PROXY;
    handle->was_created = true;
    count_collective(&event, handle, MPIOT_COLLECTIVE_DESTROY);
    mpiot_check_totals.destroyed++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_duplicate(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                      OTF2_AttributeList *attributes, OTF2_IoHandleRef old_id,
                                      OTF2_IoHandleRef copy_id, OTF2_IoStatusFlag status_flags)
{
    struct mpiot_event event;
    struct mpiot_io_handle *old, *copy;

    (void)user, (void)status_flags;
    if (!mpiot_event_start(&event, id, time, attributes, "IoDuplicateHandle") ||
        !(old = mpiot_io_handle(&event, old_id)) || !(copy = mpiot_io_handle(&event, copy_id)))
        return OTF2_CALLBACK_SUCCESS;
    check_proxy(&event, old);
    check_proxy(&event, copy);
    mpiot_io_handle_use(&event, old);
    /* A handle that is active by its flag only may be duplicated onto: that clears the flag. */
    if (copy->active && copy->was_created)
        problem(&event, copy, "the handle is active already");
    if (old->def->handle.comm != copy->def->handle.comm)
        problem(&event, copy, "its communicator is not that of the handle it duplicates");
    copy->active = copy->was_created = true;
    count_collective(&event, copy, MPIOT_COLLECTIVE_DUPLICATE);
    mpiot_check_totals.created++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_seek(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                 OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                 int64_t request, OTF2_IoSeekOption whence, uint64_t result)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    (void)user, (void)request;
    if (!mpiot_event_start(&event, id, time, attributes, "IoSeek") ||
        !(handle = mpiot_io_handle(&event, handle_id)))
        return OTF2_CALLBACK_SUCCESS;
    mpiot_io_handle_use(&event, handle);
    if (whence > OTF2_IO_SEEK_HOLE)
        problem(&event, handle, "unknown whence");
    if (result >= MPIOT_ABSURD_BYTES)
        problem(&event, handle, "absurd offset");
    mpiot_check_totals.seeks++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_status_flags(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                         OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                         OTF2_IoStatusFlag flags)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    (void)user, (void)flags;
    if (mpiot_event_start(&event, id, time, attributes, "IoChangeStatusFlags") &&
        (handle = mpiot_io_handle(&event, handle_id))) {
        check_proxy(&event, handle);
        mpiot_io_handle_use(&event, handle);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_delete(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                   OTF2_AttributeList *attributes, OTF2_IoParadigmRef paradigm,
                                   OTF2_IoFileRef file)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "IoDeleteFile")) {
        mpiot_event_need(&event, MPIOT_KIND_IO_PARADIGM, paradigm);
        mpiot_event_need(&event, MPIOT_KIND_IO_FILE, file);
        mpiot_check_totals.deleted++;
    }
    return OTF2_CALLBACK_SUCCESS;
}

/** What the three records of locks have in common. */
static OTF2_CallbackCode check_lock(OTF2_LocationRef id, OTF2_TimeStamp time,
                                    OTF2_AttributeList *attributes, OTF2_IoHandleRef handle_id,
                                    const char *record)
{
    struct mpiot_event event;
    struct mpiot_io_handle *handle;

    if (mpiot_event_start(&event, id, time, attributes, record) &&
        (handle = mpiot_io_handle(&event, handle_id)))
        mpiot_io_handle_use(&event, handle);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_acquire_lock(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                         OTF2_AttributeList *attributes, OTF2_IoHandleRef handle,
                                         OTF2_LockType type)
{
    (void)user, (void)type;
    return check_lock(id, time, attributes, handle, "IoAcquireLock");
}

static OTF2_CallbackCode on_release_lock(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                         OTF2_AttributeList *attributes, OTF2_IoHandleRef handle,
                                         OTF2_LockType type)
{
    (void)user, (void)type;
    return check_lock(id, time, attributes, handle, "IoReleaseLock");
}

static OTF2_CallbackCode on_try_lock(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                     OTF2_AttributeList *attributes, OTF2_IoHandleRef handle,
                                     OTF2_LockType type)
{
    (void)user, (void)type;
    return check_lock(id, time, attributes, handle, "IoTryLock");
}

void mpiot_check_io_set(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
    OTF2_GlobalEvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_create);
    OTF2_GlobalEvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_destroy);
    OTF2_GlobalEvtReaderCallbacks_SetIoDuplicateHandleCallback(callbacks, on_duplicate);
    OTF2_GlobalEvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
    OTF2_GlobalEvtReaderCallbacks_SetIoChangeStatusFlagsCallback(callbacks, on_status_flags);
    OTF2_GlobalEvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, on_delete);
    OTF2_GlobalEvtReaderCallbacks_SetIoAcquireLockCallback(callbacks, on_acquire_lock);
    OTF2_GlobalEvtReaderCallbacks_SetIoReleaseLockCallback(callbacks, on_release_lock);
    OTF2_GlobalEvtReaderCallbacks_SetIoTryLockCallback(callbacks, on_try_lock);
}
