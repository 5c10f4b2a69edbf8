/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_map.h"

#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_options.h"

/** Cells of all files, and of one; files that the page shows; its steps of time for bandwidth. */
enum { MOST_CELLS = 24000, MOST_OF_FILE = 6000, MOST_FILES = 40, STEPS = 2000 };

/** Files that have cells while the events are read. */
enum { MOST_MAPS = 256 };

/** With fewer rows and columns than that, merging gives up ranks before more of those. */
enum { FINE = 256 };

/** Operations of neighbouring ranks, close to each other in time and in the file. */
struct cell {
    struct {
        uint64_t time, offset; /**< in grains */
        uint64_t rank, mode;   /**< no padding: the bytes are hashed */
    } key;
    uint64_t begin, end;
    uint64_t low, high; /**< offsets */
    uint64_t bytes;
    uint32_t rank, operations;
    UT_hash_handle hh;
};

struct map {
    uint32_t file;
    uint64_t bytes, end;
    uint64_t time_grain, offset_grain, rank_grain;
    struct cell *cells; /**< hash */
    bool is_given_up;   /**< has no cells any more */
    UT_hash_handle hh;
};

static struct {
    struct map *maps;           /**< hash */
    size_t with_cells;          /**< of these */
    size_t most;                /**< cells of a file */
    uint64_t begin, length;     /**< of the time that is shown */
    double bytes[2][STEPS + 1]; /**< of operations, in the steps that they begin or end in */
    double rates[2][STEPS + 1]; /**< per step, in those between: changes against the step before */
} state;

void mpiot_map_start(size_t files)
{
    const uint64_t begin = mpiot_options_clip_time(mpiot_def_clock.begin);
    const uint64_t end = mpiot_options_clip_time(mpiot_def_clock.begin + mpiot_def_clock.length);

    state.begin = begin;
    state.length = end > begin ? end - begin : 1;
    state.most = MOST_CELLS / (files < 1 ? 1 : files < MOST_FILES ? files : MOST_FILES);
    if (state.most > MOST_OF_FILE)
        state.most = MOST_OF_FILE;
}

static uint64_t since_begin(uint64_t time)
{
    return time > state.begin ? time - state.begin : 0;
}

/** Adds a cell to those of its map, or to one of them. */
static void put(struct map *map, const struct cell *cell)
{
    struct cell *known, new = *cell;

    new.key.time = since_begin(cell->begin) / map->time_grain;
    new.key.offset = cell->low / map->offset_grain;
    new.key.rank = cell->rank / map->rank_grain;
    HASH_FIND(hh, map->cells, &new.key, sizeof new.key, known);
    if (!known) {
        known = mpiot_resize(NULL, sizeof *known);
        *known = new;
        HASH_ADD(hh, map->cells, key, sizeof known->key, known);
        return;
    }
    known->begin = cell->begin < known->begin ? cell->begin : known->begin;
    known->end = cell->end > known->end ? cell->end : known->end;
    known->low = cell->low < known->low ? cell->low : known->low;
    known->high = cell->high > known->high ? cell->high : known->high;
    known->bytes += cell->bytes;
    known->operations += cell->operations;
}

/** Makes the cells of a map larger in the direction in which they are finest. */
static void coarsen(struct map *map)
{
    const uint64_t rows = map->end / map->offset_grain, columns = state.length / map->time_grain;
    struct cell *old = map->cells, *cell, *next;

    if (rows <= FINE && columns <= FINE && map->rank_grain < mpiot_model.rank_count)
        map->rank_grain *= 2;
    else if (rows > columns)
        map->offset_grain *= 2;
    else
        map->time_grain *= 2;
    map->cells = NULL;
    HASH_ITER(hh, old, cell, next)
    {
        HASH_DEL(old, cell);
        put(map, cell);
        free(cell);
    }
}

/** Given-up ones last. */
static int by_bytes(const struct map *left, const struct map *right)
{
    if (left->is_given_up != right->is_given_up)
        return left->is_given_up ? 1 : -1;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return (left->file > right->file) - (left->file < right->file);
}

/** Keeps the half of the files with more bytes so far. */
static void give_up(void)
{
    size_t kept = 0;

    HASH_SORT(state.maps, by_bytes);
    for (struct map *map = state.maps; map && !map->is_given_up; map = map->hh.next) {
        struct cell *cell, *next;
        if (kept++ < MOST_MAPS / 2)
            continue;
        HASH_ITER(hh, map->cells, cell, next)
        {
            HASH_DEL(map->cells, cell);
            free(cell);
        }
        map->is_given_up = true;
    }
    state.with_cells = MOST_MAPS / 2;
}

static struct map *map_of(uint32_t file)
{
    struct map *map;

    HASH_FIND(hh, state.maps, &file, sizeof file, map);
    if (map)
        return map;
    if (state.with_cells == MOST_MAPS)
        give_up();
    state.with_cells++;
    map = mpiot_resize(NULL, sizeof *map);
    *map = (struct map){
        .file = file, .time_grain = state.length / 4096 + 1, .offset_grain = 1, .rank_grain = 1};
    HASH_ADD(hh, state.maps, file, sizeof file, map);
    return map;
}

static void add_to_map(const struct mpiot_map_operation *operation)
{
    struct map *map = map_of(operation->file);

    if (map->is_given_up)
        return;
    const struct cell cell = {
        .key.mode = operation->mode,
        .begin = operation->begin,
        .end = operation->end,
        .low = operation->offset,
        .high = operation->offset + operation->bytes,
        .bytes = operation->bytes,
        .rank = operation->rank,
        .operations = 1,
    };
    map->bytes += operation->bytes;
    map->end = cell.high > map->end ? cell.high : map->end;
    put(map, &cell);
    while (HASH_COUNT(map->cells) > state.most)
        coarsen(map);
}

/** Spreads the bytes evenly over the operation's time. */
static void add_to_bandwidth(const struct mpiot_map_operation *operation)
{
    double *bytes = state.bytes[operation->mode], *rates = state.rates[operation->mode];
    const double scale = STEPS / (double)state.length;
    double begin = (double)since_begin(operation->begin) * scale;
    double end = (double)since_begin(operation->end) * scale;

    begin = begin < STEPS ? begin : STEPS;
    end = end < STEPS ? end : STEPS;
    const int first = (int)begin, last = (int)end;
    if (first == last) {
        bytes[first] += (double)operation->bytes;
        return;
    }
    const double rate = (double)operation->bytes / (end - begin);
    bytes[first] += rate * (first + 1 - begin);
    bytes[last] += rate * (end - last);
    rates[first + 1] += rate;
    rates[last] -= rate;
}

void mpiot_map_add(const struct mpiot_map_operation *operation)
{
    if (operation->mode == MPIOT_MODE_FLUSH || operation->bytes == 0)
        return;
    add_to_bandwidth(operation);
    if (operation->offset != UINT64_MAX)
        add_to_map(operation);
}

/** Columns of a map: one array each, which take less room than an object for each cell. */
enum column { BEGIN, LENGTH, LOW, HIGH, BYTES, OPERATIONS, RANK, WRITES, COLUMNS };

static const char *const columns[COLUMNS] = {
    [BEGIN] = "begin", [LENGTH] = "length",         [LOW] = "low",   [HIGH] = "high",
    [BYTES] = "bytes", [OPERATIONS] = "operations", [RANK] = "rank", [WRITES] = "writes"};

static json_t *file_as_json(const struct map *map)
{
    json_t *object = json_object(), *arrays[COLUMNS];

    for (int i = 0; i < COLUMNS; i++) {
        arrays[i] = json_array();
        json_object_set_new(object, columns[i], arrays[i]);
    }
    mpiot_model.files[map->file].is_shown = true;
    json_object_set_new(object, "file", json_integer(map->file));
    json_object_set_new(object, "ranks_per_cell", json_integer((json_int_t)map->rank_grain));
    for (const struct cell *cell = map->cells; cell; cell = cell->hh.next) {
        const json_int_t values[COLUMNS] = {
            [BEGIN] = (json_int_t)(cell->begin - mpiot_def_clock.begin),
            [LENGTH] = (json_int_t)(cell->end - cell->begin),
            [LOW] = (json_int_t)cell->low,
            [HIGH] = (json_int_t)(cell->high - cell->low),
            [BYTES] = (json_int_t)cell->bytes,
            [OPERATIONS] = cell->operations,
            [RANK] = mpiot_model.ranks[cell->rank].number,
            [WRITES] = cell->key.mode == MPIOT_MODE_WRITE,
        };
        for (int column = 0; column < COLUMNS; column++)
            json_array_append_new(arrays[column], json_integer(values[column]));
    }
    return object;
}

json_t *mpiot_map_as_json(size_t *left)
{
    json_t *array = json_array();

    HASH_SORT(state.maps, by_bytes);
    for (const struct map *map = state.maps; map && json_array_size(array) < MOST_FILES;
         map = map->hh.next)
        json_array_append_new(array, file_as_json(map));
    *left = HASH_COUNT(state.maps) - json_array_size(array);
    return array;
}

json_t *mpiot_bandwidth_as_json(void)
{
    static const char *const names[] = {"read", "write"};
    const double seconds = mpiot_seconds(state.length) / STEPS;
    json_t *object = json_object();

    json_object_set_new(object, "begin",
                        json_integer((json_int_t)(state.begin - mpiot_def_clock.begin)));
    json_object_set_new(object, "length", json_integer((json_int_t)state.length));
    for (int mode = 0; mode < 2; mode++) {
        json_t *array = json_array();
        double rate = 0;
        /* What ends with the trace is in the step behind the last. */
        state.bytes[mode][STEPS - 1] += state.bytes[mode][STEPS];
        for (int step = 0; step < STEPS; step++) {
            rate += state.rates[mode][step];
            double bytes = rate + state.bytes[mode][step];
            json_array_append_new(array,
                                  json_integer(bytes < 0.5 ? 0 : (json_int_t)(bytes / seconds)));
        }
        json_object_set_new(object, names[mode], array);
    }
    return object;
}
