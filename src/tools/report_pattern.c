/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a thread goes through a file, by the attribute "Offset": where an operation starts, through
 * the view. Of a view with holes, size and extent of its tiles are known, not where the holes are:
 * that is enough to see whether an operation may go on where the one before ended, and whether two
 * that start at the same byte read the same.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_events.h"

/**
 * What is known stays small: from here on, only ranges that join others are added, and no more
 * starts of operations behind holes.
 */
enum { MOST_RANGES = 4096, MOST_SEEN = 1 << 16 };

struct range {
    uint64_t begin, end;
};

struct pattern_key {
    uint32_t file, thread, mode; /**< no padding: the bytes are hashed */
};

struct mpiot_pattern {
    struct pattern_key key;
    uint64_t offset, bytes;           /**< of the operation before */
    struct range next;                /**< where the byte behind it is */
    uint64_t jump;                    /**< the last one, modulo 2^64 */
    struct mpiot_operations *pending; /**< counts the last jump, which is not classified yet */
    bool has_jump;
    UT_hash_handle hh;
};

/** What ranges are of: a file; behind holes, what is read from one byte on. No padding. */
struct seen_key {
    uint64_t file, start;
    struct mpiot_tiles tiles;
};

/** What a process has read. */
struct mpiot_seen {
    struct seen_key key;
    struct range *ranges; /**< ascending, with gaps between them */
    size_t count, capacity;
    UT_hash_handle hh;
};

/** Index of the first range that ends at or behind `offset`. */
static size_t position_of(const struct mpiot_seen *seen, uint64_t offset)
{
    size_t low = 0, high = seen->count;

    if (high > 0 && seen->ranges[high - 1].end < offset)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (seen->ranges[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Adds a range; how many of its bytes were there. */
static uint64_t add_range(struct mpiot_seen *seen, struct range range)
{
    const size_t at = position_of(seen, range.begin);
    size_t behind = at; /* ranges from `at` to here touch the new one */
    uint64_t known = 0;
    struct range joined = range;

    for (; behind < seen->count && seen->ranges[behind].begin <= range.end; behind++) {
        const struct range *other = &seen->ranges[behind];
        uint64_t begin = other->begin > range.begin ? other->begin : range.begin;
        uint64_t end = other->end < range.end ? other->end : range.end;
        known += end - begin;
        joined.begin = other->begin < joined.begin ? other->begin : joined.begin;
        joined.end = other->end > joined.end ? other->end : joined.end;
    }
    if (behind == at && seen->count >= MOST_RANGES)
        return known;
    seen->ranges = mpiot_grow(seen->ranges, seen->count, &seen->capacity, sizeof *seen->ranges);
    memmove(&seen->ranges[at + 1], &seen->ranges[behind],
            (seen->count - behind) * sizeof *seen->ranges);
    seen->ranges[at] = joined;
    seen->count = seen->count + 1 - (behind - at);
    return known;
}

static struct mpiot_seen *seen_of(const struct seen_key *key)
{
    struct mpiot_seen *seen;

    HASH_FIND(hh, mpiot_walk.seen, key, sizeof *key, seen);
    if (!seen && HASH_COUNT(mpiot_walk.seen) < MOST_SEEN) {
        seen = mpiot_resize(NULL, sizeof *seen);
        *seen = (struct mpiot_seen){.key = *key};
        HASH_ADD(hh, mpiot_walk.seen, key, sizeof seen->key, seen);
    }
    return seen;
}

void mpiot_pattern_complete(const struct mpiot_operation *operation, uint32_t file, uint64_t bytes)
{
    const bool has_holes = operation->tiles.size > 0;
    const uint64_t begin = has_holes ? 0 : operation->offset;
    const struct seen_key key = {file, operation->offset - begin, operation->tiles};
    struct mpiot_seen *seen;

    if (operation->mode == MPIOT_MODE_READ && bytes > 0 && (seen = seen_of(&key)))
        operation->access->operations.reread +=
            add_range(seen, (struct range){begin, begin + bytes});
}

static struct mpiot_pattern *pattern_of(const struct pattern_key *key, bool *is_new)
{
    struct mpiot_pattern *pattern;

    HASH_FIND(hh, mpiot_walk.patterns, key, sizeof *key, pattern);
    *is_new = !pattern;
    if (!pattern) {
        pattern = mpiot_resize(NULL, sizeof *pattern);
        *pattern = (struct mpiot_pattern){.key = *key};
        HASH_ADD(hh, mpiot_walk.patterns, key, sizeof *key, pattern);
    }
    return pattern;
}

/** A jump is strided if the one before or the one after it is as far. */
static void count_jump(struct mpiot_operations *counts, struct mpiot_pattern *pattern,
                       uint64_t jump)
{
    if (pattern->has_jump && jump == pattern->jump) {
        counts->strided++;
        if (pattern->pending)
            pattern->pending->strided++;
        pattern->pending = NULL;
        return;
    }
    if (pattern->pending)
        pattern->pending->random++;
    pattern->pending = counts;
    pattern->jump = jump;
    pattern->has_jump = true;
}

/** Where the byte of the view behind `bytes` of them is, at the earliest and at the latest. */
static struct range position_behind(const struct mpiot_operation *operation, uint64_t bytes)
{
    const struct mpiot_tiles *tiles = &operation->tiles;

    if (tiles->size == 0)
        return (struct range){operation->offset + bytes, operation->offset + bytes};
    const uint64_t rest = bytes % tiles->size;
    const uint64_t begin = operation->offset + bytes / tiles->size * tiles->extent + rest;
    return (struct range){begin, rest > 0 ? begin + tiles->extent - tiles->size : begin};
}

void mpiot_pattern_begin(const struct mpiot_operation *operation, uint32_t file, uint32_t thread)
{
    const struct pattern_key key = {file, thread, operation->mode};
    const uint64_t offset = operation->offset;
    struct mpiot_operations *counts = &operation->access->operations;
    bool is_new;
    struct mpiot_pattern *pattern = pattern_of(&key, &is_new);

    if (!is_new && pattern->next.begin <= offset && offset <= pattern->next.end) {
        if (offset == pattern->offset + pattern->bytes)
            counts->sequential++;
        else
            counts->strided++;
    } else if (!is_new) {
        count_jump(counts, pattern, offset - pattern->offset);
    }
    pattern->offset = offset;
    pattern->bytes = operation->bytes;
    pattern->next = position_behind(operation, operation->bytes);
    if (operation->bytes > 0) {
        uint64_t end = position_behind(operation, operation->bytes - 1).begin + 1;
        counts->end = end > counts->end ? end : counts->end;
    }
}

void mpiot_pattern_end(void)
{
    struct mpiot_pattern *pattern, *next_pattern;
    struct mpiot_seen *seen, *next_seen;

    HASH_ITER(hh, mpiot_walk.patterns, pattern, next_pattern)
    {
        if (pattern->pending)
            pattern->pending->random++;
        HASH_DEL(mpiot_walk.patterns, pattern);
        free(pattern);
    }
    HASH_ITER(hh, mpiot_walk.seen, seen, next_seen)
    {
        HASH_DEL(mpiot_walk.seen, seen);
        free(seen->ranges);
        free(seen);
    }
}
