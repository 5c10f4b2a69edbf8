/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Memory for OTF2's chunks (OTF2_MemoryCallbacks in OTF2_Callbacks.h).
 *
 * Event chunks are mapped from a sparse file per location, raw/<location>.chunks, so that what was
 * recorded survives the process without any signal handler. OTF2 never zeroes a chunk it reuses:
 * each chunk is therefore mapped at an offset never used before, which reads as zeros, and what
 * lies behind the last record can be told from a record. Space is given back by punching out chunks
 * once the event file holds them.
 *
 * One event chunk per location: when OTF2 asks for another it is refused, which makes OTF2 flush
 * the first, release it and ask again. Definition chunks are few, written at the end, and private.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"
#include "trace/archive.h"
#include "trace/clock.h"

/** OTF2's per-buffer data of an event writer. */
struct chunk_file {
    int fd;         /**< -1: private memory */
    off_t offset;   /**< of the chunk in use, or of the next */
    void *chunk;    /**< in use, or NULL */
    uint64_t size;
    OTF2_LocationRef location;
};

/** OTF2's per-buffer data of a definition writer. */
struct private_chunk {
    struct private_chunk *next;
    char bytes[];
};

static struct {
    char directory[PATH_MAX];
    atomic_bool told_private;
} state;

static void tell_private(int error)
{
    if (!atomic_exchange(&state.told_private, true))
        mpiot_log_info("no event buffer in files below %s: %s; a killed process loses its last "
                       "events",
                       state.directory, strerror(error));
}

/** Backs a chunk with blocks: a full disk must fail here, not as SIGBUS at some later record. */
static void *map_chunk(struct chunk_file *file)
{
    int error = posix_fallocate(file->fd, file->offset, file->size);
    if (error) {
        tell_private(error);
        return NULL;
    }
    void *chunk =
        mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, file->offset);
    if (chunk == MAP_FAILED) {
        tell_private(errno);
        return NULL;
    }
    /* A forked child must not write the parent's records. */
    madvise(chunk, file->size, MADV_DONTFORK);
    return chunk;
}

static struct chunk_file *chunk_file_open(OTF2_LocationRef location, uint64_t size)
{
    char path[PATH_MAX + 64];
    struct chunk_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;

    snprintf(path, sizeof path, "%s/raw/%llu.chunks", state.directory,
             (unsigned long long)location);
    file->size = size;
    file->location = location;
    file->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd < 0)
        tell_private(errno);
    return file;
}

static void *event_chunk(void **per_buffer, OTF2_LocationRef location, uint64_t size)
{
    struct chunk_file *file = *per_buffer;

    if (!file)
        *per_buffer = file = chunk_file_open(location, size);
    if (!file || file->chunk)
        return NULL;
    if (file->fd >= 0)
        file->chunk = map_chunk(file);
    if (!file->chunk) {
        if (file->fd >= 0)
            close(file->fd);
        file->fd = -1;
        file->chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (file->chunk == MAP_FAILED)
            file->chunk = NULL;
    }
    return file->chunk;
}

/** Whether the event file of the location holds everything up to the end of the chunk in use. */
static bool event_file_covers(const struct chunk_file *file)
{
    char path[PATH_MAX + 64];
    struct stat events;

    snprintf(path, sizeof path, "%s/traces/%llu.evt", state.directory,
             (unsigned long long)file->location);
    return stat(path, &events) == 0 && events.st_size >= file->offset + (off_t)file->size;
}

static void release_event_chunk(void **per_buffer, bool final)
{
    struct chunk_file *file = *per_buffer;
    if (!file)
        return;
    if (file->chunk) {
        munmap(file->chunk, file->size);
        file->chunk = NULL;
        if (file->fd >= 0 && event_file_covers(file))
            fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, file->offset,
                      file->size);
        file->offset += file->size;
    }
    if (final) {
        if (file->fd >= 0)
            close(file->fd);
        free(file);
        *per_buffer = NULL;
    }
}

static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef location, void **per_buffer,
                      uint64_t size)
{
    (void)user;
    if (type == OTF2_FILETYPE_EVENTS)
        return event_chunk(per_buffer, location, size);

    struct private_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->next = *per_buffer;
    *per_buffer = chunk;
    return chunk->bytes;
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **per_buffer,
                     bool final)
{
    (void)user, (void)location;
    if (type == OTF2_FILETYPE_EVENTS) {
        release_event_chunk(per_buffer, final);
        return;
    }
    for (struct private_chunk *chunk = *per_buffer, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *per_buffer = NULL;
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return mpiot_clock_now();
}

int mpiot_buffer_start(OTF2_Archive *archive, const char *directory)
{
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
    char raw[PATH_MAX + 8];

    snprintf(state.directory, sizeof state.directory, "%s", directory);
    atomic_store(&state.told_private, false);
    snprintf(raw, sizeof raw, "%s/raw", directory);
    mkdir(raw, 0777); /* another rank may have; a failure shows when a chunk file is opened */
    if (OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) != OTF2_SUCCESS)
        return -EIO;
    return 0;
}
