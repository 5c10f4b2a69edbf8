/* SPDX-License-Identifier: BSD-3-Clause */
/** A set of identifiers that are mostly handed out in order: it is small while they are dense. */
#ifndef MPIOT_TOOLS_CHECK_IDS_H
#define MPIOT_TOOLS_CHECK_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpiot_id_range {
    uint64_t first, last;
};

/** All zero: empty. */
struct mpiot_ids {
    struct mpiot_id_range *ranges; /**< ascending, with gaps between them */
    size_t count, capacity;
};

/** Adds an identifier; false: it was there. */
bool mpiot_ids_add(struct mpiot_ids *ids, uint64_t id);

#endif
