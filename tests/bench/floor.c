/* SPDX-License-Identifier: BSD-3-Clause */
#include "floor.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { CHUNK = 4 << 20 };

static struct {
    OTF2_Archive *archive;
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    uint64_t bytes, matching_id;
} state;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
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
    return now();
}

/** One chunk that is flushed when it is full; fresh memory with its pages, as the tracer's. */
static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef location, void **per_buffer,
                      uint64_t size)
{
    (void)user, (void)type, (void)location;
    if (*per_buffer)
        return NULL;
    *per_buffer = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return *per_buffer == MAP_FAILED || size > CHUNK ? NULL : *per_buffer;
}

static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **per_buffer,
                     bool final)
{
    (void)user, (void)type, (void)location, (void)final;
    if (*per_buffer)
        munmap(*per_buffer, CHUNK);
    *per_buffer = NULL;
}

void floor_start(const char *directory, uint64_t bytes)
{
    static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};

    state.archive = OTF2_Archive_Open(directory, "floor", OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!state.archive || OTF2_Archive_SetSerialCollectiveCallbacks(state.archive) ||
        OTF2_Archive_SetFlushCallbacks(state.archive, &flush, NULL) ||
        OTF2_Archive_SetMemoryCallbacks(state.archive, &memory, NULL) ||
        OTF2_Archive_OpenEvtFiles(state.archive) ||
        !(state.writer = OTF2_Archive_GetEvtWriter(state.archive, 0))) {
        fprintf(stderr, "bench: no OTF2 archive in %s\n", directory);
        exit(1);
    }
    state.attributes = OTF2_AttributeList_New();
    state.bytes = bytes;
}

void floor_run(long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t begin = now();
        OTF2_EvtWriter_Enter(state.writer, NULL, begin, 1);
        OTF2_AttributeList_AddUint64(state.attributes, 0, i * state.bytes);
        OTF2_EvtWriter_IoOperationBegin(state.writer, state.attributes, begin, 0,
                                        OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NONE,
                                        state.bytes, state.matching_id);
        uint64_t end = now();
        OTF2_EvtWriter_IoOperationComplete(state.writer, NULL, end, 0, state.bytes,
                                           state.matching_id++);
        OTF2_EvtWriter_Leave(state.writer, NULL, end, 1);
    }
}

void floor_end(void)
{
    OTF2_AttributeList_Delete(state.attributes);
    OTF2_Archive_CloseEvtWriter(state.archive, state.writer);
    OTF2_Archive_CloseEvtFiles(state.archive);
    OTF2_Archive_Close(state.archive);
}
