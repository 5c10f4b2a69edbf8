/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/unify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHILDREN = 31 };

/** Identity over what the table holds now. */
static int defmap_identity(struct mpiot_defmap *map, const struct mpiot_deftable *table)
{
    memset(map, 0, sizeof *map);
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        uint64_t count = mpiot_deftable_count(table, kind);
        map->index[kind] = malloc((count ? count : 1) * sizeof *map->index[kind]);
        if (!map->index[kind]) {
            mpiot_defmap_release(map);
            return -ENOMEM;
        }
        for (uint64_t i = 0; i < count; i++)
            map->index[kind][i] = i;
        map->count[kind] = count;
    }
    return 0;
}

/** map = outer after map. */
static void defmap_compose(struct mpiot_defmap *map, const struct mpiot_defmap *outer)
{
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        for (uint64_t i = 0; i < map->count[kind]; i++)
            map->index[kind][i] = outer->index[kind][map->index[kind][i]];
}

/** A map as words: per kind its count, then its indices. */
static int send_map(const struct mpiot_transport *transport, int to, const struct mpiot_defmap *map)
{
    size_t count = MPIOT_DEF_KINDS;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        count += map->count[kind];
    uint64_t *words = malloc(count * sizeof *words);
    if (!words)
        return -ENOMEM;

    uint64_t *out = words;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        *out++ = map->count[kind];
        memcpy(out, map->index[kind], map->count[kind] * sizeof *out);
        out += map->count[kind];
    }
    int error = transport->send(to, words, count);
    free(words);
    return error;
}

/** Receives what send_map sent; its indices point into `*words`, which the caller frees. */
static int receive_map(const struct mpiot_transport *transport, int from, uint64_t **words,
                       struct mpiot_defmap *map)
{
    size_t count;
    int error = transport->receive(from, words, &count);
    if (error)
        return error;

    uint64_t *in = *words;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        map->count[kind] = *in++;
        map->index[kind] = in;
        in += map->count[kind];
    }
    return 0;
}

static int send_table(const struct mpiot_transport *transport, int to,
                      const struct mpiot_deftable *table)
{
    uint64_t *words;
    size_t count;
    int error = mpiot_deftable_pack(table, &words, &count);
    if (error)
        return error;
    error = transport->send(to, words, count);
    free(words);
    return error;
}

static int merge_child(struct mpiot_deftable *table, const struct mpiot_transport *transport,
                       int child, struct mpiot_defmap *map)
{
    uint64_t *words;
    size_t count;
    int error = transport->receive(child, &words, &count);
    if (error)
        return error;
    error = mpiot_deftable_merge(table, words, count, map);
    free(words);
    return error;
}

int mpiot_unify(struct mpiot_deftable *table, const struct mpiot_transport *transport,
                struct mpiot_defmap *map)
{
    struct mpiot_defmap children[MAX_CHILDREN], global;
    uint64_t *global_words = NULL;
    int child_count = 0, parent = -1;
    int error = defmap_identity(map, table);

    /* A rank's children are rank + 1, + 2, + 4 ... below its own lowest set bit. */
    for (int bit = 1; bit < transport->size && !error; bit <<= 1) {
        if (transport->rank & bit) {
            parent = transport->rank - bit;
            break;
        }
        if (transport->rank + bit < transport->size) {
            error = merge_child(table, transport, transport->rank + bit, &children[child_count]);
            child_count += !error;
        }
    }
    if (!error && parent >= 0)
        error = send_table(transport, parent, table);
    if (!error && parent >= 0)
        error = receive_map(transport, parent, &global_words, &global);

    /* Down again: what the parent said of this rank's table holds for the children's through it. */
    for (int i = child_count - 1; i >= 0; i--) {
        if (!error && parent >= 0)
            defmap_compose(&children[i], &global);
        if (!error)
            error = send_map(transport, transport->rank + (1 << i), &children[i]);
        mpiot_defmap_release(&children[i]);
    }
    if (!error && parent >= 0)
        defmap_compose(map, &global);
    free(global_words);
    if (error)
        mpiot_defmap_release(map);
    return error;
}
