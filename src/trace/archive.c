/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Functions of this header are static, and not all of them are of use here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <otf2/OTF2_Pthread_Locks.h>
#pragma GCC diagnostic pop

#include "common/config.h"
#include "common/log.h"
#include "trace/clock.h"
#include "trace/clock_sync.h"
#include "trace/comm.h"
#include "trace/definitions.h"
#include "trace/journal.h"
#include "trace/location.h"
#include "trace/unify.h"

_Atomic int mpiot_trace_state;

static struct {
    struct mpiot_trace_identity identity;
    char mpi_library[256];
    char directory[PATH_MAX];
    OTF2_Archive *archive;
    _Atomic bool marks[MPIOT_MARK_COUNT];
    _Atomic bool write_failed; /**< OTF2 could not write a file */
    uint64_t begin;     /**< ticks, and the real time then in nanoseconds since the epoch */
    uint64_t realtime;
    uint32_t root_context;
} state;

/**
 * OTF2's own messages would be noise on the program's stderr; what matters is said elsewhere. A
 * file it could not write is known only from here: closing one reports no error.
 */
static OTF2_ErrorCode otf2_error(void *user, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode error, const char *format, va_list arguments)
{
    char text[256];
    (void)user, (void)file, (void)line;
    vsnprintf(text, sizeof text, format, arguments);
    mpiot_log_debug("%s: %s: %s", function, OTF2_Error_GetDescription(error), text);
    if (error == OTF2_ERROR_ENOSPC || error == OTF2_ERROR_EDQUOT || error == OTF2_ERROR_EIO ||
        error == OTF2_ERROR_EFBIG)
        atomic_store(&state.write_failed, true);
    return error;
}

static int open_archive(void)
{
    enum { DEFINITION_CHUNK = 1 << 20 };

    OTF2_Error_RegisterCallback(otf2_error, NULL);
    state.archive =
        OTF2_Archive_Open(state.directory, "traces", OTF2_FILEMODE_WRITE,
                          mpiot_config()->buffer_size, DEFINITION_CHUNK, OTF2_SUBSTRATE_POSIX,
                          OTF2_COMPRESSION_NONE);
    if (!state.archive)
        return -EIO;
    if (OTF2_Pthread_Archive_SetLockingCallbacks(state.archive, NULL) != OTF2_SUCCESS ||
        mpiot_buffer_start(state.archive, state.directory) != 0 ||
        mpiot_collectives_set(state.archive) != 0 ||
        OTF2_Archive_SetCreator(state.archive, PACKAGE_STRING) != OTF2_SUCCESS ||
        OTF2_Archive_OpenEvtFiles(state.archive) != OTF2_SUCCESS)
        return -EIO;
    return 0;
}

static uint64_t realtime_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/** The first definitions, and in the journal what mpiotrace-recover must know of the process. */
static int describe_process(bool call_paths)
{
    mpiot_journal_start(state.directory, state.identity.world_rank);

    uint32_t root = mpiot_define_region(program_invocation_short_name, MPIOT_ROLE_PROGRAM);
    const struct mpiot_clock_offset *offset = mpiot_clock_offsets();
    struct mpiot_journal_process row = {
        .version = MPIOT_JOURNAL_VERSION,
        .world_rank = state.identity.world_rank,
        .world_size = state.identity.world_size,
        .pid = getpid(),
        .chunk_size = mpiot_config()->buffer_size,
        .resolution = MPIOT_CLOCK_RESOLUTION,
        .begin = state.begin,
        .realtime = state.realtime,
        .clock_time = offset ? offset->time : 0,
        .clock_offset = offset ? offset->offset : 0,
        .node = mpiot_define_node(),
        .mpi_library = mpiot_define_string(state.mpi_library),
        .root_region = root,
    };
    if (root == MPIOT_UNDEFINED)
        return -ENOMEM;
    state.root_context =
        call_paths ? mpiot_define_context(root, MPIOT_UNDEFINED, MPIOT_UNDEFINED) : MPIOT_UNDEFINED;
    mpiot_journal_append(MPIOT_JOURNAL_PROCESS, &row.version, sizeof row / sizeof row.version);
    mpiot_locations_start(state.archive, state.identity.world_rank, root, state.root_context);
    return 0;
}

int mpiot_trace_start(const struct mpiot_trace_identity *identity)
{
    state.identity = *identity;
    snprintf(state.mpi_library, sizeof state.mpi_library, "%s", identity->mpi_library);

    int error = mpiot_directory_make(&state.identity, state.directory);
    if (error == -EXDEV) {
        if (mpiot_comm_rank() == 0)
            mpiot_log_error("not all ranks see the directory %s: each rank writes its own archive",
                            state.directory);
        mpiot_comm_leave();
        state.identity.joint = false;
        error = mpiot_directory_make(&state.identity, state.directory);
    }
    if (error)
        return error;

    /* One rank without call paths, and none has them. */
    uint64_t plain = mpiot_config()->callstack == 0;
    if (mpiot_comm_max(&plain) != 0)
        return -EIO;
    error = mpiot_clock_sync_start();
    if (error) {
        mpiot_log_error("cannot compare clocks: %s; nothing is traced", strerror(-error));
        return error;
    }
    state.begin = mpiot_clock_now();
    state.realtime = realtime_now();
    error = mpiot_definitions_start();
    if (!error)
        error = open_archive();
    if (!error)
        error = describe_process(!plain);
    if (error)
        mpiot_log_error("cannot open the archive %s: %s; nothing is traced", state.directory,
                        strerror(-error));

    /* One rank's failure is everybody's: no rank may wait for another at the end. */
    uint64_t failed = error != 0;
    if (mpiot_comm_max(&failed) != 0 || failed)
        return error ? error : -EIO;

    atomic_store(&mpiot_trace_state, MPIOT_TRACE_ON);
    mpiot_log_info("archive %s", state.directory);
    return 0;
}

void mpiot_trace_stop(const char *format, ...)
{
    char text[512];
    va_list arguments;

    if (atomic_exchange(&mpiot_trace_state, MPIOT_TRACE_OFF) == MPIOT_TRACE_OFF)
        return;
    mpiot_trace_mark(MPIOT_MARK_PARTIAL);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mpiot_log_error("tracing stops: %s; the archive %s holds what was recorded before", text,
                    state.directory);
}

void mpiot_trace_restrict(bool some)
{
    int on = MPIOT_TRACE_ON;

    if (some)
        atomic_compare_exchange_strong(&mpiot_trace_state, &on, MPIOT_TRACE_FULL);
    else
        mpiot_trace_stop("no room in the file system for events of this rank from now on");
}

bool mpiot_trace_admits(const struct mpiot_location *location)
{
    bool room = mpiot_buffer_has_room(location->id);
    if (!room)
        mpiot_trace_restrict(false);
    return room;
}

bool mpiot_trace_is_joint(void)
{
    return state.identity.joint;
}

uint32_t mpiot_trace_root_context(void)
{
    return state.root_context;
}

void mpiot_trace_mark(enum mpiot_mark mark)
{
    atomic_store(&state.marks[mark], true);
}

/** A mark of one rank is the archive's. Collective; the property is written with the anchor. */
static int write_marks(void)
{
    static const char *const names[MPIOT_MARK_COUNT] = {"paused", "partial", "recovered"};
    char marks[64] = "";

    for (int i = 0; i < MPIOT_MARK_COUNT; i++) {
        uint64_t set = atomic_load(&state.marks[i]);
        int error = mpiot_comm_max(&set);
        if (error)
            return error;
        if (set)
            snprintf(marks + strlen(marks), sizeof marks - strlen(marks), "%s%s",
                     marks[0] ? "," : "", names[i]);
    }
    if (marks[0])
        OTF2_Archive_SetProperty(state.archive, "MPIOTRACE::MARK", marks, true);
    return 0;
}

/** First and last time of the process's records: their extremes over all ranks bound the trace. */
static int agree_on_times(struct mpiot_writeout *run)
{
    int error = mpiot_clock_sync_end();
    const struct mpiot_clock_offset *offsets = mpiot_clock_offsets();
    enum { ROUNDING = 1 };

    if (error)
        return error;
    run->begin = state.begin;
    run->end = mpiot_clock_now();
    for (struct mpiot_location *location = mpiot_locations(); location; location = location->next) {
        if (location->first_time < run->begin)
            run->begin = location->first_time;
        if (location->last_time > run->end)
            run->end = location->last_time;
    }
    run->begin = mpiot_clock_global(run->begin, offsets) - (offsets ? ROUNDING : 0);
    run->end = mpiot_clock_global(run->end, offsets) + (offsets ? ROUNDING : 0);
    error = mpiot_comm_min(&run->begin);
    run->realtime = state.realtime + (run->begin - state.begin); /* on rank 0, which writes it */
    return error ? error : mpiot_comm_max(&run->end);
}

/**
 * Whether definition records of `bytes` at most can be written. OTF2 3.0 crashes if it finds no
 * room for a file of more than 4 MiB; for smaller ones it says so.
 */
static int check_room(uint64_t bytes)
{
    enum { MIB = 1 << 20 };
    char path[PATH_MAX + 64];

    if (bytes < 4 * MIB)
        return 0;
    snprintf(path, sizeof path, "%s/traces/%d.room", state.directory, state.identity.world_rank);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -errno;
    int error = posix_fallocate(fd, 0, bytes);
    close(fd);
    unlink(path);
    return error == ENOSPC || error == EDQUOT ? -error : 0;
}

enum { RECORD_OVERHEAD = 32, WORD = 9 }; /**< bytes in OTF2's form, at most */

static uint64_t size_of_maps(const struct mpiot_defmap *map)
{
    uint64_t size = 0;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        size += RECORD_OVERHEAD + WORD * map->count[kind];
    return size;
}

static uint64_t size_of_definitions(const struct mpiot_deftable *table)
{
    uint64_t size = 0;
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        for (uint64_t i = 0; i < mpiot_deftable_count(table, kind); i++)
            size += RECORD_OVERHEAD + WORD * (uint64_t)mpiot_deftable_get(table, kind, i).count;
    return size;
}

/** Writes this process's part, and packs what rank 0 writes of it. */
static int write_own(const struct mpiot_defmap *map, uint64_t **words, size_t *count)
{
    struct mpiot_writeout_location *locations;
    size_t location_count;
    uint64_t node = map->index[MPIOT_DEF_SYSTEM_TREE_NODE][mpiot_define_node()];

    int error = mpiot_locations_list(&locations, &location_count);
    if (error)
        return error;
    error = check_room(location_count * size_of_maps(map));
    if (!error && OTF2_Archive_OpenDefFiles(state.archive) != OTF2_SUCCESS)
        error = -EIO;
    if (!error)
        error = mpiot_writeout_local(state.archive, locations, location_count, map,
                                     mpiot_clock_offsets());
    if (!error && OTF2_Archive_CloseDefFiles(state.archive) != OTF2_SUCCESS)
        error = -EIO;
    if (!error)
        error = mpiot_writeout_process(state.identity.world_rank, node, locations, location_count,
                                       words, count);
    free(locations);
    return error;
}

/** Unifies, and writes what there is to write about definitions. Collective. */
static int write_definitions(void)
{
    struct mpiot_transport transport = {mpiot_comm_rank(), mpiot_comm_size(), mpiot_comm_send,
                                        mpiot_comm_receive};
    struct mpiot_writeout run = {.unified = mpiot_definitions_table(),
                                 .mpi_library = state.mpi_library};
    struct mpiot_defmap map = {0};
    uint64_t *own = NULL, *all = NULL;
    size_t own_count;

    int error = agree_on_times(&run);
    if (!error)
        error = mpiot_unify(run.unified, &transport, &map);
    if (error)
        return error;
    error = write_own(&map, &own, &own_count);
    mpiot_defmap_release(&map);

    /* From here on a rank that failed would leave the others waiting: agree first. */
    uint64_t failed = error != 0;
    if (mpiot_comm_max(&failed) != 0 || failed) {
        error = error ? error : -EIO;
    } else {
        error = mpiot_comm_gather(own, own_count, &all, &run.word_count);
        run.processes = all;
        if (!error && mpiot_comm_rank() == 0)
            error = check_room(size_of_definitions(run.unified) +
                               (RECORD_OVERHEAD + WORD) * run.word_count);
        if (!error && mpiot_comm_rank() == 0)
            error = mpiot_writeout_global(state.archive, &run);
    }
    free(own);
    free(all);
    return error;
}

/** The archive holds everything: the journal has served. */
static void remove_raw(void)
{
    char path[PATH_MAX + 64];

    mpiot_journal_end(state.directory, state.identity.world_rank, !state.identity.joint);
    snprintf(path, sizeof path, "%s/raw", state.directory);
    rmdir(path); /* the last rank's succeeds */
}

void mpiot_trace_end(void)
{
    atomic_store(&mpiot_trace_state, MPIOT_TRACE_OFF);
    mpiot_locations_end(state.archive);
    mpiot_collectives_write_anchor(mpiot_comm_rank() == 0);

    int error = OTF2_Archive_CloseEvtFiles(state.archive) == OTF2_SUCCESS ? 0 : -EIO;
    if (!error)
        error = mpiot_buffer_error();
    int definitions_error = write_definitions();
    int marks_error = write_marks();
    error = error ? error : definitions_error ? definitions_error : marks_error;

    /* Without its anchor file an archive is what a dead job leaves: mpiotrace-recover's. */
    uint64_t failed = error || atomic_load(&state.write_failed);
    if (mpiot_comm_max(&failed) != 0)
        failed = true;
    if (failed)
        mpiot_collectives_write_anchor(false);
    if (OTF2_Archive_Close(state.archive) != OTF2_SUCCESS && !error)
        error = -EIO;
    if (atomic_load(&state.write_failed) && !error)
        error = -EIO;
    if (error)
        mpiot_log_error("the archive %s is not complete: %s; mpiotrace-recover makes one of what "
                        "is there",
                        state.directory, strerror(-error));
    failed |= error != 0;
    if (mpiot_comm_max(&failed) == 0 && !failed)
        remove_raw();
    mpiot_locations_release();
    mpiot_definitions_end();
}
