/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check_ids.h"

#include <string.h>

#include "tools/check.h"

/** Index of the first range that ends at or behind `id`. */
static size_t position_of(const struct mpiot_ids *ids, uint64_t id)
{
    size_t low = 0, high = ids->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ids->ranges[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mpiot_ids_add(struct mpiot_ids *ids, uint64_t id)
{
    size_t at = position_of(ids, id);
    struct mpiot_id_range *next = at < ids->count ? &ids->ranges[at] : NULL;
    struct mpiot_id_range *before = at > 0 ? &ids->ranges[at - 1] : NULL;

    if (next && next->first <= id)
        return false;
    bool joins_before = before && before->last + 1 == id;
    bool joins_next = next && id + 1 == next->first;

    if (joins_before && joins_next) {
        before->last = next->last;
        ids->count--;
        memmove(next, next + 1, (ids->count - at) * sizeof *next);
    } else if (joins_before) {
        before->last = id;
    } else if (joins_next) {
        next->first = id;
    } else {
        ids->ranges = mpiot_grow(ids->ranges, ids->count, &ids->capacity, sizeof *ids->ranges);
        memmove(&ids->ranges[at + 1], &ids->ranges[at], (ids->count - at) * sizeof *ids->ranges);
        ids->ranges[at] = (struct mpiot_id_range){id, id};
        ids->count++;
    }
    return true;
}
