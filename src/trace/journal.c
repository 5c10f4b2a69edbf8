/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"

static struct {
    pthread_mutex_t lock; /**< rows of definitions and of locations come under locks of their own */
    int fd;
    off_t size;           /**< up to the end of the last whole row */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

void mpiot_journal_path(char path[PATH_MAX], const char *directory, uint64_t world_rank, bool raw)
{
    snprintf(path, PATH_MAX, "%s/%s%llu.rows", directory, raw ? "raw/" : "",
             (unsigned long long)world_rank);
}

/** Gives up: what is there stays, cut at its last whole row. */
static void give_up(int error)
{
    mpiot_log_info("cannot write the journal of definitions: %s; if this process is killed, what "
                   "it records from now on is lost",
                   strerror(error));
    if (ftruncate(state.fd, state.size) != 0) {
        /* A reader finds the end of the last whole row by itself. */
    }
    close(state.fd);
    state.fd = -1;
}

static void write_words(const uint64_t *words, size_t count)
{
    ssize_t size = count * sizeof *words;
    ssize_t written = write(state.fd, words, size);

    if (written == size)
        state.size += size;
    else
        give_up(written < 0 ? errno : ENOSPC);
}

void mpiot_journal_append(uint64_t kind, const uint64_t *words, uint32_t count)
{
    uint64_t on_stack[64], *row = on_stack;

    pthread_mutex_lock(&state.lock);
    if (state.fd < 0)
        goto unlock;
    if (count + 1 > sizeof on_stack / sizeof *on_stack)
        row = malloc((count + 1) * sizeof *row);
    if (!row) {
        give_up(ENOMEM);
        goto unlock;
    }
    row[0] = kind << 32 | count;
    memcpy(row + 1, words, count * sizeof *words);
    write_words(row, count + 1);
    if (row != on_stack)
        free(row);
unlock:
    pthread_mutex_unlock(&state.lock);
}

void mpiot_journal_start(const char *directory, uint64_t world_rank)
{
    const uint64_t magic = MPIOT_JOURNAL_MAGIC;
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/raw", directory);
    mkdir(path, 0777); /* another rank may have; a failure shows in the next line */
    mpiot_journal_path(path, directory, world_rank, true);
    state.size = 0;
    state.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0666);
    if (state.fd < 0)
        mpiot_log_info("no journal of definitions %s: %s; if this process is killed, its records "
                       "are lost",
                       path, strerror(errno));
    else
        write_words(&magic, 1);
}

void mpiot_journal_end(const char *directory, uint64_t world_rank, bool keep)
{
    char raw[PATH_MAX], kept[PATH_MAX];

    if (state.fd >= 0)
        close(state.fd);
    state.fd = -1;
    mpiot_journal_path(raw, directory, world_rank, true);
    mpiot_journal_path(kept, directory, world_rank, false);
    if (!keep || rename(raw, kept) != 0)
        unlink(raw);
}
