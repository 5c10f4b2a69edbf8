/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/file.h"

#include <stdlib.h>
#include <string.h>

/* uthash must not exit(3) inside somebody's program. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->lost = true)
#include <uthash.h>

#include "trace/definitions.h"

struct handle_key {
    uint32_t file, comm, instance;
};

struct handle_entry {
    struct handle_key key;
    struct mpiot_handle handle;
    bool lost; /**< set by uthash where it found no memory */
    UT_hash_handle hh;
};

static struct {
    struct mpiot_handle_map open;
    _Atomic uint64_t generation; /**< counts removals: what threads have cached may be stale */
    pthread_mutex_t handle_lock;
    struct handle_entry *handles;
} state = {.handle_lock = PTHREAD_MUTEX_INITIALIZER};

void mpiot_files_start(void)
{
    mpiot_handle_map_init(&state.open);
}

static struct handle_entry *find_handle(struct handle_key key)
{
    struct handle_entry *entry;
    HASH_FIND(hh, state.handles, &key, sizeof key, entry);
    return entry;
}

struct mpiot_handle *mpiot_handle_get(const char *path, uint32_t file, uint32_t comm,
                                      uint32_t instance)
{
    struct handle_key key = {file, comm, instance};

    pthread_mutex_lock(&state.handle_lock);
    struct handle_entry *entry = find_handle(key);
    if (!entry && (entry = calloc(1, sizeof *entry))) {
        entry->key = key;
        entry->handle.reference = mpiot_define_io_handle(path, file, comm, instance);
        entry->handle.file = file;
        HASH_ADD(hh, state.handles, key, sizeof key, entry);
        if (entry->lost) {
            free(entry);
            entry = NULL;
        }
    }
    pthread_mutex_unlock(&state.handle_lock);
    return entry ? &entry->handle : NULL;
}

uint32_t mpiot_handle_free_instance(uint32_t file, uint32_t comm)
{
    struct handle_key key = {file, comm, 0};
    struct handle_entry *entry;

    pthread_mutex_lock(&state.handle_lock);
    while ((entry = find_handle(key)) && entry->handle.active)
        key.instance++;
    pthread_mutex_unlock(&state.handle_lock);
    return key.instance;
}

bool mpiot_handle_activate(struct mpiot_handle *handle)
{
    pthread_mutex_lock(&state.handle_lock);
    bool was_active = handle->active;
    handle->active = true;
    pthread_mutex_unlock(&state.handle_lock);
    return !was_active;
}

void mpiot_handle_deactivate(struct mpiot_handle *handle)
{
    pthread_mutex_lock(&state.handle_lock);
    handle->active = false;
    pthread_mutex_unlock(&state.handle_lock);
}

void mpiot_file_add(struct mpiot_file *file, MPI_File fh)
{
    mpiot_handle_map_add(&state.open, &file->node, (uintptr_t)fh);
}

void mpiot_file_remove(struct mpiot_file *file)
{
    mpiot_handle_map_remove(&state.open, &file->node);
    atomic_fetch_add_explicit(&state.generation, 1, memory_order_release);
}

struct mpiot_file *mpiot_file_find(struct mpiot_thread *thread, MPI_File fh)
{
    uint64_t generation = atomic_load_explicit(&state.generation, memory_order_acquire);

    if (thread->cached_fh == fh && thread->cached_generation == generation)
        return thread->cached_file;
    struct mpiot_handle_node *node = mpiot_handle_map_find(&state.open, (uintptr_t)fh);
    if (!node)
        return NULL;
    thread->cached_fh = fh;
    thread->cached_generation = generation;
    thread->cached_file = (struct mpiot_file *)node; /* its first member */
    return thread->cached_file;
}

void mpiot_files_visit(void (*visit)(struct mpiot_file *, void *), void *argument)
{
    for (int i = 0; i < MPIOT_HANDLE_BUCKETS; i++) {
        struct mpiot_handle_node *node = atomic_load(&state.open.buckets[i]);
        while (node) {
            struct mpiot_handle_node *next = node->next;
            visit((struct mpiot_file *)node, argument);
            node = next;
        }
    }
}
