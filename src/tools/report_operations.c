/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OTF2 documentation, "Event order for I/O operation records". An operation is known by its handle
 * and its matching id, within a process. Blocking ones are kept by thread: Score-P gives all of
 * them the same id.
 */
#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_collective.h"
#include "tools/report_events.h"
#include "tools/report_map.h"
#include "tools/report_options.h"

/** Sizes from here on are not meant: OTF2's undefined, of a flush, and faults of the writer's. */
#define ABSURD_BYTES (UINT64_C(1) << 62)

static uint64_t sensible(uint64_t bytes)
{
    return bytes < ABSURD_BYTES ? bytes : 0;
}

static struct mpiot_operation *find_blocking(const struct mpiot_thread *thread,
                                             struct mpiot_operation_key key)
{
    for (size_t i = thread->blocking_count; i > 0; i--) {
        struct mpiot_operation *operation = &thread->blocking[i - 1];
        if (operation->key.handle == key.handle && operation->key.id == key.id)
            return operation;
    }
    return NULL;
}

/** A thread may end what another one began. */
static struct mpiot_operation *find(const struct mpiot_thread *thread,
                                    struct mpiot_operation_key key)
{
    struct mpiot_operation *operation = find_blocking(thread, key);

    if (!operation)
        HASH_FIND(hh, mpiot_walk.non_blocking, &key, sizeof key, operation);
    for (uint32_t i = 0; !operation && i < mpiot_walk.thread_count; i++)
        operation = find_blocking(&mpiot_walk.threads[i], key);
    return operation;
}

static void add(struct mpiot_thread *thread, const struct mpiot_operation *operation)
{
    if (!operation->is_non_blocking) {
        thread->blocking = mpiot_grow(thread->blocking, thread->blocking_count,
                                      &thread->blocking_capacity, sizeof *thread->blocking);
        thread->blocking[thread->blocking_count++] = *operation;
        return;
    }
    struct mpiot_operation *copy = mpiot_resize(NULL, sizeof *copy);
    *copy = *operation;
    mpiot_overlap_begin(copy);
    HASH_ADD(hh, mpiot_walk.non_blocking, key, sizeof copy->key, copy);
}

/** Forgets an operation that has ended. */
static void drop(struct mpiot_operation *operation)
{
    struct mpiot_thread *thread = &mpiot_walk.threads[operation->thread];

    if (!operation->is_non_blocking) {
        *operation = thread->blocking[--thread->blocking_count];
        return;
    }
    HASH_DEL(mpiot_walk.non_blocking, operation);
    free(operation);
}

static void count_size(struct mpiot_operations *counts, uint64_t bytes)
{
    unsigned size_class = 0;

    while (bytes >= mpiot_size_limit(size_class) && size_class < MPIOT_SIZES - 1)
        size_class++;
    counts->sizes[size_class]++;
    counts->size_bytes[size_class] += bytes;
    counts->smallest = bytes < counts->smallest ? bytes : counts->smallest;
    counts->largest = bytes > counts->largest ? bytes : counts->largest;
    counts->requested += bytes;
}

/** Whether the ranks' operations on a handle belong together. */
static bool is_shared(OTF2_IoHandleRef ref)
{
    const struct mpiot_def_handle *handle = mpiot_def_find(MPIOT_DEF_HANDLES, ref);
    return handle && handle->is_shared;
}

static void begin(const struct mpiot_source_event *event, struct mpiot_thread *thread,
                  uint32_t file)
{
    const bool is_non_blocking = event->flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
    const enum mpiot_mode mode = event->mode < MPIOT_MODES ? event->mode : MPIOT_MODE_FLUSH;
    struct mpiot_frame *frame = mpiot_walk_frame(thread);
    const struct mpiot_operation operation = {
        .key = {event->ref, event->matching_id},
        .thread = event->thread,
        .begin = event->time,
        .offset = event->offset,
        .bytes = sensible(event->bytes),
        .tiles = mpiot_view_tiles(event->ref),
        .has_offset = event->has_offset,
        .is_non_blocking = is_non_blocking,
        .mode = mode,
        .access = mpiot_options_select_time(event->time)
                      ? mpiot_walk_access(thread, frame, file, mode)
                      : NULL,
    };

    if (frame && frame->mode == MPIOT_MODE_NONE)
        frame->mode = mode;
    if (frame && operation.has_offset && frame->offset == UINT64_MAX)
        frame->offset = operation.offset;
    if (frame && is_non_blocking)
        frame->bytes += operation.bytes;
    if (thread->activity != MPIOT_ELSEWHERE)
        mpiot_overlap_activity(thread, MPIOT_ISSUING, event->time);
    if ((event->flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) && is_shared(event->ref))
        mpiot_collective_begin(event->ref, file, event->time, operation.access);
    if (!operation.access)
        return; /* nothing finds it, and its end is not counted either */
    struct mpiot_operations *counts = &operation.access->operations;
    counts->begun++;
    counts->non_blocking += is_non_blocking;
    counts->collective += (event->flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) != 0;
    mpiot_walk.rank->operations[mode]++;
    mpiot_walk_use(file);
    if (mode != MPIOT_MODE_FLUSH) {
        count_size(counts, operation.bytes);
        if (operation.has_offset)
            mpiot_pattern_begin(&operation, file, event->thread);
    }
    add(thread, &operation);
}

/** Time in which it was in progress; a non-blocking one's is also split by what the program did. */
static void count_time(struct mpiot_operations *counts, const struct mpiot_operation *operation,
                       uint64_t end)
{
    const double *shares = operation->shares;

    if (!operation->is_non_blocking) {
        counts->ticks += (double)(end - operation->begin);
        return;
    }
    counts->issuing += shares[MPIOT_ISSUING];
    counts->waiting += shares[MPIOT_WAITING];
    counts->overlapped += shares[MPIOT_ELSEWHERE];
    counts->ticks += shares[MPIOT_ISSUING] + shares[MPIOT_WAITING] + shares[MPIOT_ELSEWHERE];
}

static void complete(const struct mpiot_source_event *event, struct mpiot_thread *thread,
                     struct mpiot_operation *operation, uint32_t file)
{
    struct mpiot_operations *counts = &operation->access->operations;
    const uint64_t bytes = sensible(event->bytes);
    struct mpiot_frame *frame = mpiot_walk_frame(thread);

    counts->completed++;
    counts->bytes += bytes;
    count_time(counts, operation, event->time);
    mpiot_walk.rank->bytes[operation->mode] += bytes;
    if (frame && (!operation->is_non_blocking || operation->begin < frame->time))
        frame->bytes += bytes;
    if (operation->has_offset)
        mpiot_pattern_complete(operation, file, bytes);
    if (mpiot_report_options.html)
        mpiot_map_add(&(struct mpiot_map_operation){
            .file = file,
            .rank = mpiot_walk.rank_index,
            .mode = operation->mode,
            .begin = operation->begin,
            .end = event->time,
            .offset = operation->has_offset ? operation->offset : UINT64_MAX,
            .bytes = bytes,
        });
    /* That of a blocking one stands on its call's leave as well. */
    if (operation->is_non_blocking && event->error_class != OTF2_UNDEFINED_STRING)
        mpiot_model_error(&(struct mpiot_error_key){.class = event->error_class,
                                                    .path = OTF2_UNDEFINED_STRING,
                                                    .call = operation->access->key.call,
                                                    .file = file},
                          event->error);
}

static void end(const struct mpiot_source_event *event, struct mpiot_thread *thread,
                struct mpiot_operation *operation, uint32_t file)
{
    struct mpiot_operations *counts = &operation->access->operations;

    counts->tests += event->tests > operation->tests ? event->tests : operation->tests;
    if (event->type == MPIOT_EVENT_CANCELLED)
        counts->cancelled++;
    else if (event->unfinished)
        counts->not_ended++;
    else if (event->not_observed)
        counts->not_observed++;
    else
        complete(event, thread, operation, file);
}

void mpiot_operation_event(const struct mpiot_source_event *event, struct mpiot_thread *thread)
{
    const uint32_t file = mpiot_model_handle_file(event->ref);

    if (file == MPIOT_NONE)
        return;
    mpiot_walk_touch(thread, file, event->ref, event->time);
    if (event->type == MPIOT_EVENT_BEGIN) {
        begin(event, thread, file);
        return;
    }
    struct mpiot_operation *operation =
        find(thread, (struct mpiot_operation_key){event->ref, event->matching_id});
    if (!operation || event->type == MPIOT_EVENT_ISSUED)
        return;
    if (event->type == MPIOT_EVENT_TEST) {
        operation->tests++;
        return;
    }
    if (operation->is_non_blocking)
        mpiot_overlap_end(operation, event->time);
    end(event, thread, operation, file);
    drop(operation);
}

void mpiot_operations_end(void)
{
    struct mpiot_operation *operation, *next;

    for (uint32_t i = 0; i < mpiot_walk.thread_count; i++)
        for (size_t j = 0; j < mpiot_walk.threads[i].blocking_count; j++)
            mpiot_walk.threads[i].blocking[j].access->operations.not_ended++;
    HASH_ITER(hh, mpiot_walk.non_blocking, operation, next)
    {
        operation->access->operations.not_ended++;
        HASH_DEL(mpiot_walk.non_blocking, operation);
        free(operation);
    }
}
