/* SPDX-License-Identifier: BSD-3-Clause */
/** The archive: its directory, its callbacks and its definitions, as src/trace shares them. */
#ifndef MPIOT_TRACE_ARCHIVE_H
#define MPIOT_TRACE_ARCHIVE_H

#include <limits.h>
#include <otf2/otf2.h>
#include <stdbool.h>

#include "trace/clock.h"
#include "trace/deftable.h"
#include "trace/trace.h"

/**
 * Makes the archive's directory, never one that exists already as an archive, and stores its path.
 * In a joint world rank 0 makes it; every rank then checks that it sees it. Collective over
 * trace/comm.h. 0, or a negative errno on every rank, logged. -EXDEV: rank 0 made it but some rank
 * does not see it; then each rank must do with a directory of its own.
 */
int mpiot_directory_make(const struct mpiot_trace_identity *identity, char path[PATH_MAX]);

/**
 * Gives OTF2 collective callbacks that do not communicate. With one POSIX file per location the
 * only collective acts of an archive are making its directories when it is opened and writing its
 * anchor file when it is closed; both are "rank 0's". The directories are made already
 * (mpiot_directory_make), so that nobody is rank 0 until one process is told to write the anchor.
 * That leaves OTF2 nothing that could block on another rank.
 */
int mpiot_collectives_set(OTF2_Archive *archive);
void mpiot_collectives_write_anchor(bool this_process);

/** Installs the memory callbacks of trace/buffer.c; events go into files below `directory`. */
int mpiot_buffer_start(OTF2_Archive *archive, const char *directory);

/**
 * Whether the location's chunk takes the records of another call; asked by its thread. Where not,
 * there still is room for records that end what is open.
 */
bool mpiot_buffer_has_room(OTF2_LocationRef location);

/** When all event writers are closed: 0, or a negative errno if an event file is not whole. */
int mpiot_buffer_error(void);

/** A location has only `some` room: mpiot_trace_admits is asked from now on; or none: all ends. */
void mpiot_trace_restrict(bool some);

/** What the archive says of a location, beyond its records. */
struct mpiot_writeout_location {
    uint64_t id, thread, event_count;
};

/**
 * Writes each location's definition file: where its local references are in the unified table, and
 * two clock offsets unless `clock` is NULL. The archive's definition files are open.
 */
int mpiot_writeout_local(OTF2_Archive *archive, const struct mpiot_writeout_location *locations,
                         size_t count, const struct mpiot_defmap *map,
                         const struct mpiot_clock_offset *clock);

/**
 * Packs what the writer of the global definitions must know of a process beyond the unified
 * definitions; `node` is its system tree node in the unified table. `words` is malloc'ed.
 */
int mpiot_writeout_process(uint64_t world_rank, uint64_t node,
                           const struct mpiot_writeout_location *locations, size_t location_count,
                           uint64_t **words, size_t *count);

/** A run as a whole, as rank 0 writes it. */
struct mpiot_writeout {
    struct mpiot_deftable *unified;
    uint64_t begin, end;       /**< first and last time of any location, in ticks */
    uint64_t realtime;         /**< nanoseconds since the epoch at `begin` */
    const uint64_t *processes; /**< packed processes of all ranks, in order */
    size_t word_count;
    const char *mpi_library;   /**< VERSION property of MPI-IO */
};

/** Writes the global definitions, dense and in order. */
int mpiot_writeout_global(OTF2_Archive *archive, const struct mpiot_writeout *run);

#endif
