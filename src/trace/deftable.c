/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/deftable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* uthash must not exit(3) inside somebody's program: a failed insertion is an error like any. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(row) ((row)->lost = true)
#include <uthash.h>

/** What the words of a kind mean: which are references, how many are the key. */
struct schema {
    uint32_t fixed;        /**< words before the tail; without tail, the exact number */
    uint32_t key;          /**< leading words that identify; 0: all of them, and the tail */
    bool tail;             /**< words of any number follow the fixed ones */
    int8_t reference[6];   /**< per fixed word: kind it refers to, or PLAIN */
};

enum { PLAIN = -1 };

static const struct schema schemas[MPIOT_DEF_KINDS] = {
    [MPIOT_DEF_STRING] = {1, 0, true, {PLAIN}},
    [MPIOT_DEF_ATTRIBUTE] = {3, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_STRING, PLAIN}},
    [MPIOT_DEF_SYSTEM_TREE_NODE] =
        {4, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_STRING, MPIOT_DEF_SYSTEM_TREE_NODE, PLAIN}},
    [MPIOT_DEF_REGION] =
        {6, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_STRING, PLAIN, PLAIN, MPIOT_DEF_STRING, PLAIN}},
    [MPIOT_DEF_GROUP] = {1, 0, true, {PLAIN}},
    [MPIOT_DEF_COMM] = {3, 1, false, {MPIOT_DEF_STRING, MPIOT_DEF_STRING, MPIOT_DEF_GROUP}},
    [MPIOT_DEF_IO_FILE] = {2, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_SYSTEM_TREE_NODE}},
    [MPIOT_DEF_IO_FILE_PROPERTY] =
        {3, 2, false, {MPIOT_DEF_IO_FILE, MPIOT_DEF_STRING, MPIOT_DEF_STRING}},
    [MPIOT_DEF_IO_HANDLE] =
        {4, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_IO_FILE, MPIOT_DEF_COMM, PLAIN}},
    [MPIOT_DEF_SOURCE_LOCATION] = {2, 0, false, {MPIOT_DEF_STRING, PLAIN}},
    [MPIOT_DEF_MODULE] = {2, 0, false, {MPIOT_DEF_STRING, MPIOT_DEF_STRING}},
    [MPIOT_DEF_FRAME] = {2, 0, false, {MPIOT_DEF_MODULE, PLAIN}},
    [MPIOT_DEF_CALLING_CONTEXT] =
        {3, 0, false, {MPIOT_DEF_REGION, MPIOT_DEF_FRAME, MPIOT_DEF_CALLING_CONTEXT}},
};

struct row {
    UT_hash_handle hh;
    uint64_t index;
    bool lost; /**< set by uthash where it found no memory */
    uint32_t count;
    uint64_t words[]; /**< with one zero word behind, so that strings are terminated */
};

struct kind_table {
    struct row *by_key;
    struct row **by_index;
    uint64_t count, capacity;
};

struct mpiot_deftable {
    struct kind_table kinds[MPIOT_DEF_KINDS];
};

int mpiot_deftable_create(struct mpiot_deftable **table)
{
    *table = calloc(1, sizeof **table);
    return *table ? 0 : -ENOMEM;
}

void mpiot_deftable_destroy(struct mpiot_deftable *table)
{
    if (!table)
        return;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        HASH_CLEAR(hh, table->kinds[kind].by_key);
        for (uint64_t i = 0; i < table->kinds[kind].count; i++)
            free(table->kinds[kind].by_index[i]);
        free(table->kinds[kind].by_index);
    }
    free(table);
}

static int append_row(struct kind_table *rows, struct row *row)
{
    if (rows->count == rows->capacity) {
        uint64_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        struct row **grown = realloc(rows->by_index, capacity * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        rows->by_index = grown;
        rows->capacity = capacity;
    }
    row->index = rows->count;
    rows->by_index[rows->count++] = row;
    return 0;
}

int mpiot_deftable_intern(struct mpiot_deftable *table, enum mpiot_def_kind kind,
                          const uint64_t *words, uint32_t count, bool *is_new, uint64_t *index)
{
    struct kind_table *rows = &table->kinds[kind];
    size_t key_size = (schemas[kind].key ? schemas[kind].key : count) * sizeof *words;
    struct row *row;

    HASH_FIND(hh, rows->by_key, words, key_size, row);
    if (is_new)
        *is_new = !row;
    if (row) {
        *index = row->index;
        return 0;
    }

    row = calloc(1, sizeof *row + (count + 1) * sizeof *words);
    if (!row)
        return -ENOMEM;
    memcpy(row->words, words, count * sizeof *words);
    row->count = count;
    HASH_ADD_KEYPTR(hh, rows->by_key, row->words, key_size, row);
    if (row->lost)
        goto free_row;
    if (append_row(rows, row) != 0)
        goto remove_row;
    *index = row->index;
    return 0;

remove_row:
    HASH_DEL(rows->by_key, row);
free_row:
    free(row);
    return -ENOMEM;
}

int mpiot_deftable_intern_string(struct mpiot_deftable *table, const char *string, size_t length,
                                 bool *is_new, uint64_t *index)
{
    uint64_t on_stack[1 + 64];
    uint32_t count = 1 + (length + sizeof *on_stack - 1) / sizeof *on_stack;
    uint64_t *words = on_stack;

    if (count > sizeof on_stack / sizeof *on_stack)
        words = malloc(count * sizeof *words);
    if (!words)
        return -ENOMEM;
    words[count - 1] = 0;
    words[0] = length;
    memcpy(words + 1, string, length);
    int error = mpiot_deftable_intern(table, MPIOT_DEF_STRING, words, count, is_new, index);
    if (words != on_stack)
        free(words);
    return error;
}

uint64_t mpiot_deftable_count(const struct mpiot_deftable *table, enum mpiot_def_kind kind)
{
    return table->kinds[kind].count;
}

struct mpiot_def mpiot_deftable_get(const struct mpiot_deftable *table, enum mpiot_def_kind kind,
                                    uint64_t index)
{
    const struct row *row = table->kinds[kind].by_index[index];
    return (struct mpiot_def){.words = row->words, .count = row->count};
}

const char *mpiot_deftable_string(const struct mpiot_deftable *table, uint64_t index)
{
    return (const char *)(table->kinds[MPIOT_DEF_STRING].by_index[index]->words + 1);
}

void mpiot_defmap_release(struct mpiot_defmap *map)
{
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        free(map->index[kind]);
    memset(map, 0, sizeof *map);
}

int mpiot_deftable_pack(const struct mpiot_deftable *table, uint64_t **words, size_t *count)
{
    size_t total = 0;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        for (uint64_t i = 0; i < table->kinds[kind].count; i++)
            total += 1 + table->kinds[kind].by_index[i]->count;

    uint64_t *out = malloc((total ? total : 1) * sizeof *out);
    if (!out)
        return -ENOMEM;
    *words = out;
    *count = total;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        for (uint64_t i = 0; i < table->kinds[kind].count; i++) {
            const struct row *row = table->kinds[kind].by_index[i];
            *out++ = (uint64_t)kind << 32 | row->count;
            memcpy(out, row->words, row->count * sizeof *out);
            out += row->count;
        }
    }
    return 0;
}

/** Whether `count` words can be a row of `kind`. */
static bool row_is_sound(unsigned kind, const uint64_t *words, uint32_t count)
{
    if (kind >= MPIOT_DEF_KINDS || count < schemas[kind].fixed)
        return false;
    if (kind == MPIOT_DEF_STRING)
        return words[0] <= UINT32_MAX && count == 1 + (words[0] + 7) / 8;
    return schemas[kind].tail || count == schemas[kind].fixed;
}

/** Translates the references of a row in place; -EINVAL for one that points nowhere. */
static int translate(unsigned kind, uint64_t *words, const struct mpiot_defmap *map)
{
    for (uint32_t i = 0; i < schemas[kind].fixed; i++) {
        int to = schemas[kind].reference[i];
        if (to == PLAIN || words[i] == MPIOT_DEF_NONE)
            continue;
        if (words[i] >= map->count[to])
            return -EINVAL;
        words[i] = map->index[to][words[i]];
    }
    return 0;
}

/** Makes room in `map` for as many definitions of each kind as the packed words hold. */
static int defmap_reserve(struct mpiot_defmap *map, const uint64_t *words, size_t count)
{
    uint64_t rows[MPIOT_DEF_KINDS] = {0};

    memset(map, 0, sizeof *map);
    for (size_t at = 0; at < count;) {
        unsigned kind = words[at] >> 32;
        uint32_t length = (uint32_t)words[at];
        if (length > count - at - 1 || !row_is_sound(kind, words + at + 1, length))
            return -EINVAL;
        rows[kind]++;
        at += 1 + length;
    }
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        map->index[kind] = malloc((rows[kind] ? rows[kind] : 1) * sizeof *map->index[kind]);
        if (!map->index[kind])
            goto release;
    }
    return 0;

release:
    mpiot_defmap_release(map);
    return -ENOMEM;
}

int mpiot_deftable_merge(struct mpiot_deftable *table, const uint64_t *words, size_t count,
                         struct mpiot_defmap *map)
{
    uint64_t *row = NULL;
    uint32_t row_capacity = 0;
    int error = defmap_reserve(map, words, count);
    if (error)
        return error;

    for (size_t at = 0; at < count && !error;) {
        unsigned kind = words[at] >> 32;
        uint32_t length = (uint32_t)words[at];
        if (length > row_capacity) {
            uint64_t *grown = realloc(row, length * sizeof *grown);
            if (!grown) {
                error = -ENOMEM;
                break;
            }
            row = grown;
            row_capacity = length;
        }
        memcpy(row, words + at + 1, length * sizeof *row);
        error = translate(kind, row, map);
        if (!error)
            error = mpiot_deftable_intern(table, kind, row, length, NULL,
                                          &map->index[kind][map->count[kind]]);
        if (!error)
            map->count[kind]++;
        at += 1 + length;
    }
    free(row);
    if (error)
        mpiot_defmap_release(map);
    return error;
}
