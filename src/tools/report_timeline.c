/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/json.h"
#include "tools/memory.h"
#include "tools/report_model.h"

/** Spans and lanes of the page, call paths that it has; they make most of its size. */
enum { MOST_SPANS = 30000, LEAST_OF_LANE = 16, MOST_LANES = 2000, MOST_PATHS = 2000 };

/** A thread's spans, in order of time. */
struct lane {
    uint32_t rank, thread;
    struct mpiot_span *spans;
    size_t count, capacity;
    uint64_t grain; /**< spans shorter than that are merged within as much time */
};

/** A calling context that some span has. */
struct path {
    uint32_t context, index;
    UT_hash_handle hh;
};

static struct {
    struct lane *lanes;
    size_t count, capacity;
    size_t first;       /**< lane of the process being read */
    bool is_left_out;   /**< that process: there are too many */
    size_t most;        /**< spans of a lane */
    uint32_t step;      /**< of so many ranks, one is shown */
    struct path *paths; /**< hash */
} state;

void mpiot_timeline_start(uint64_t lanes)
{
    uint64_t shown = lanes > MOST_LANES ? MOST_LANES : lanes;

    state.step = lanes > MOST_LANES ? (uint32_t)((lanes + MOST_LANES - 1) / MOST_LANES) : 1;
    state.most = shown > 0 ? MOST_SPANS / shown : MOST_SPANS;
    if (state.most < LEAST_OF_LANE)
        state.most = LEAST_OF_LANE;
}

void mpiot_timeline_rank(uint32_t rank, uint32_t threads)
{
    state.first = state.count;
    state.is_left_out = rank % state.step != 0;
    for (uint32_t i = 0; i < threads && !state.is_left_out; i++) {
        state.lanes = mpiot_grow(state.lanes, state.count, &state.capacity, sizeof *state.lanes);
        state.lanes[state.count++] = (struct lane){.rank = rank, .thread = i};
    }
}

static void join(struct mpiot_span *span, const struct mpiot_span *next)
{
    if (span->call == next->call) {
        span->longest += next->longest;
    } else if (next->longest > span->longest) {
        span->call = next->call;
        span->longest = next->longest;
    }
    if (span->file != next->file)
        span->file = MPIOT_SEVERAL;
    if (span->context != next->context)
        span->context = MPIOT_SEVERAL;
    span->end = next->end > span->end ? next->end : span->end;
    span->busy += next->busy;
    span->calls += next->calls;
    span->bytes += next->bytes;
    span->offset = next->offset < span->offset ? next->offset : span->offset;
}

static bool can_join(const struct mpiot_span *span, const struct mpiot_span *next, uint64_t grain)
{
    const uint64_t start = mpiot_def_clock.begin;

    return span->end - span->begin < grain && next->end - next->begin < grain &&
           (span->begin - start) / grain == (next->begin - start) / grain;
}

/** Merges spans of a lane until no more than `most` are left. */
static void coarsen(struct lane *lane, size_t most)
{
    while (lane->count > most) {
        uint64_t span = lane->spans[lane->count - 1].end - lane->spans[0].begin;
        uint64_t least = span / (8 * most) + 1;
        size_t kept = 0;
        lane->grain = lane->grain < least ? least : 2 * lane->grain;
        for (size_t i = 1; i < lane->count; i++)
            if (can_join(&lane->spans[kept], &lane->spans[i], lane->grain))
                join(&lane->spans[kept], &lane->spans[i]);
            else
                lane->spans[++kept] = lane->spans[i];
        lane->count = kept + 1;
    }
}

void mpiot_timeline_add(uint32_t thread, const struct mpiot_span *span)
{
    if (state.is_left_out)
        return;
    struct lane *lane = &state.lanes[state.first + thread];
    if (lane->count == 2 * state.most)
        coarsen(lane, state.most);
    lane->spans = mpiot_grow(lane->spans, lane->count, &lane->capacity, sizeof *lane->spans);
    lane->spans[lane->count++] = *span;
}

/** "main main.c:10 > solve solver.c:212": who calls the call. */
static char *path_text(uint32_t context)
{
    const struct mpiot_def_context *def = mpiot_def_find(MPIOT_DEF_CONTEXTS, context);
    char *text = mpiot_text("%s", "");

    def = def ? mpiot_def_find(MPIOT_DEF_CONTEXTS, def->parent) : NULL;
    for (int steps = 0; def && steps < 64; steps++) {
        const struct mpiot_def_region *region = mpiot_def_find(MPIOT_DEF_REGIONS, def->region);
        const struct mpiot_def_source *source = mpiot_def_find(MPIOT_DEF_SOURCES, def->source);
        const struct mpiot_site site = {region ? mpiot_def_text(region->name) : "",
                                        source ? mpiot_def_text(source->file) : "",
                                        source ? source->line : 0};
        char *frame = mpiot_site_as_text(&site);
        char *longer = mpiot_text("%s%s%s", frame, *text ? " > " : "", text);
        free(frame);
        free(text);
        text = longer;
        def = mpiot_def_find(MPIOT_DEF_CONTEXTS, def->parent);
    }
    return text;
}

/** The page's number of a call path; -1: none. */
static json_int_t path_index(uint32_t context, json_t *texts)
{
    struct path *path;

    if (context == MPIOT_NONE || context == MPIOT_SEVERAL)
        return -1;
    HASH_FIND(hh, state.paths, &context, sizeof context, path);
    if (path)
        return path->index;
    if (json_array_size(texts) == MOST_PATHS)
        return -1;
    path = mpiot_resize(NULL, sizeof *path);
    *path = (struct path){.context = context, .index = (uint32_t)json_array_size(texts)};
    HASH_ADD(hh, state.paths, context, sizeof path->context, path);
    char *text = path_text(context);
    json_array_append_new(texts, mpiot_json_text(text));
    free(text);
    return path->index;
}

/** Columns of a lane: one array each, which take less room than an object for each span. */
enum column { BEGIN, LENGTH, BUSY, CALL, FILE_INDEX, PATH, CALLS, BYTES, OFFSET, COLUMNS };

static const char *const columns[COLUMNS] = {
    [BEGIN] = "begin", [LENGTH] = "length",   [BUSY] = "busy",
    [CALL] = "call",   [FILE_INDEX] = "file", [PATH] = "path",
    [CALLS] = "calls", [BYTES] = "bytes",     [OFFSET] = "offset"};

/** -1: none, -2: several. */
static json_int_t index_as_integer(uint32_t index)
{
    if (index == MPIOT_NONE || index == MPIOT_SEVERAL)
        return index == MPIOT_NONE ? -1 : -2;
    return index;
}

static json_int_t file_as_integer(uint32_t file)
{
    if (file != MPIOT_NONE && file != MPIOT_SEVERAL)
        mpiot_model.files[file].is_shown = true;
    return index_as_integer(file);
}

static json_t *lane_as_json(const struct lane *lane, json_t *paths)
{
    json_t *object = json_object(), *arrays[COLUMNS];
    uint64_t before = mpiot_def_clock.begin;

    for (int i = 0; i < COLUMNS; i++) {
        arrays[i] = json_array();
        json_object_set_new(object, columns[i], arrays[i]);
    }
    json_object_set_new(object, "rank", json_integer(mpiot_model.ranks[lane->rank].number));
    json_object_set_new(object, "thread", json_integer(lane->thread));
    for (size_t i = 0; i < lane->count; i++) {
        const struct mpiot_span *span = &lane->spans[i];
        const json_int_t values[COLUMNS] = {
            [BEGIN] = (json_int_t)(span->begin - before), /* since the span before */
            [LENGTH] = (json_int_t)(span->end - span->begin),
            [BUSY] = span->calls > 1 ? (json_int_t)span->busy : 0,
            [CALL] = index_as_integer(span->call),
            [FILE_INDEX] = file_as_integer(span->file),
            [PATH] = path_index(span->context, paths),
            [CALLS] = span->calls,
            [BYTES] = (json_int_t)span->bytes,
            [OFFSET] = span->offset == UINT64_MAX ? -1 : (json_int_t)span->offset,
        };
        for (int column = 0; column < COLUMNS; column++)
            json_array_append_new(arrays[column], json_integer(values[column]));
        before = span->begin;
    }
    return object;
}

json_t *mpiot_timeline_as_json(void)
{
    json_t *object = json_object(), *lanes = json_array(), *paths = json_array();
    bool is_merged = false;

    for (size_t i = 0; i < state.count; i++) {
        coarsen(&state.lanes[i], state.most);
        is_merged |= state.lanes[i].grain > 0;
        json_array_append_new(lanes, lane_as_json(&state.lanes[i], paths));
    }
    json_object_set_new(object, "lanes", lanes);
    json_object_set_new(object, "paths", paths);
    json_object_set_new(object, "merged", json_boolean(is_merged));
    json_object_set_new(object, "step", json_integer(state.step));
    return object;
}
