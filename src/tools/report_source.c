/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_EvtReaderCallbacks.h: one callback per event record. */
#include "tools/report_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_defs.h"
#include "tools/report_progress.h"

/** Records that are read at a time: enough to make a call of OTF2 cheap, few enough for the cache.
 */
#define BATCH 256

/** A location, and its events that have been read but not yet passed on. */
struct stream {
    OTF2_LocationRef location;
    OTF2_EvtReader *reader;
    uint32_t thread;
    bool at_end;
    size_t next, count;
    struct mpiot_source_event events[BATCH];
};

static struct {
    const struct mpiot_source_sink *sink;
    uint64_t records;
} state;

/** The next free event of a stream, which OTF2 passes to its callbacks. */
static struct mpiot_source_event *append(void *user, OTF2_TimeStamp time,
                                         enum mpiot_event_type type, uint32_t ref)
{
    struct stream *stream = user;
    struct mpiot_source_event *event = &stream->events[stream->count++];

    *event = (struct mpiot_source_event){
        .time = time,
        .type = type,
        .thread = stream->thread,
        .ref = ref,
        .context = MPIOT_NONE,
        .error_class = OTF2_UNDEFINED_STRING,
        .error = OTF2_UNDEFINED_STRING,
        .path = OTF2_UNDEFINED_STRING,
    };
    return event;
}

static void set_attribute(struct mpiot_source_event *event,
                          const struct mpiot_def_attribute *attribute, OTF2_AttributeValue value)
{
    switch (attribute->known) {
    case MPIOT_KNOWN_OFFSET:
        event->offset = value.uint64;
        event->has_offset = true;
        break;
    case MPIOT_KNOWN_NOT_OBSERVED:
        event->not_observed = value.uint64 != 0;
        break;
    case MPIOT_KNOWN_UNFINISHED:
        event->unfinished = value.uint64 != 0;
        break;
    case MPIOT_KNOWN_UNSUCCESSFUL_TESTS:
        event->tests = value.uint64;
        break;
    case MPIOT_KNOWN_FILETYPE_SIZE:
        event->filetype_size = value.uint64;
        break;
    case MPIOT_KNOWN_FILETYPE_EXTENT:
        event->filetype_extent = value.int64;
        break;
    case MPIOT_KNOWN_ERROR_CLASS:
        event->error_class = value.stringRef;
        break;
    case MPIOT_KNOWN_ERROR:
        event->error = value.stringRef;
        break;
    case MPIOT_KNOWN_PATH:
        event->path = value.stringRef;
        break;
    case MPIOT_KNOWN_HINT:
        if (event->type == MPIOT_EVENT_CREATE)
            state.sink->hint(event->ref, attribute->name, value.stringRef);
        break;
    case MPIOT_KNOWN_NONE:
        break;
    }
}

static OTF2_CallbackCode finish(struct mpiot_source_event *event,
                                const OTF2_AttributeList *attributes)
{
    uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef attribute;
        OTF2_Type type;
        OTF2_AttributeValue value;
        OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);
        const struct mpiot_def_attribute *def = mpiot_def_find(MPIOT_DEF_ATTRIBUTES, attribute);
        if (def && def->type == type)
            set_attribute(event, def, value);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)location, (void)position;
    return finish(append(user, time, MPIOT_EVENT_ENTER, region), attributes);
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)location, (void)position;
    return finish(append(user, time, MPIOT_EVENT_LEAVE, region), attributes);
}

static OTF2_CallbackCode append_context(void *user, OTF2_TimeStamp time, enum mpiot_event_type type,
                                        OTF2_CallingContextRef id, OTF2_AttributeList *attributes)
{
    const struct mpiot_def_context *def = mpiot_def_find(MPIOT_DEF_CONTEXTS, id);
    struct mpiot_source_event *event = append(user, time, type, def ? def->region : MPIOT_NONE);

    event->context = id;
    return finish(event, attributes);
}

static OTF2_CallbackCode on_context_enter(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t position, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context, uint32_t distance)
{
    (void)location, (void)position, (void)distance;
    return append_context(user, time, MPIOT_EVENT_ENTER, context, attributes);
}

static OTF2_CallbackCode on_context_leave(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t position, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context)
{
    (void)location, (void)position;
    return append_context(user, time, MPIOT_EVENT_LEAVE, context, attributes);
}

static OTF2_CallbackCode on_create(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                                   OTF2_IoCreationFlag creation_flags,
                                   OTF2_IoStatusFlag status_flags)
{
    (void)location, (void)position, (void)mode, (void)creation_flags, (void)status_flags;
    return finish(append(user, time, MPIOT_EVENT_CREATE, handle), attributes);
}

static OTF2_CallbackCode on_destroy(OTF2_LocationRef location, OTF2_TimeStamp time,
                                    uint64_t position, void *user, OTF2_AttributeList *attributes,
                                    OTF2_IoHandleRef handle)
{
    (void)location, (void)position;
    return finish(append(user, time, MPIOT_EVENT_DESTROY, handle), attributes);
}

static OTF2_CallbackCode on_delete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
    (void)location, (void)position;
    struct mpiot_source_event *event = append(user, time, MPIOT_EVENT_DELETE, file);
    event->matching_id = paradigm;
    return finish(event, attributes);
}

static OTF2_CallbackCode on_seek(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                 void *user, OTF2_AttributeList *attributes,
                                 OTF2_IoHandleRef handle, int64_t request, OTF2_IoSeekOption whence,
                                 uint64_t result)
{
    (void)location, (void)position, (void)request, (void)whence, (void)result;
    return finish(append(user, time, MPIOT_EVENT_SEEK, handle), attributes);
}

static OTF2_CallbackCode on_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *user, OTF2_AttributeList *attributes,
                                  OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    (void)location, (void)position;
    struct mpiot_source_event *event = append(user, time, MPIOT_EVENT_BEGIN, handle);
    event->mode = mode;
    event->flags = flags;
    event->bytes = bytes;
    event->matching_id = id;
    return finish(event, attributes);
}

static OTF2_CallbackCode append_operation(void *user, OTF2_TimeStamp time,
                                          enum mpiot_event_type type, OTF2_IoHandleRef handle,
                                          uint64_t id, uint64_t bytes,
                                          OTF2_AttributeList *attributes)
{
    struct mpiot_source_event *event = append(user, time, type, handle);
    event->matching_id = id;
    event->bytes = bytes;
    return finish(event, attributes);
}

static OTF2_CallbackCode on_issued(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user, OTF2_AttributeList *attributes,
                                   OTF2_IoHandleRef handle, uint64_t id)
{
    (void)location, (void)position;
    return append_operation(user, time, MPIOT_EVENT_ISSUED, handle, id, 0, attributes);
}

static OTF2_CallbackCode on_test(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                 void *user, OTF2_AttributeList *attributes,
                                 OTF2_IoHandleRef handle, uint64_t id)
{
    (void)location, (void)position;
    return append_operation(user, time, MPIOT_EVENT_TEST, handle, id, 0, attributes);
}

static OTF2_CallbackCode on_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                     uint64_t position, void *user, OTF2_AttributeList *attributes,
                                     OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
    (void)location, (void)position;
    return append_operation(user, time, MPIOT_EVENT_COMPLETE, handle, id, bytes, attributes);
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t position, void *user, OTF2_AttributeList *attributes,
                                      OTF2_IoHandleRef handle, uint64_t id)
{
    (void)location, (void)position;
    return append_operation(user, time, MPIOT_EVENT_CANCELLED, handle, id, 0, attributes);
}

static OTF2_CallbackCode on_program_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t position, void *user,
                                          OTF2_AttributeList *attributes, OTF2_StringRef name,
                                          uint32_t count, const OTF2_StringRef *arguments)
{
    (void)location, (void)position, (void)name, (void)count, (void)arguments;
    return finish(append(user, time, MPIOT_EVENT_OTHER, MPIOT_NONE), attributes);
}

static OTF2_CallbackCode on_program_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        uint64_t position, void *user,
                                        OTF2_AttributeList *attributes, int64_t status)
{
    (void)location, (void)position, (void)status;
    return finish(append(user, time, MPIOT_EVENT_OTHER, MPIOT_NONE), attributes);
}

static void set_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_destroy);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, on_delete);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, on_issued);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(callbacks, on_test);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_cancelled);
}

static int complain(const struct mpiot_archive *archive, const struct stream *stream)
{
    char *what = mpiot_text("cannot read the events of location %" PRIu64, stream->location);

    mpiot_archive_complain(archive, what);
    free(what);
    return -EIO;
}

/** Reads on until there is an event, or the location's end. */
static int fill(struct mpiot_archive *archive, struct stream *stream)
{
    uint64_t read = BATCH;

    stream->next = stream->count = 0;
    while (stream->count == 0 && !stream->at_end) {
        if (OTF2_Reader_ReadLocalEvents(archive->reader, stream->reader, BATCH, &read) !=
            OTF2_SUCCESS)
            return complain(archive, stream);
        stream->at_end = read < BATCH;
        state.records += read;
        mpiot_progress(state.records);
    }
    return 0;
}

static int open_stream(struct mpiot_archive *archive, struct stream *stream, uint32_t thread,
                       OTF2_LocationRef location, const OTF2_EvtReaderCallbacks *callbacks)
{
    const struct mpiot_def_location *def = mpiot_def_find(MPIOT_DEF_LOCATIONS, location);

    *stream = (struct stream){.location = location, .thread = thread, .at_end = true};
    if (def && def->events == 0)
        return 0; /* it need not have a file */
    stream->reader = OTF2_Reader_GetEvtReader(archive->reader, location);
    stream->at_end = false;
    if (stream->reader && OTF2_Reader_RegisterEvtCallbacks(archive->reader, stream->reader,
                                                           callbacks, stream) == OTF2_SUCCESS)
        return fill(archive, stream);
    return complain(archive, stream);
}

/** The stream whose next event is the earliest; NULL: there are no more. */
static struct stream *earliest(struct stream *streams, uint32_t count, OTF2_TimeStamp *until)
{
    struct stream *first = NULL;

    *until = UINT64_MAX; /* where another stream's next event is */
    for (struct stream *stream = streams; stream < streams + count; stream++) {
        if (stream->next == stream->count)
            continue;
        OTF2_TimeStamp time = stream->events[stream->next].time;
        if (first && time >= first->events[first->next].time) {
            *until = time < *until ? time : *until;
            continue;
        }
        if (first)
            *until = first->events[first->next].time;
        first = stream;
    }
    return first;
}

static int merge(struct mpiot_archive *archive, struct stream *streams, uint32_t count)
{
    OTF2_TimeStamp until;
    struct stream *stream;
    int error = 0;

    while (!error && (stream = earliest(streams, count, &until))) {
        do
            state.sink->event(&stream->events[stream->next++]);
        while (stream->next < stream->count && stream->events[stream->next].time <= until);
        if (stream->next == stream->count)
            error = fill(archive, stream);
    }
    return error;
}

int mpiot_source_read(struct mpiot_archive *archive, const struct mpiot_source_process *process,
                      const struct mpiot_source_sink *sink)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    struct stream *streams = mpiot_resize(NULL, (process->count + 1) * sizeof *streams);
    uint32_t opened = 0;
    int error = callbacks ? 0 : -ENOMEM;

    state.sink = sink;
    if (callbacks)
        set_callbacks(callbacks);
    while (!error && opened < process->count) {
        error =
            open_stream(archive, &streams[opened], opened, process->locations[opened], callbacks);
        opened++;
    }
    if (!error)
        error = merge(archive, streams, process->count);
    for (uint32_t i = 0; i < opened; i++)
        if (streams[i].reader)
            OTF2_Reader_CloseEvtReader(archive->reader, streams[i].reader);
    free(streams);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return error;
}

uint64_t mpiot_source_records(void)
{
    return state.records;
}
