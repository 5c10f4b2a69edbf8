/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/handle_map.h"

#include <stddef.h>

_Static_assert(MPIOT_HANDLE_BUCKETS == 1 << (64 - 54), "mpiot_handle_bucket's shift");

static pthread_mutex_t *stripe(struct mpiot_handle_map *map, unsigned bucket)
{
    return &map->stripes[bucket % MPIOT_HANDLE_STRIPES];
}

void mpiot_handle_map_init(struct mpiot_handle_map *map)
{
    for (int i = 0; i < MPIOT_HANDLE_STRIPES; i++)
        pthread_mutex_init(&map->stripes[i], NULL);
    for (int i = 0; i < MPIOT_HANDLE_BUCKETS; i++)
        atomic_init(&map->buckets[i], NULL);
}

void mpiot_handle_map_add(struct mpiot_handle_map *map, struct mpiot_handle_node *node,
                          uintptr_t key)
{
    unsigned bucket = mpiot_handle_bucket(key);

    node->key = key;
    pthread_mutex_lock(stripe(map, bucket));
    node->next = atomic_load_explicit(&map->buckets[bucket], memory_order_relaxed);
    atomic_store_explicit(&map->buckets[bucket], node, memory_order_release);
    pthread_mutex_unlock(stripe(map, bucket));
}

int mpiot_handle_map_remove(struct mpiot_handle_map *map, struct mpiot_handle_node *node)
{
    unsigned bucket = mpiot_handle_bucket(node->key);
    int found = 0;

    pthread_mutex_lock(stripe(map, bucket));
    struct mpiot_handle_node *head =
        atomic_load_explicit(&map->buckets[bucket], memory_order_relaxed);
    if (head == node) {
        atomic_store_explicit(&map->buckets[bucket], node->next, memory_order_release);
        found = 1;
    }
    for (; head && !found; head = head->next) {
        if (head->next == node) {
            head->next = node->next;
            found = 1;
        }
    }
    pthread_mutex_unlock(stripe(map, bucket));
    return found;
}

struct mpiot_handle_node *mpiot_handle_map_find_locked(struct mpiot_handle_map *map, uintptr_t key)
{
    unsigned bucket = mpiot_handle_bucket(key);

    pthread_mutex_lock(stripe(map, bucket));
    struct mpiot_handle_node *node =
        atomic_load_explicit(&map->buckets[bucket], memory_order_relaxed);
    while (node && node->key != key)
        node = node->next;
    pthread_mutex_unlock(stripe(map, bucket));
    return node;
}
