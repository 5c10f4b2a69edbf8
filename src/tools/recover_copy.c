/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Copies the records of one process as they are: references are the process's own before and after,
 * the new archive's mapping tables translate them. A reference to nothing, a time that runs
 * backwards, a region that is left and was not entered: damage, and the stream ends before it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/archive.h"
#include "tools/recover.h"
#include "tools/recover_open.h"

static struct {
    struct mpiot_recover_process *process;
    bool damaged; /**< the stream being copied */
    bool failed;  /**< the new archive takes no more */
} state;

static bool is_defined(enum mpiot_def_kind kind, uint64_t reference)
{
    return reference < mpiot_deftable_count(state.process->table, kind);
}

static OTF2_CallbackCode damage(void)
{
    state.damaged = true;
    return OTF2_CALLBACK_INTERRUPT;
}

/** What a callback returns that has written its record, or failed to. */
static OTF2_CallbackCode copied(OTF2_ErrorCode error)
{
    state.failed |= error != OTF2_SUCCESS;
    return error ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/** Whether all attributes are defined; `*path` is the value of the one called "Path". */
static bool check_attributes(const OTF2_AttributeList *attributes, uint32_t *path)
{
    uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);

    *path = OTF2_UNDEFINED_STRING;
    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef attribute;
        OTF2_Type type;
        OTF2_AttributeValue value;
        OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);
        if (!is_defined(MPIOT_DEF_ATTRIBUTE, attribute))
            return false;
        if (type != OTF2_TYPE_STRING)
            continue;
        if (!is_defined(MPIOT_DEF_STRING, value.stringRef))
            return false;
        struct mpiot_def def =
            mpiot_deftable_get(state.process->table, MPIOT_DEF_ATTRIBUTE, attribute);
        if (strcmp(mpiot_deftable_string(state.process->table, def.words[0]), "Path") == 0)
            *path = value.stringRef;
    }
    return true;
}

/** The stream of a record that can be true, with its time noted; NULL: damage. */
static struct mpiot_recover_stream *check(void *user, OTF2_TimeStamp time,
                                          const OTF2_AttributeList *attributes,
                                          enum mpiot_def_kind kind, uint64_t reference)
{
    struct mpiot_recover_stream *stream = user;
    uint32_t path;

    if (time < stream->location->last_time || !is_defined(kind, reference) ||
        !check_attributes(attributes, &path))
        return NULL;
    stream->location->last_time = time;
    return stream;
}

/** The same for a record that refers to nothing. */
static struct mpiot_recover_stream *check_time(void *user, OTF2_TimeStamp time,
                                               const OTF2_AttributeList *attributes)
{
    return check(user, time, attributes, MPIOT_DEF_REGION, state.process->head.root_region);
}

/* The callbacks (OTF2_EvtReaderCallbacks.h); `user` is the stream. */

static OTF2_CallbackCode on_flush(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                  void *user, OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
    struct mpiot_recover_stream *stream = check_time(user, time, attributes);
    (void)location, (void)number;
    if (!stream)
        return damage();
    return copied(OTF2_EvtWriter_BufferFlush(stream->writer, attributes, time, stop));
}

static OTF2_CallbackCode enter(void *user, OTF2_TimeStamp time, OTF2_AttributeList *attributes,
                               enum mpiot_def_kind kind, uint32_t reference)
{
    struct mpiot_recover_stream *stream = check(user, time, attributes, kind, reference);
    struct mpiot_recover_region region = {reference, kind == MPIOT_DEF_CALLING_CONTEXT, time, 0};

    if (!stream)
        return damage();
    check_attributes(attributes, &region.path);
    return mpiot_recover_open_enter(stream, region) ? OTF2_CALLBACK_SUCCESS : damage();
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct mpiot_recover_stream *stream = user;
    (void)location, (void)number;
    if (enter(user, time, attributes, MPIOT_DEF_REGION, region) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return copied(OTF2_EvtWriter_Enter(stream->writer, attributes, time, region));
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_REGION, region);
    (void)location, (void)number;
    if (!stream || !mpiot_recover_open_leave(stream, region))
        return damage();
    return copied(OTF2_EvtWriter_Leave(stream->writer, attributes, time, region));
}

static OTF2_CallbackCode on_context_enter(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t number, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context, uint32_t distance)
{
    struct mpiot_recover_stream *stream = user;
    (void)location, (void)number;
    if (enter(user, time, attributes, MPIOT_DEF_CALLING_CONTEXT, context) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    return copied(
        OTF2_EvtWriter_CallingContextEnter(stream->writer, attributes, time, context, distance));
}

static OTF2_CallbackCode on_context_leave(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t number, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_CALLING_CONTEXT, context);
    (void)location, (void)number;
    if (!stream || !mpiot_recover_open_leave(stream, context))
        return damage();
    return copied(OTF2_EvtWriter_CallingContextLeave(stream->writer, attributes, time, context));
}

static OTF2_CallbackCode on_program_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t number, void *user,
                                          OTF2_AttributeList *attributes, OTF2_StringRef name,
                                          uint32_t count, const OTF2_StringRef *arguments)
{
    struct mpiot_recover_stream *stream = check(user, time, attributes, MPIOT_DEF_STRING, name);
    (void)location, (void)number;
    if (!stream || count)
        return damage();
    stream->program_begun = true;
    return copied(OTF2_EvtWriter_ProgramBegin(stream->writer, attributes, time, name, count,
                                              arguments));
}

static OTF2_CallbackCode on_program_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        uint64_t number, void *user,
                                        OTF2_AttributeList *attributes, int64_t status)
{
    struct mpiot_recover_stream *stream = check_time(user, time, attributes);
    (void)location, (void)number;
    if (!stream)
        return damage();
    stream->program_ended = true;
    return copied(OTF2_EvtWriter_ProgramEnd(stream->writer, attributes, time, status));
}

static OTF2_CallbackCode on_create(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                   void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                                   OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream)
        return damage();
    mpiot_recover_open_handle(handle, 1);
    return copied(OTF2_EvtWriter_IoCreateHandle(stream->writer, attributes, time, handle, mode,
                                                creation, status));
}

static OTF2_CallbackCode on_destroy(OTF2_LocationRef location, OTF2_TimeStamp time,
                                    uint64_t number, void *user, OTF2_AttributeList *attributes,
                                    OTF2_IoHandleRef handle)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream)
        return damage();
    mpiot_recover_open_handle(handle, -1);
    return copied(OTF2_EvtWriter_IoDestroyHandle(stream->writer, attributes, time, handle));
}

static OTF2_CallbackCode on_seek(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                 void *user, OTF2_AttributeList *attributes,
                                 OTF2_IoHandleRef handle, int64_t request,
                                 OTF2_IoSeekOption whence, uint64_t result)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream)
        return damage();
    return copied(OTF2_EvtWriter_IoSeek(stream->writer, attributes, time, handle, request, whence,
                                        result));
}

static OTF2_CallbackCode on_delete(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                   void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
    struct mpiot_recover_stream *stream = check(user, time, attributes, MPIOT_DEF_IO_FILE, file);
    (void)location, (void)number;
    if (!stream)
        return damage();
    return copied(OTF2_EvtWriter_IoDeleteFile(stream->writer, attributes, time, paradigm, file));
}

static OTF2_CallbackCode on_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                  void *user, OTF2_AttributeList *attributes,
                                  OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t matching_id)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream || !mpiot_recover_open_operation(stream, handle, matching_id, 1))
        return damage();
    return copied(OTF2_EvtWriter_IoOperationBegin(stream->writer, attributes, time, handle, mode,
                                                  flags, bytes, matching_id));
}

static OTF2_CallbackCode on_test(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                 void *user, OTF2_AttributeList *attributes,
                                 OTF2_IoHandleRef handle, uint64_t matching_id)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream)
        return damage();
    return copied(
        OTF2_EvtWriter_IoOperationTest(stream->writer, attributes, time, handle, matching_id));
}

static OTF2_CallbackCode on_issued(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                   void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoHandleRef handle, uint64_t matching_id)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream)
        return damage();
    return copied(
        OTF2_EvtWriter_IoOperationIssued(stream->writer, attributes, time, handle, matching_id));
}

static OTF2_CallbackCode on_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                     uint64_t number, void *user, OTF2_AttributeList *attributes,
                                     OTF2_IoHandleRef handle, uint64_t bytes, uint64_t matching_id)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream || !mpiot_recover_open_operation(stream, handle, matching_id, -1))
        return damage();
    return copied(OTF2_EvtWriter_IoOperationComplete(stream->writer, attributes, time, handle,
                                                     bytes, matching_id));
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t number, void *user, OTF2_AttributeList *attributes,
                                      OTF2_IoHandleRef handle, uint64_t matching_id)
{
    struct mpiot_recover_stream *stream =
        check(user, time, attributes, MPIOT_DEF_IO_HANDLE, handle);
    (void)location, (void)number;
    if (!stream || !mpiot_recover_open_operation(stream, handle, matching_id, -1))
        return damage();
    return copied(
        OTF2_EvtWriter_IoOperationCancelled(stream->writer, attributes, time, handle, matching_id));
}

/** A record that the tracer never writes. */
static OTF2_CallbackCode on_unknown(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number,
                                    void *user, OTF2_AttributeList *attributes)
{
    (void)location, (void)time, (void)number, (void)user, (void)attributes;
    return damage();
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (!callbacks)
        return NULL;
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_destroy);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, on_delete);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(callbacks, on_test);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, on_issued);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_cancelled);
    return callbacks;
}

/** Copies one location; a stream that is damaged ends where the damage is. */
static int copy_stream(struct mpiot_archive *from, struct mpiot_recover_stream *stream,
                       const OTF2_EvtReaderCallbacks *callbacks)
{
    uint64_t id = stream->location->id, read = 0;
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(from->reader, id);

    state.damaged = !events ||
                    OTF2_Reader_RegisterEvtCallbacks(from->reader, events, callbacks, stream) !=
                        OTF2_SUCCESS;
    if (!state.damaged &&
        OTF2_Reader_ReadAllLocalEvents(from->reader, events, &read) != OTF2_SUCCESS)
        state.damaged = true;
    if (events)
        OTF2_Reader_CloseEvtReader(from->reader, events);
    if (state.failed) {
        mpiot_recover_complain(state.process->directory, "cannot write the new archive");
        return -EIO;
    }
    if (state.damaged)
        mpiot_recover_complain(state.process->directory,
                               "rank %llu, thread %llu: damaged after %llu records; what "
                               "follows is lost",
                               (unsigned long long)state.process->head.world_rank,
                               (unsigned long long)stream->location->thread,
                               (unsigned long long)read);
    state.process->damaged |= state.damaged;
    return 0;
}

static int copy_streams(struct mpiot_archive *from, struct mpiot_recover_stream *streams,
                        size_t count)
{
    OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
    int error = callbacks ? 0 : -ENOMEM;

    for (size_t i = 0; i < count && !error; i++)
        if (!streams[i].location->empty &&
            OTF2_Reader_SelectLocation(from->reader, streams[i].location->id) != OTF2_SUCCESS)
            error = -EIO;
    if (!error && OTF2_Reader_OpenEvtFiles(from->reader) != OTF2_SUCCESS)
        error = -EIO;
    if (error)
        mpiot_archive_complain(from, "cannot be read");
    for (size_t i = 0; i < count && !error; i++)
        if (!streams[i].location->empty)
            error = copy_stream(from, &streams[i], callbacks);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return error;
}

/** Writers of the new archive's locations. */
static int open_streams(OTF2_Archive *archive, struct mpiot_recover_stream *streams)
{
    for (size_t i = 0; i < state.process->location_count; i++) {
        struct mpiot_recover_location *location = &state.process->locations[i];
        location->last_time = location->first_time;
        streams[i] = (struct mpiot_recover_stream){
            .location = location, .writer = OTF2_Archive_GetEvtWriter(archive, location->id)};
        if (!streams[i].writer) {
            mpiot_recover_complain(state.process->directory, "cannot write the new archive");
            return -EIO;
        }
    }
    return 0;
}

static int close_streams(OTF2_Archive *archive, struct mpiot_recover_stream *streams, size_t count)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (size_t i = 0; i < count && !error; i++) {
        error = OTF2_EvtWriter_GetNumberOfEvents(streams[i].writer,
                                                 &streams[i].location->event_count);
        if (!error)
            error = OTF2_Archive_CloseEvtWriter(archive, streams[i].writer);
    }
    return error ? -EIO : 0;
}

int mpiot_recover_copy(struct mpiot_recover_process *process, const char *directory,
                       OTF2_Archive *archive)
{
    struct mpiot_archive from;
    size_t count = process->location_count;
    struct mpiot_recover_stream *streams = calloc(count + 1, sizeof *streams);
    int error = streams ? mpiot_archive_open(&from, directory) : -ENOMEM;
    if (error)
        goto free_streams;

    state.process = process;
    state.failed = false;
    error = mpiot_recover_open_start(process);
    if (!error)
        error = open_streams(archive, streams);
    if (!error)
        error = copy_streams(&from, streams, count);
    if (!error)
        error = mpiot_recover_open_end(streams, count);
    if (!error)
        error = close_streams(archive, streams, count);
    mpiot_archive_close(&from);
    for (size_t i = 0; i < count; i++)
        free(streams[i].regions);
free_streams:
    free(streams);
    return error;
}
