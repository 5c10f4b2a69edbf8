/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From MPI handles (files, requests) to what the recorder knows of them.
 *
 * Nodes are embedded in the objects, so nothing is allocated. The number of buckets is fixed: a
 * look-up of a handle that is not in the map mostly ends at an empty bucket without a lock, which
 * is what makes a Waitall of a thousand messages cheap.
 *
 * An MPI library uses a handle's value again as soon as the handle is freed, and another thread may
 * enter the new one before the thread that freed the old one has come to remove it. So a value may
 * be in the map twice: look-ups find the newest, and removal is by node. Any thread may call.
 */
#ifndef MPIOT_RECORD_HANDLE_MAP_H
#define MPIOT_RECORD_HANDLE_MAP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct mpiot_handle_node {
    uintptr_t key;
    struct mpiot_handle_node *next;
};

enum { MPIOT_HANDLE_BUCKETS = 1024, MPIOT_HANDLE_STRIPES = 64 };

struct mpiot_handle_map {
    struct mpiot_handle_node *_Atomic buckets[MPIOT_HANDLE_BUCKETS];
    pthread_mutex_t stripes[MPIOT_HANDLE_STRIPES];
};

void mpiot_handle_map_init(struct mpiot_handle_map *map);
void mpiot_handle_map_add(struct mpiot_handle_map *map, struct mpiot_handle_node *node,
                          uintptr_t key);

/** Returns whether the node was in the map. */
int mpiot_handle_map_remove(struct mpiot_handle_map *map, struct mpiot_handle_node *node);

/** The caller knows by MPI's rules that nobody frees the object meanwhile. */
struct mpiot_handle_node *mpiot_handle_map_find_locked(struct mpiot_handle_map *map, uintptr_t key);

/** Handles are pointers (Open MPI) or small integers (MPICH): both spread over the buckets. */
static inline unsigned mpiot_handle_bucket(uintptr_t key)
{
    return (unsigned)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 54);
}

static inline struct mpiot_handle_node *mpiot_handle_map_find(struct mpiot_handle_map *map,
                                                              uintptr_t key)
{
    if (!atomic_load_explicit(&map->buckets[mpiot_handle_bucket(key)], memory_order_relaxed))
        return NULL;
    return mpiot_handle_map_find_locked(map, key);
}

#endif
