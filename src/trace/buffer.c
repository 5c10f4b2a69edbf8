/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Memory for OTF2's chunks (OTF2_MemoryCallbacks and OTF2_FlushCallbacks in OTF2_Callbacks.h).
 *
 * Event chunks are mapped from the event file itself, traces/<location>.evt, one behind the other,
 * so that what was recorded survives the process without any signal handler. When OTF2 asks for
 * another chunk, the one before is complete, and needs but be unmapped; OTF2 itself is told never
 * to flush events, so that it neither writes an event file nor meets a full disk while it does.
 * Each chunk is at an offset never used before, which reads as zeros: what lies behind the last
 * record can be told from a record.
 *
 * A chunk has blocks before it is used: a full disk must fail here, not as SIGBUS at some later
 * record. Beyond the chunk a reserve is held for what must still be written when the disk is full:
 * the records that end what is open, and then, the event file being cut to its length, definitions.
 * A chunk that gets fewer blocks than it has bytes is filled only so far (mpiot_buffer_has_room).
 *
 * Definition chunks are few, written at the end, and private.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"
#include "trace/archive.h"
#include "trace/location.h"

enum {
    RESERVE = 128 << 10,   /**< bytes; a multiple of every page size */
    LEAST_ROOM = 64 << 10, /**< fewer bytes are not worth recording on */
    MOST_ZEROS = 512,      /**< no record has so many in a row */
    LAST_EVENT = 10,       /**< offset in a chunk of the number of its last event, 64 bits */
};

/** OTF2's per-buffer data of an event writer: the event file. */
struct event_file {
    OTF2_LocationRef location;
    unsigned char *chunk; /**< in use */
    uint64_t size;        /**< of every chunk */
    off_t offset;         /**< of the chunk in the file */
    uint64_t room;        /**< bytes of the chunk that may be used, besides the reserve */
    uint64_t mapped;      /**< bytes of the chunk that are the file's; the rest is private memory */
    uint64_t used;        /**< bytes that have been seen in use */
    struct event_file *next;
};

/** OTF2's per-buffer data of a definition writer. */
struct private_chunk {
    struct private_chunk *next;
    char bytes[];
};

static struct {
    char directory[PATH_MAX];
    pthread_mutex_t lock; /**< of the list */
    struct event_file *files;
    _Atomic int error; /**< first failure to write an event file */
    atomic_bool told_private;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

static void tell_private(int error)
{
    if (!atomic_exchange(&state.told_private, true))
        mpiot_log_info("no event buffer in files below %s: %s; a killed process loses its last "
                       "events",
                       state.directory, strerror(error));
}

static void fail(int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&state.error, &none, error);
    mpiot_trace_stop("cannot write events: %s", strerror(error));
}

static int open_events(const struct event_file *file, int flags)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/traces/%llu.evt", state.directory,
             (unsigned long long)file->location);
    return open(path, O_RDWR | O_CLOEXEC | flags, 0666);
}

/**
 * Gets blocks for the chunk and the reserve, or for as much of the chunk as there is room for.
 * 0 or a positive errno that has nothing to do with room.
 */
static int get_blocks(struct event_file *file, int fd)
{
    off_t held = file->offset ? file->offset + RESERVE : 0;

    for (file->room = file->size; file->room >= LEAST_ROOM; file->room /= 2) {
        int error = posix_fallocate(fd, file->offset, file->room + RESERVE);
        if (!is_full(error))
            return error;
        /* What has been allocated in vain. */
        if (ftruncate(fd, held) != 0)
            return errno;
    }
    file->room = 0;
    return 0;
}

/** Puts the file's blocks in the place of the chunk's first bytes. */
static int map_blocks(struct event_file *file, int fd)
{
    uint64_t bytes = file->room > 0 ? file->room + RESERVE : file->offset ? RESERVE : 0;

    if (bytes > 0 && mmap(file->chunk, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                          file->offset) == MAP_FAILED)
        return errno;
#ifdef MADV_POPULATE_WRITE
    /* A fault per page while it records would cost more than the records; older kernels refuse. */
    if (bytes > 0)
        madvise(file->chunk, bytes, MADV_POPULATE_WRITE);
#endif
    file->mapped = bytes;
    return 0;
}

/** The chunk at the file's offset; NULL: no memory. */
static void *begin_chunk(struct event_file *file)
{
    /* One byte behind the chunk is written by OTF2 3.0 where the last record just fits in. */
    file->chunk = mmap(NULL, file->size + RESERVE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (file->chunk == MAP_FAILED)
        return file->chunk = NULL;
    file->used = file->mapped = 0;
    file->room = file->size;

    int fd = open_events(file, file->offset ? 0 : O_CREAT | O_EXCL);
    int error = fd < 0 ? errno : get_blocks(file, fd);
    if (!error)
        error = map_blocks(file, fd);
    if (error)
        tell_private(error);
    if (fd >= 0)
        close(fd);
    /* A forked child must not write the parent's records. */
    madvise(file->chunk, file->size + RESERVE, MADV_DONTFORK);
    if (file->room < file->size)
        mpiot_trace_restrict(file->room > 0);
    return file->chunk;
}

/** Writes what of the chunk's first `size` bytes is in private memory. */
static int write_private(const struct event_file *file, int fd, uint64_t size)
{
    for (uint64_t done = file->mapped; done < size;) {
        ssize_t written = pwrite(fd, file->chunk + done, size - done, file->offset + done);
        if (written < 0)
            return errno;
        done += written;
    }
    return 0;
}

/** The chunk's first `size` bytes are complete; `last`: and the file ends there. */
static void end_chunk(struct event_file *file, uint64_t size, bool last)
{
    int fd = last || file->mapped < size ? open_events(file, O_CREAT) : -1;
    int error = 0;

    if (last || file->mapped < size)
        error = fd < 0 ? errno : write_private(file, fd, size);
    if (!error && last && ftruncate(fd, file->offset + size) != 0)
        error = errno;
    if (error)
        fail(error);
    if (fd >= 0)
        close(fd);
    munmap(file->chunk, file->size + RESERVE);
    file->chunk = NULL;
}

static struct event_file *event_file_create(OTF2_LocationRef location, uint64_t size)
{
    struct event_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->location = location;
    file->size = size;
    pthread_mutex_lock(&state.lock);
    file->next = state.files;
    state.files = file;
    pthread_mutex_unlock(&state.lock);
    return file;
}

static void *event_chunk(void **per_buffer, OTF2_LocationRef location, uint64_t size)
{
    struct event_file *file = *per_buffer;

    if (!file) {
        *per_buffer = file = event_file_create(location, size);
        if (!file)
            return NULL;
    } else {
        end_chunk(file, size, false);
        file->offset += size;
    }
    return begin_chunk(file);
}

static struct event_file *find(OTF2_LocationRef location)
{
    pthread_mutex_lock(&state.lock);
    struct event_file *file = state.files;
    while (file && file->location != location)
        file = file->next;
    pthread_mutex_unlock(&state.lock);
    return file;
}

/** Finds the end of the records, by the zeros behind them. */
static uint64_t find_end(struct event_file *file)
{
    for (uint64_t at = file->used; at < file->size && at < file->used + MOST_ZEROS; at++)
        if (file->chunk[at])
            file->used = at + 1;
    return file->used;
}

bool mpiot_buffer_has_room(uint64_t location)
{
    struct event_file *file = find(location);
    return file && file->chunk && (file->room == file->size || find_end(file) < file->room);
}

static void event_file_end(void **per_buffer)
{
    struct event_file *file = *per_buffer;
    if (!file)
        return;
    if (file->chunk) {
        /* OTF2's mark of the end, which may be behind the chunk. */
        uint64_t end = find_end(file);
        end_chunk(file, end + (end == file->size && file->chunk[end]), true);
    }
    pthread_mutex_lock(&state.lock);
    struct event_file **link = &state.files;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    pthread_mutex_unlock(&state.lock);
    free(file);
    *per_buffer = NULL;
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

/** For events, which are never flushed, this comes only with `final`. */
static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **per_buffer,
                     bool final)
{
    (void)user, (void)location, (void)final;
    if (type == OTF2_FILETYPE_EVENTS) {
        event_file_end(per_buffer);
        return;
    }
    for (struct private_chunk *chunk = *per_buffer, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *per_buffer = NULL;
}

/** For events, called when their writer is closed: the last chunk lacks what a flush would add. */
static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *writer, bool final)
{
    uint64_t last_event;
    (void)user, (void)final;

    if (type != OTF2_FILETYPE_EVENTS)
        return OTF2_FLUSH;
    struct event_file *file = find(location);
    if (file && file->chunk &&
        OTF2_EvtWriter_GetNumberOfEvents(writer, &last_event) == OTF2_SUCCESS)
        memcpy(file->chunk + LAST_EVENT, &last_event, sizeof last_event);
    return OTF2_NO_FLUSH;
}

int mpiot_buffer_start(OTF2_Archive *archive, const char *directory)
{
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    static const OTF2_FlushCallbacks flush = {pre_flush, NULL};

    snprintf(state.directory, sizeof state.directory, "%s", directory);
    atomic_store(&state.told_private, false);
    atomic_store(&state.error, 0);
    if (OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL) != OTF2_SUCCESS)
        return -EIO;
    return 0;
}

int mpiot_buffer_error(void)
{
    return -atomic_load(&state.error);
}
