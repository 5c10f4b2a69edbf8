/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/hints.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/definitions.h"
#include "trace/events.h"

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->lost = true)
#include <uthash.h>

/** What a file's properties say, to tell differences at later opens. */
struct file_hints {
    uint32_t file;
    bool lost; /**< set by uthash where it found no memory */
    struct hint *hints;
    UT_hash_handle hh;
};

struct hint {
    struct hint *next;
    char *value;
    char name[];
};

static struct {
    pthread_mutex_t lock;
    struct file_hints *files;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/** Calls `visit` with the attribute name and value of each hint of `info`. */
static void for_each_hint(MPI_Info info, void (*visit)(const char *, const char *, void *),
                          void *argument)
{
    char key[MPI_MAX_INFO_KEY + 1], name[MPI_MAX_INFO_KEY + 16], value[MPI_MAX_INFO_VAL + 1];
    int count = 0, set;

    if (info == MPI_INFO_NULL || PMPI_Info_get_nkeys(info, &count) != MPI_SUCCESS)
        return;
    for (int i = 0; i < count; i++) {
        if (PMPI_Info_get_nthkey(info, i, key) != MPI_SUCCESS ||
            PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &set) != MPI_SUCCESS || !set)
            continue;
        snprintf(name, sizeof name, "MPI hint: %s", key);
        visit(name, value, argument);
    }
}

static void add_attribute(const char *name, const char *value, void *location)
{
    mpiot_event_named_attribute(location, name, value);
}

void mpiot_hints_add_attributes(struct mpiot_location *location, MPI_Info info)
{
    for_each_hint(info, add_attribute, location);
}

static void remember(const char *name, const char *value, void *argument)
{
    struct file_hints *entry = argument;
    struct hint *hint = malloc(sizeof *hint + strlen(name) + 1);
    if (!hint)
        return;
    strcpy(hint->name, name);
    hint->value = strdup(value);
    hint->next = entry->hints;
    entry->hints = hint;
    mpiot_define_io_file_property(entry->file, name, value);
}

struct comparison {
    const struct file_hints *first;
    struct mpiot_location *location;
};

static void add_if_different(const char *name, const char *value, void *argument)
{
    const struct comparison *comparison = argument;
    const struct hint *hint = comparison->first->hints;

    while (hint && strcmp(hint->name, name) != 0)
        hint = hint->next;
    if (!hint || !hint->value || strcmp(hint->value, value) != 0)
        mpiot_event_named_attribute(comparison->location, name, value);
}

/** The entry of a file; `*first` says that this is its first open. */
static struct file_hints *entry_of(uint32_t file, bool *first)
{
    struct file_hints *entry;

    pthread_mutex_lock(&state.lock);
    HASH_FIND(hh, state.files, &file, sizeof file, entry);
    *first = !entry;
    if (!entry && (entry = calloc(1, sizeof *entry))) {
        entry->file = file;
        HASH_ADD(hh, state.files, file, sizeof file, entry);
        if (entry->lost) {
            free(entry);
            entry = NULL;
        }
    }
    pthread_mutex_unlock(&state.lock);
    return entry;
}

void mpiot_hints_record(struct mpiot_location *location, uint32_t file, MPI_File fh)
{
    bool first;
    MPI_Info info = MPI_INFO_NULL;
    struct file_hints *entry = entry_of(file, &first);

    if (!entry || PMPI_File_get_info(fh, &info) != MPI_SUCCESS)
        return;
    if (first)
        for_each_hint(info, remember, entry);
    else
        for_each_hint(info, add_if_different,
                      &(struct comparison){.first = entry, .location = location});
    if (info != MPI_INFO_NULL)
        PMPI_Info_free(&info);
}
