/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/unify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHILDREN = 31 };

/*
 * Ranks of one program mostly define the same in the same order. A child's map is kept until the
 * way down, and where it maps a kind to itself only as the kind's count (index NULL): so what a
 * rank holds does not grow with the number of its children.
 */

static void forget_identities(struct mpiot_defmap *map)
{
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        uint64_t same = 0;
        while (same < map->count[kind] && map->index[kind][same] == same)
            same++;
        if (same == map->count[kind]) {
            free(map->index[kind]);
            map->index[kind] = NULL;
        }
    }
}

/** Index that `map` and then `outer` lead to; a map that is NULL leads everything to itself. */
static uint64_t follow(const struct mpiot_defmap *map, const struct mpiot_defmap *outer, int kind,
                       uint64_t index)
{
    if (map->index[kind])
        index = map->index[kind][index];
    return outer ? outer->index[kind][index] : index;
}

/** Replaces `map` by `outer` after it. */
static int defmap_resolve(struct mpiot_defmap *map, const struct mpiot_defmap *outer)
{
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++) {
        uint64_t count = map->count[kind];
        uint64_t *index = malloc((count ? count : 1) * sizeof *index);
        if (!index)
            return -ENOMEM;
        for (uint64_t i = 0; i < count; i++)
            index[i] = follow(map, outer, kind, i);
        free(map->index[kind]);
        map->index[kind] = index;
    }
    return 0;
}

/** Sends `outer` after `map` as words: per kind its count, then its indices. */
static int send_map(const struct mpiot_transport *transport, int to, const struct mpiot_defmap *map,
                    const struct mpiot_defmap *outer)
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
        for (uint64_t i = 0; i < map->count[kind]; i++)
            *out++ = follow(map, outer, kind, i);
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
    if (!error)
        forget_identities(map);
    free(words);
    return error;
}

int mpiot_unify(struct mpiot_deftable *table, const struct mpiot_transport *transport,
                struct mpiot_defmap *map)
{
    struct mpiot_defmap children[MAX_CHILDREN], from_parent, *outer = NULL;
    uint64_t *words = NULL;
    int child_count = 0, parent = -1, error = 0;

    memset(map, 0, sizeof *map);
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        map->count[kind] = mpiot_deftable_count(table, kind);

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
    if (!error && parent >= 0) {
        error = receive_map(transport, parent, &words, &from_parent);
        outer = &from_parent;
    }

    /* Down again: what the parent said of this rank's table holds for the children's through it. */
    for (int i = child_count - 1; i >= 0; i--) {
        if (!error)
            error = send_map(transport, transport->rank + (1 << i), &children[i], outer);
        mpiot_defmap_release(&children[i]);
    }
    if (!error)
        error = defmap_resolve(map, outer);
    free(words);
    if (error)
        mpiot_defmap_release(map);
    return error;
}
