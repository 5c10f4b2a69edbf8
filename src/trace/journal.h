/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The journal: what mpiotrace-recover must know of a process that died.
 *
 * raw/<world rank>.rows in the archive's directory holds 64-bit words in the process's byte order:
 * MPIOT_JOURNAL_MAGIC, then rows as mpiot_deftable_pack makes them (kind << 32 | number of words,
 * the words), each written as soon as the definition is made and by one write(2). What the kernel
 * has taken survives every end of the process; a reader drops a last row that is not whole.
 * Besides definitions there are rows of the process and of its locations.
 *
 * It stands in for OTF2's local definitions, which have no form for what a reader of the archive
 * needs beyond them, and which OTF2 buffers.
 */
#ifndef MPIOT_TRACE_JOURNAL_H
#define MPIOT_TRACE_JOURNAL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/deftable.h"

/** "mpiotrac" on a little-endian machine; other words: not a journal, or of another machine. */
#define MPIOT_JOURNAL_MAGIC UINT64_C(0x636172746f69706d)

enum mpiot_journal_row {
    MPIOT_JOURNAL_PROCESS = 0x100, /**< struct mpiot_journal_process; once */
    MPIOT_JOURNAL_LOCATION,        /**< struct mpiot_journal_location; before its first record */
};

enum { MPIOT_JOURNAL_VERSION = 1 };

/** What a process says of itself when it starts; all members are words. */
struct mpiot_journal_process {
    uint64_t version; /**< of this form: MPIOT_JOURNAL_VERSION */
    uint64_t world_rank, world_size;
    uint64_t pid;
    uint64_t chunk_size;  /**< of events, in bytes */
    uint64_t resolution;  /**< of the clock, ticks per second */
    uint64_t begin;       /**< ticks, and at the same moment nanoseconds since the epoch */
    uint64_t realtime;
    uint64_t clock_time; /**< a measured offset from rank 0's clock; 0: same node, or unknown */
    uint64_t clock_offset;
    uint64_t node;        /**< reference of its system tree node */
    uint64_t mpi_library; /**< reference of the string */
    uint64_t root_region; /**< reference of the region that stands for the program */
};

struct mpiot_journal_location {
    uint64_t id, thread;
    uint64_t time; /**< of its first record, in ticks */
};

/**
 * Path of the journal of `world_rank` in `directory`: in raw/ while the process runs; beside the
 * anchor file of an archive of one rank that has ended, so that it can be joined with others.
 */
void mpiot_journal_path(char path[PATH_MAX], const char *directory, uint64_t world_rank, bool raw);

/**
 * Begins the journal, before the first definition. Where it cannot be written the trace goes on
 * without: that is logged, and a process that is killed cannot be recovered.
 */
void mpiot_journal_start(const char *directory, uint64_t world_rank);

/** Appends a row. The caller holds the lock of what it describes; without a journal, nothing. */
void mpiot_journal_append(uint64_t kind, const uint64_t *words, uint32_t count);

/** Closes the journal, and removes it or keeps it beside the anchor file. */
void mpiot_journal_end(const char *directory, uint64_t world_rank, bool keep);

#endif
