/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cutting a stream of event records after its last whole one.
 *
 * A chunk, as OTF2 3.0 writes it: byte 3, a mark of the byte order, numbers of its first and last
 * event (64 bits; the last is filled in when the chunk is flushed), records, zeros. A record is its
 * type, a length (one byte; 255: a 64-bit length follows) and as many bytes; Enter and Leave have
 * one compressed number instead, which tells its own length. A timestamp (type 5, 64 bits) and an
 * attribute list (type 6) belong to the event behind them. The bytes 2 and 1 end the last chunk.
 *
 * OTF2 writes a record's length last, so that a record whose length is zero is not whole. Enter and
 * Leave have no such mark: at the end of the stream they are believed only with a number that is
 * not zero.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/recover.h"

enum {
    CHUNK_HEADER = 3,
    END_OF_FILE = 2,
    END_OF_BUFFER = 1,
    TIMESTAMP = 5,
    ATTRIBUTE_LIST = 6,
    FIRST_EVENT = 10,
    ENTER = 12,
    LEAVE = 13,

    HEADER_SIZE = 2 + 2 * sizeof(uint64_t),
    LONG_LENGTH = 255,
};

/** A chunk in memory. */
struct chunk {
    unsigned char *bytes;
    size_t size;    /**< of the allocation, the process's chunk size */
    size_t end;     /**< behind the last whole event */
    uint64_t first; /**< number of its first event */
    uint64_t count; /**< of whole events */
};

static uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/** Size of the compressed number at `at`: a byte that counts, and so many; 0: not a whole one. */
static size_t number_size(const struct chunk *chunk, size_t at)
{
    if (at >= chunk->size)
        return 0;
    unsigned count = chunk->bytes[at];
    if (count == 0xff)
        return 1;
    if (count > sizeof(uint32_t) || at + 1 + count > chunk->size)
        return 0;
    /* The highest byte of a compressed number is never zero. */
    return count == 0 || chunk->bytes[at + count] != 0 ? 1 + count : 0;
}

/** Size of the record at `at`; 0: it is not whole, or not a record. */
static size_t record_size(const struct chunk *chunk, size_t at)
{
    unsigned type = chunk->bytes[at];
    size_t left = chunk->size - at, size;

    switch (type) {
    case TIMESTAMP:
        return left > sizeof(uint64_t) ? 1 + sizeof(uint64_t) : 0;
    case ENTER:
    case LEAVE:
        size = number_size(chunk, at + 1);
        return size ? 1 + size : 0;
    default:
        break;
    }
    if ((type != ATTRIBUTE_LIST && type < FIRST_EVENT) || left < 2 || chunk->bytes[at + 1] == 0)
        return 0;
    if (chunk->bytes[at + 1] != LONG_LENGTH)
        size = 2 + chunk->bytes[at + 1];
    else if (left < 2 + sizeof(uint64_t) || word_at(chunk->bytes + at + 2) > left)
        return 0;
    else
        size = 2 + sizeof(uint64_t) + word_at(chunk->bytes + at + 2);
    return size <= left ? size : 0;
}

/** Counts the whole events of a chunk, and finds their end. */
static void scan(struct chunk *chunk)
{
    size_t at = HEADER_SIZE, size, last = 0, before_last = at;

    chunk->end = at;
    chunk->count = 0;
    /* OTF2 leaves a byte behind the last record of a chunk, to end it. */
    while (at < chunk->size && (size = record_size(chunk, at)) > 0 && at + size < chunk->size) {
        if (chunk->bytes[at] >= FIRST_EVENT) {
            last = at;
            before_last = chunk->end;
            chunk->end = at + size;
            chunk->count++;
        }
        at += size;
    }
    /* Region 0 is the program's, entered first and left last: here, a record without its number. */
    bool torn = last && (chunk->bytes[last] == ENTER || chunk->bytes[last] == LEAVE) &&
                chunk->bytes[last + 1] == 0 && chunk->bytes[at] == 0 &&
                !(chunk->first == 1 && chunk->count <= 2);
    if (torn) {
        chunk->end = before_last;
        chunk->count--;
    }
}

/** Reads the chunk at `offset`; false: none is there that starts with event `first`. */
static bool read_chunk(int fd, off_t offset, uint64_t first, struct chunk *chunk)
{
    ssize_t got = pread(fd, chunk->bytes, HEADER_SIZE, offset);

    if (got < HEADER_SIZE || chunk->bytes[0] != CHUNK_HEADER || word_at(chunk->bytes + 2) != first)
        return false;
    got = pread(fd, chunk->bytes, chunk->size, offset);
    if (got < HEADER_SIZE)
        return false;
    memset(chunk->bytes + got, 0, chunk->size - got);
    chunk->first = first;
    scan(chunk);
    return chunk->count > 0;
}

/** Writes a chunk: a whole one, or the last, which is as long as its records. */
static int write_chunk(FILE *out, struct chunk *chunk, bool last)
{
    uint64_t last_event = chunk->first + chunk->count - 1;
    size_t size = chunk->size;

    memcpy(chunk->bytes + 2 + sizeof last_event, &last_event, sizeof last_event);
    memset(chunk->bytes + chunk->end, 0, chunk->size - chunk->end);
    if (last) {
        chunk->bytes[chunk->end] = END_OF_FILE;
        size = chunk->end + 1;
        if (size < chunk->size)
            chunk->bytes[size++] = END_OF_BUFFER;
    }
    return fwrite(chunk->bytes, size, 1, out) == 1 ? 0 : -EIO;
}

/** Copies whole chunks; the one read last is kept back, as only then it is known for the last. */
static int copy_chunks(int events, FILE *out, size_t chunk_size)
{
    struct chunk chunk = {.size = chunk_size}, next = {.size = chunk_size};
    off_t offset = 0;
    int error = 0;

    chunk.bytes = malloc(chunk_size);
    next.bytes = malloc(chunk_size);
    if (!chunk.bytes || !next.bytes)
        error = -ENOMEM;
    else if (!read_chunk(events, offset, 1, &chunk))
        error = -ENODATA;
    while (!error && read_chunk(events, offset += chunk_size, chunk.first + chunk.count, &next)) {
        error = write_chunk(out, &chunk, false);
        struct chunk written = chunk;
        chunk = next;
        next = written;
    }
    if (!error)
        error = write_chunk(out, &chunk, true);
    free(chunk.bytes);
    free(next.bytes);
    return error;
}

int mpiot_recover_cut(const struct mpiot_recover_process *process, uint64_t id, const char *target)
{
    char path[PATH_MAX];
    FILE *out = fopen(target, "w");
    int error = out ? 0 : -errno;

    if (error) {
        mpiot_recover_complain(target, "%s", strerror(-error));
        return error;
    }
    mpiot_recover_event_file(path, process, id);
    int events = open(path, O_RDONLY | O_CLOEXEC);
    error = events < 0 ? -ENODATA : copy_chunks(events, out, process->head.chunk_size);
    if (fclose(out) != 0 && !error)
        error = -errno;
    if (error && error != -ENODATA)
        mpiot_recover_complain(target, "%s", strerror(-error));
    if (events >= 0)
        close(events);
    return error;
}
