/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_map.h"
#include "tools/report_options.h"
#include "tools/report_progress.h"
#include "tools/report_timeline.h"

struct mpiot_walk mpiot_walk;

struct mpiot_frame *mpiot_walk_frame(struct mpiot_thread *thread)
{
    return thread->depth > 0 ? &thread->frames[thread->depth - 1] : NULL;
}

void mpiot_walk_use(uint32_t file)
{
    struct mpiot_file *row = &mpiot_model.files[file];

    if (row->last_rank == mpiot_walk.rank_index + 1)
        return;
    row->last_rank = mpiot_walk.rank_index + 1;
    row->ranks++;
}

void mpiot_walk_touch(struct mpiot_thread *thread, uint32_t file, uint32_t handle, uint64_t time)
{
    struct mpiot_frame *frame = mpiot_walk_frame(thread);

    if (!frame)
        return;
    if (!frame->does_io && thread->activity == MPIOT_ELSEWHERE && frame->region &&
        frame->region->may_be_call)
        mpiot_overlap_was_waiting(thread, frame->elsewhere, time);
    frame->does_io = true;
    frame->handle = handle;
    if (frame->file == MPIOT_NONE)
        frame->file = file;
}

static bool select_file(uint32_t file, OTF2_StringRef path)
{
    if (file != MPIOT_NONE)
        return mpiot_model.files[file].selected;
    return mpiot_options_select_file(path == OTF2_UNDEFINED_STRING ? NULL : mpiot_def_text(path));
}

static bool select_call(uint32_t call)
{
    return call == MPIOT_NONE ? !mpiot_report_options.calls : mpiot_model.calls[call].selected;
}

struct mpiot_access *mpiot_walk_access(struct mpiot_thread *thread, const struct mpiot_frame *frame,
                                       uint32_t file, enum mpiot_mode mode)
{
    const bool is_call = frame && frame->region && frame->region->may_be_call;
    const struct mpiot_access_key key = {
        .file = file,
        .call = is_call ? mpiot_model_call(frame->ref) : MPIOT_NONE,
        .site = is_call ? mpiot_model_site(frame->context) : MPIOT_NONE,
        .mode = mode,
    };

    if (!select_file(file, is_call ? frame->path : OTF2_UNDEFINED_STRING) || !select_call(key.call))
        return NULL;
    if (!thread->last_access || memcmp(&thread->last_access->key, &key, sizeof key) != 0)
        thread->last_access = mpiot_model_access(&key);
    return thread->last_access;
}

/** Forgets stretches that no call that is still open can reach. */
static void forget_stretches(void)
{
    struct mpiot_stretch *stretches = mpiot_walk.stretches;
    uint64_t oldest = UINT64_MAX;
    size_t kept = 0;

    for (uint32_t i = 0; i < mpiot_walk.thread_count; i++)
        if (mpiot_walk.threads[i].io_depth > 0 && mpiot_walk.threads[i].io_since < oldest)
            oldest = mpiot_walk.threads[i].io_since;
    for (size_t i = 0; i < mpiot_walk.stretch_count; i++)
        if (stretches[i].end >= oldest)
            stretches[kept++] = stretches[i];
    mpiot_walk.stretch_count = kept;
}

/** Adds a stretch to the time that the process spends in I/O; none before ended later. */
static void add_stretch(uint64_t begin, uint64_t end)
{
    while (mpiot_walk.stretch_count > 0) {
        const struct mpiot_stretch *last = &mpiot_walk.stretches[mpiot_walk.stretch_count - 1];
        if (last->end < begin)
            break;
        mpiot_walk.rank->io -= last->end - last->begin;
        begin = last->begin < begin ? last->begin : begin;
        mpiot_walk.stretch_count--;
    }
    mpiot_walk.rank->io += end - begin;
    if (mpiot_walk.stretch_count == mpiot_walk.stretch_capacity)
        forget_stretches();
    mpiot_walk.stretches = mpiot_grow(mpiot_walk.stretches, mpiot_walk.stretch_count,
                                      &mpiot_walk.stretch_capacity, sizeof *mpiot_walk.stretches);
    mpiot_walk.stretches[mpiot_walk.stretch_count++] = (struct mpiot_stretch){begin, end};
}

static void enter(const struct mpiot_source_event *event, struct mpiot_thread *thread)
{
    thread->frames =
        mpiot_grow(thread->frames, thread->depth, &thread->frame_capacity, sizeof *thread->frames);
    struct mpiot_frame *frame = &thread->frames[thread->depth++];
    *frame = (struct mpiot_frame){
        .ref = event->ref,
        .context = event->context,
        .region = mpiot_def_find(MPIOT_DEF_REGIONS, event->ref),
        .time = event->time,
        .file = MPIOT_NONE,
        .handle = MPIOT_NONE,
        .mode = MPIOT_MODE_NONE,
        .path = event->path,
        .offset = UINT64_MAX,
    };
    if (!frame->region || !frame->region->is_io) {
        frame->elsewhere = mpiot_overlap_elsewhere(event->time);
        return;
    }
    if (thread->io_depth++ == 0)
        thread->io_since = event->time;
    if (thread->activity == MPIOT_ELSEWHERE)
        mpiot_overlap_activity(thread, MPIOT_WAITING, event->time);
}

static enum mpiot_kind_of_time kind_of(const struct mpiot_frame *frame)
{
    if (frame->region->role == OTF2_REGION_ROLE_FILE_IO_METADATA && frame->mode == MPIOT_MODE_NONE)
        return MPIOT_TIME_METADATA;
    return (enum mpiot_kind_of_time)frame->mode; /* no mode: waits for others' operations */
}

static void show_call(const struct mpiot_thread *thread, const struct mpiot_frame *frame,
                      uint64_t begin, uint64_t end, uint32_t call)
{
    const struct mpiot_span span = {
        .begin = begin,
        .end = end,
        .busy = end - begin,
        .longest = end - begin,
        .call = call,
        .file = frame->file,
        .context = frame->context,
        .calls = 1,
        .bytes = frame->bytes,
        .offset = frame->offset,
    };
    mpiot_timeline_add((uint32_t)(thread - mpiot_walk.threads), &span);
}

static void count_error(const struct mpiot_source_event *leave, const struct mpiot_frame *frame,
                        uint32_t call)
{
    const struct mpiot_error_key key = {
        .class = leave->error_class,
        .path = frame->file == MPIOT_NONE ? frame->path : OTF2_UNDEFINED_STRING,
        .call = call,
        .file = frame->file,
    };

    if (leave->error_class != OTF2_UNDEFINED_STRING)
        mpiot_model_error(&key, leave->error);
}

/** A call counts where it begins, its time where it passes: adjoining reports add up. */
static void count_call(struct mpiot_thread *thread, const struct mpiot_frame *frame, uint64_t end,
                       const struct mpiot_source_event *event)
{
    const bool begins_inside = mpiot_options_select_time(frame->time);
    const uint64_t begin = mpiot_options_clip_time(frame->time);
    struct mpiot_access *access;

    end = mpiot_options_clip_time(end);
    if ((!begins_inside && begin == end) ||
        !(access = mpiot_walk_access(thread, frame, frame->file, frame->mode)))
        return;
    access->calls += begins_inside;
    access->not_left += begins_inside && event && event->unfinished;
    access->ticks += end - begin;
    mpiot_walk.rank->calls += begins_inside;
    if (thread->io_depth == 0) {
        mpiot_walk.rank->kinds[kind_of(frame)] += end - begin;
        add_stretch(begin, end);
        if (mpiot_report_options.html)
            show_call(thread, frame, begin, end, access->key.call);
    }
    if (event && begins_inside)
        count_error(event, frame, access->key.call);
}

/** Ends the innermost region; `event` is its leave, NULL where an outer one's comes first. */
static void end_frame(struct mpiot_thread *thread, uint64_t time,
                      const struct mpiot_source_event *event)
{
    const struct mpiot_frame frame = thread->frames[--thread->depth];

    if (!frame.region)
        return;
    if (frame.region->is_io)
        thread->io_depth--;
    if (!frame.region->is_io && !(frame.does_io && frame.region->may_be_call))
        return;
    if (thread->io_depth == 0)
        mpiot_overlap_activity(thread, MPIOT_ELSEWHERE, time);
    count_call(thread, &frame, time, event);
}

static void leave(const struct mpiot_source_event *event, struct mpiot_thread *thread)
{
    size_t depth = thread->depth;

    while (depth > 0 && (thread->frames[depth - 1].ref != event->ref ||
                         thread->frames[depth - 1].context != event->context))
        depth--;
    if (depth == 0)
        return; /* nothing like it was entered */
    while (thread->depth > depth)
        end_frame(thread, event->time, NULL);
    if (event->filetype_extent)
        mpiot_view_set(thread->frames[depth - 1].handle, event->filetype_size,
                       event->filetype_extent);
    end_frame(thread, event->time, event);
}

/** A record about a handle or file, apart from operations. */
static void on_file_event(const struct mpiot_source_event *event, struct mpiot_thread *thread)
{
    uint32_t file, handle = MPIOT_NONE;

    if (event->type == MPIOT_EVENT_DELETE) {
        const struct mpiot_def_file *def = mpiot_def_find(MPIOT_DEF_FILES, event->ref);
        if (!def)
            return;
        file = mpiot_model_file(event->ref, (OTF2_IoParadigmRef)event->matching_id,
                                mpiot_def_text(def->name));
    } else {
        file = mpiot_model_handle_file(event->ref);
        handle = event->ref;
    }
    if (file == MPIOT_NONE)
        return;
    mpiot_walk_touch(thread, file, handle, event->time);
    if (event->type == MPIOT_EVENT_CREATE)
        mpiot_view_forget(handle);
    struct mpiot_file *row = &mpiot_model.files[file];
    if (!row->selected || !mpiot_options_select_time(event->time))
        return;
    mpiot_walk_use(file);
    row->opens += event->type == MPIOT_EVENT_CREATE;
    row->closes += event->type == MPIOT_EVENT_DESTROY;
    row->deletes += event->type == MPIOT_EVENT_DELETE;
    row->seeks += event->type == MPIOT_EVENT_SEEK;
}

static void on_event(const struct mpiot_source_event *event)
{
    struct mpiot_thread *thread = &mpiot_walk.threads[event->thread];
    struct mpiot_rank *rank = mpiot_walk.rank;

    if (!rank->has_events)
        rank->first = event->time;
    rank->has_events = true;
    rank->last = event->time;
    switch (event->type) {
    case MPIOT_EVENT_ENTER:
        enter(event, thread);
        break;
    case MPIOT_EVENT_LEAVE:
        leave(event, thread);
        break;
    case MPIOT_EVENT_CREATE:
    case MPIOT_EVENT_DESTROY:
    case MPIOT_EVENT_DELETE:
    case MPIOT_EVENT_SEEK:
        on_file_event(event, thread);
        break;
    case MPIOT_EVENT_OTHER:
        break;
    default:
        mpiot_operation_event(event, thread);
    }
}

static void on_hint(uint32_t handle, OTF2_StringRef name, OTF2_StringRef value)
{
    uint32_t file = mpiot_model_handle_file(handle);

    if (file != MPIOT_NONE)
        mpiot_model_hint(file, name, value);
}

/** What the process left open: calls last until its last event. */
static void end_walk(void)
{
    static const struct mpiot_source_event end = {.unfinished = true,
                                                  .error_class = OTF2_UNDEFINED_STRING};

    for (uint32_t i = 0; i < mpiot_walk.thread_count; i++) {
        struct mpiot_thread *thread = &mpiot_walk.threads[i];
        while (thread->depth > 0)
            end_frame(thread, mpiot_walk.rank->last, &end);
    }
    mpiot_operations_end();
    mpiot_pattern_end();
    mpiot_views_end();
    for (uint32_t i = 0; i < mpiot_walk.thread_count; i++) {
        free(mpiot_walk.threads[i].frames);
        free(mpiot_walk.threads[i].blocking);
    }
    free(mpiot_walk.threads);
    free(mpiot_walk.stretches);
}

static int read_rank(struct mpiot_archive *archive, uint32_t index,
                     const OTF2_LocationRef *locations, uint32_t count)
{
    static const struct mpiot_source_sink sink = {on_event, on_hint};
    const struct mpiot_source_process process = {locations, count};

    mpiot_walk = (struct mpiot_walk){
        .rank = &mpiot_model.ranks[index],
        .rank_index = index,
        .threads = mpiot_resize(NULL, (count + 1) * sizeof *mpiot_walk.threads),
        .thread_count = count,
        .flight.threads[MPIOT_ELSEWHERE] = count,
    };
    for (uint32_t i = 0; i < count; i++)
        mpiot_walk.threads[i] = (struct mpiot_thread){0};
    if (mpiot_report_options.html)
        mpiot_timeline_rank(index, count);
    int error = mpiot_source_read(archive, &process, &sink);
    end_walk();
    return error;
}

/** The locations of the model's ranks, rank by rank; `starts[i]` is where those of rank i begin. */
static OTF2_LocationRef *locations_by_rank(size_t *starts)
{
    size_t count, sum = 0;
    const struct mpiot_def_location *all = mpiot_def_all(MPIOT_DEF_LOCATIONS, &count);
    OTF2_LocationRef *locations = mpiot_resize(NULL, (count + 1) * sizeof *locations);
    uint32_t rank;

    memset(starts, 0, (mpiot_model.rank_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        if ((rank = mpiot_model_rank_of(all[i].group)) != MPIOT_NONE)
            starts[rank]++;
    for (size_t i = 0; i <= mpiot_model.rank_count; i++) {
        size_t own = starts[i];
        starts[i] = sum;
        sum += own;
    }
    /* Filling moves each start to that of the next rank. */
    for (size_t i = 0; i < count; i++)
        if ((rank = mpiot_model_rank_of(all[i].group)) != MPIOT_NONE)
            locations[starts[rank]++] = all[i].id;
    memmove(starts + 1, starts, mpiot_model.rank_count * sizeof *starts);
    starts[0] = 0;
    return locations;
}

static uint64_t records_of(const OTF2_LocationRef *locations, size_t count)
{
    uint64_t records = 0;

    for (size_t i = 0; i < count; i++) {
        const struct mpiot_def_location *def = mpiot_def_find(MPIOT_DEF_LOCATIONS, locations[i]);
        records += def->events;
    }
    return records;
}

static void start_pictures(size_t locations)
{
    size_t files;

    mpiot_def_all(MPIOT_DEF_FILES, &files);
    mpiot_timeline_start(locations);
    mpiot_map_start(files);
}

int mpiot_report_read_events(struct mpiot_archive *archive)
{
    size_t *starts = mpiot_resize(NULL, (mpiot_model.rank_count + 1) * sizeof *starts);
    OTF2_LocationRef *locations = locations_by_rank(starts);
    size_t count = starts[mpiot_model.rank_count];
    int error = count > 0 ? mpiot_archive_open_events(archive, locations, count) : 0;

    if (mpiot_report_options.html)
        start_pictures(count);
    mpiot_progress_start(records_of(locations, count));
    for (size_t i = 0; i < mpiot_model.rank_count && !error; i++)
        error = read_rank(archive, (uint32_t)i, locations + starts[i],
                          (uint32_t)(starts[i + 1] - starts[i]));
    mpiot_progress_end();
    mpiot_model.records = mpiot_source_records();
    mpiot_model_end();
    free(locations);
    free(starts);
    return error;
}
