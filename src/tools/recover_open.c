/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/recover_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct operation {
    UT_hash_handle hh;
    struct {
        uint64_t matching_id, handle;
    } key;
    int open;                            /**< begins minus ends so far */
    struct mpiot_recover_stream *stream; /**< where it began */
};

static struct {
    struct mpiot_recover_process *process;
    struct operation *operations;
    int32_t *handles;    /**< how often each is open */
    uint32_t unfinished; /**< reference of the attribute */
} state;

static int define_unfinished(struct mpiot_deftable *table)
{
    static const char name[] = "Unfinished",
                      text[] = "1: the process died before; this record is mpiotrace-recover's";
    uint64_t words[3] = {[2] = OTF2_TYPE_UINT64}, reference = 0;

    int error = mpiot_deftable_intern_string(table, name, strlen(name), NULL, &words[0]);
    if (!error)
        error = mpiot_deftable_intern_string(table, text, strlen(text), NULL, &words[1]);
    if (!error)
        error = mpiot_deftable_intern(table, MPIOT_DEF_ATTRIBUTE, words, 3, NULL, &reference);
    state.unfinished = reference;
    return error;
}

int mpiot_recover_open_start(struct mpiot_recover_process *process)
{
    uint64_t handles = mpiot_deftable_count(process->table, MPIOT_DEF_IO_HANDLE);

    state.process = process;
    state.operations = NULL;
    state.handles = calloc(handles + 1, sizeof *state.handles);
    int error = state.handles ? define_unfinished(process->table) : -ENOMEM;
    if (error)
        mpiot_recover_complain(process->directory, "%s", strerror(-error));
    return error;
}

bool mpiot_recover_open_enter(struct mpiot_recover_stream *stream,
                              struct mpiot_recover_region region)
{
    if (stream->depth == stream->capacity) {
        size_t capacity = stream->capacity ? 2 * stream->capacity : 16;
        struct mpiot_recover_region *grown = realloc(stream->regions, capacity * sizeof *grown);
        if (!grown)
            return false;
        stream->regions = grown;
        stream->capacity = capacity;
    }
    stream->regions[stream->depth++] = region;
    return true;
}

bool mpiot_recover_open_leave(struct mpiot_recover_stream *stream, uint32_t reference)
{
    if (stream->depth == 0 || stream->regions[stream->depth - 1].reference != reference)
        return false;
    stream->depth--;
    return true;
}

void mpiot_recover_open_handle(uint32_t handle, int change)
{
    state.handles[handle] += change;
}

bool mpiot_recover_open_operation(struct mpiot_recover_stream *stream, uint32_t handle,
                                  uint64_t matching_id, int change)
{
    struct operation *operation, probe = {.key = {matching_id, handle}};

    HASH_FIND(hh, state.operations, &probe.key, sizeof probe.key, operation);
    if (!operation) {
        operation = calloc(1, sizeof *operation);
        if (!operation)
            return false;
        operation->key = probe.key;
        HASH_ADD(hh, state.operations, key, sizeof operation->key, operation);
    }
    operation->open += change;
    if (change > 0)
        operation->stream = stream;
    if (operation->open == 0) {
        HASH_DEL(state.operations, operation);
        free(operation);
    }
    return true;
}

static const char *string_of(uint64_t reference)
{
    return reference < mpiot_deftable_count(state.process->table, MPIOT_DEF_STRING)
               ? mpiot_deftable_string(state.process->table, reference)
               : "";
}

static const uint64_t *words_of(enum mpiot_def_kind kind, uint64_t reference)
{
    return mpiot_deftable_get(state.process->table, kind, reference).words;
}

/** The file that a region's open operation is on, or that its "Path" names. */
static const char *path_of(const struct mpiot_recover_stream *stream,
                           const struct mpiot_recover_region *region)
{
    for (struct operation *operation = state.operations; operation; operation = operation->hh.next)
        if (operation->stream == stream && operation->open > 0) {
            uint64_t file = words_of(MPIOT_DEF_IO_HANDLE, operation->key.handle)[1];
            return string_of(words_of(MPIOT_DEF_IO_FILE, file)[0]);
        }
    return string_of(region->path);
}

/** Which call the process was in: the one that was entered last. */
static void observe(const struct mpiot_recover_stream *streams, size_t count)
{
    struct mpiot_recover_outcome *outcome = &state.process->outcome;

    for (size_t i = 0; i < count; i++) {
        const struct mpiot_recover_stream *stream = &streams[i];
        outcome->ended |= stream->program_ended;
        if (stream->depth < 2)
            continue; /* only the program's own region is open */
        const struct mpiot_recover_region *region = &stream->regions[stream->depth - 1];
        if (outcome->call[0] && region->time <= outcome->since)
            continue;
        uint64_t reference = region->by_context
                                 ? words_of(MPIOT_DEF_CALLING_CONTEXT, region->reference)[0]
                                 : region->reference;
        outcome->since = region->time;
        snprintf(outcome->call, sizeof outcome->call, "%s",
                 string_of(words_of(MPIOT_DEF_REGION, reference)[0]));
        snprintf(outcome->path, sizeof outcome->path, "%s", path_of(stream, region));
    }
}

static OTF2_ErrorCode end_operations(OTF2_AttributeList *attributes, uint64_t time)
{
    struct operation *operation, *next;
    OTF2_ErrorCode error = OTF2_SUCCESS;

    HASH_ITER(hh, state.operations, operation, next) {
        if (operation->open > 0 && !error) {
            OTF2_AttributeList_AddUint64(attributes, state.unfinished, 1);
            error = OTF2_EvtWriter_IoOperationComplete(operation->stream->writer, attributes, time,
                                                       operation->key.handle, 0,
                                                       operation->key.matching_id);
        }
        HASH_DEL(state.operations, operation);
        free(operation);
    }
    return error;
}

static OTF2_ErrorCode end_handles(struct mpiot_recover_stream *stream,
                                  OTF2_AttributeList *attributes, uint64_t time)
{
    uint64_t count = mpiot_deftable_count(state.process->table, MPIOT_DEF_IO_HANDLE);
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (uint64_t handle = 0; handle < count; handle++)
        for (; state.handles[handle] > 0 && !error; state.handles[handle]--) {
            OTF2_AttributeList_AddUint64(attributes, state.unfinished, 1);
            error = OTF2_EvtWriter_IoDestroyHandle(stream->writer, attributes, time, handle);
        }
    return error;
}

static OTF2_ErrorCode end_regions(struct mpiot_recover_stream *stream,
                                  OTF2_AttributeList *attributes, uint64_t time)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    while (stream->depth > 0 && !error) {
        const struct mpiot_recover_region *region = &stream->regions[--stream->depth];
        OTF2_AttributeList_AddUint64(attributes, state.unfinished, 1);
        error = region->by_context ? OTF2_EvtWriter_CallingContextLeave(stream->writer, attributes,
                                                                        time, region->reference)
                                   : OTF2_EvtWriter_Leave(stream->writer, attributes, time,
                                                          region->reference);
    }
    return error;
}

int mpiot_recover_open_end(struct mpiot_recover_stream *streams, size_t count)
{
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    OTF2_ErrorCode error = attributes ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED;
    uint64_t time = 0;

    for (size_t i = 0; i < count; i++)
        if (streams[i].location->last_time > time)
            time = streams[i].location->last_time;
    time++; /* readers take records of one time location by location: these are behind all */
    observe(streams, count);
    if (!error)
        error = end_operations(attributes, time);
    if (!error && count > 0)
        error = end_handles(&streams[0], attributes, time);
    for (size_t i = 0; i < count && !error; i++) {
        error = end_regions(&streams[i], attributes, time);
        if (streams[i].program_begun && !streams[i].program_ended && !error) {
            OTF2_AttributeList_AddUint64(attributes, state.unfinished, 1);
            error = OTF2_EvtWriter_ProgramEnd(streams[i].writer, attributes, time,
                                              OTF2_UNDEFINED_INT64);
        }
        streams[i].location->last_time = time;
    }
    OTF2_AttributeList_Delete(attributes);
    free(state.handles);
    state.handles = NULL;
    return error ? -EIO : 0;
}
