/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/io_file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->lost = true)
#include <uthash.h>

#include "record/path.h"
#include "trace/definitions.h"

struct io_file {
    uint32_t reference[2]; /**< opened on one node, and across nodes; MPIOT_UNDEFINED: was not */
    bool lost;             /**< set by uthash where it found no memory */
    UT_hash_handle hh;
    char path[];
};

static struct {
    pthread_mutex_t lock;
    struct io_file *by_path;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t define(const char *path, bool spans_nodes)
{
    struct mpiot_filesystem filesystem;

    mpiot_filesystem_find(path, &filesystem);
    uint32_t file = mpiot_define_io_file(path, filesystem.node_local && !spans_nodes);
    if (filesystem.type[0])
        mpiot_define_io_file_property(file, "File system", filesystem.type);
    if (filesystem.mount_point)
        mpiot_define_io_file_property(file, "Mount point", filesystem.mount_point);
    free(filesystem.mount_point);
    return file;
}

/** The entry of a path, made if need be; under the lock. */
static struct io_file *entry_of(const char *path)
{
    struct io_file *entry;

    HASH_FIND_STR(state.by_path, path, entry);
    if (!entry && (entry = calloc(1, sizeof *entry + strlen(path) + 1))) {
        strcpy(entry->path, path);
        entry->reference[0] = entry->reference[1] = MPIOT_UNDEFINED;
        HASH_ADD_STR(state.by_path, path, entry);
        if (entry->lost) {
            free(entry);
            entry = NULL;
        }
    }
    return entry;
}

uint32_t mpiot_io_file_define(const char *path, bool spans_nodes)
{
    uint32_t file = MPIOT_UNDEFINED;

    pthread_mutex_lock(&state.lock);
    struct io_file *entry = entry_of(path);
    if (entry) {
        if (entry->reference[spans_nodes] == MPIOT_UNDEFINED)
            entry->reference[spans_nodes] = define(path, spans_nodes);
        file = entry->reference[spans_nodes];
    }
    pthread_mutex_unlock(&state.lock);
    return file;
}

uint32_t mpiot_io_file_deleted(const char *path)
{
    pthread_mutex_lock(&state.lock);
    struct io_file *entry = entry_of(path);
    bool spans_nodes = entry && entry->reference[true] != MPIOT_UNDEFINED;
    pthread_mutex_unlock(&state.lock);
    return mpiot_io_file_define(path, spans_nodes);
}
