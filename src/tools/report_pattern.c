/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a thread goes through a file, by the attribute "Offset": where an operation starts, through
 * the view. Behind a view with holes an operation covers more of the file than its bytes; what is
 * said here about ranges takes them as contiguous, which is right for the start of each.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_events.h"

/** What is known of ranges stays small: from here on, only ranges that join others are added. */
enum { MOST_RANGES = 4096 };

struct range {
    uint64_t begin, end;
};

struct pattern_key {
    uint32_t file, thread, mode; /**< no padding: the bytes are hashed */
};

struct mpiot_pattern {
    struct pattern_key key;
    uint64_t offset, end;             /**< of the operation before */
    uint64_t jump;                    /**< the last one, modulo 2^64 */
    struct mpiot_operations *pending; /**< counts the last jump, which is not classified yet */
    bool has_jump;
    UT_hash_handle hh;
};

/** What a process has read of a file. */
struct mpiot_seen {
    uint32_t file;
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

static uint64_t reread(uint32_t file, struct range range)
{
    struct mpiot_seen *seen;

    HASH_FIND(hh, mpiot_walk.seen, &file, sizeof file, seen);
    if (!seen) {
        seen = mpiot_resize(NULL, sizeof *seen);
        *seen = (struct mpiot_seen){.file = file};
        HASH_ADD(hh, mpiot_walk.seen, file, sizeof file, seen);
    }
    return add_range(seen, range);
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

void mpiot_pattern_count(struct mpiot_operations *counts, uint32_t file, uint32_t thread,
                         enum mpiot_mode mode, uint64_t offset, uint64_t bytes)
{
    const struct pattern_key key = {file, thread, mode};
    bool is_new;
    struct mpiot_pattern *pattern = pattern_of(&key, &is_new);

    if (!is_new && offset == pattern->end)
        counts->sequential++;
    else if (!is_new)
        count_jump(counts, pattern, offset - pattern->offset);
    pattern->offset = offset;
    pattern->end = offset + bytes;
    counts->end = offset + bytes > counts->end ? offset + bytes : counts->end;
    if (mode == MPIOT_MODE_READ && bytes > 0)
        counts->reread += reread(file, (struct range){offset, offset + bytes});
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
