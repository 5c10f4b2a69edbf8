/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * mpiotrace-recover: a normal archive from what a dead job left.
 *
 * Per process there is a journal (trace/journal.h): its definitions, locations and clock. Per
 * location there is an event file (trace/buffer.c), whole but for its end. The stages, a module
 * each:
 *
 *   recover_source   finds the processes and reads their journals
 *   recover_stream   cuts a location's records after the last whole one: a well-formed event file
 *   recover_copy     copies those records through OTF2 into the new archive, and ends what is open
 *   recover_define   unifies definitions with the code that the end of a run uses, and writes them
 *   recover_install  puts the new archive in the place of the old parts, and removes them
 *
 * One thread. Functions that return int return 0 or a negative errno, after they have said why.
 */
#ifndef MPIOT_TOOLS_RECOVER_H
#define MPIOT_TOOLS_RECOVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/archive.h"
#include "trace/deftable.h"
#include "trace/journal.h"

/** Directory in that of the archive in which the new one is made. */
#define MPIOT_RECOVER_WORK "recover.work"

/** A thread of a process. */
struct mpiot_recover_location {
    uint64_t id, thread;
    uint64_t first_time, last_time; /**< of its records, in ticks */
    uint64_t event_count;           /**< in the new archive */
    bool empty;                     /**< it has no records */
};

/** How a process ended, for the user. */
struct mpiot_recover_outcome {
    bool ended;         /**< by itself: ProgramEnd was there */
    char call[64];      /**< the MPI procedure it was in, or empty */
    char path[PATH_MAX]; /**< the file, where the records tell */
    uint64_t since;     /**< ticks when it entered that call */
};

struct mpiot_recover_process {
    char directory[PATH_MAX]; /**< of the archive that it wrote to */
    char journal[2 * PATH_MAX];
    struct mpiot_journal_process head;
    struct mpiot_deftable *table;
    struct mpiot_recover_location *locations;
    size_t location_count;
    struct mpiot_recover_outcome outcome;
    bool damaged; /**< some of its records are lost; said */
};

struct mpiot_recover_job {
    char directory[PATH_MAX]; /**< of the new archive */
    bool parts;               /**< it joins archives of single ranks, in directories below */
    bool losses;              /**< a process was left out, and that was said */
    struct mpiot_recover_process *processes;
    size_t process_count;
    size_t journal_count; /**< found, readable or not */
};

/** "mpiotrace-recover: <path>: <what>" on stderr. */
void mpiot_recover_complain(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Finds the processes that wrote below `directory`, in order of rank. -EEXIST: it holds a whole
 * archive; nothing is printed. -EBUSY: one of them is still running on this node.
 */
int mpiot_recover_find(const char *directory, struct mpiot_recover_job *job);
void mpiot_recover_release(struct mpiot_recover_job *job);

/** The event file of a location, also where an interrupted run has left it. */
void mpiot_recover_event_file(char path[PATH_MAX], const struct mpiot_recover_process *process,
                              uint64_t id);

/**
 * Writes what is left of a location's records as the event file `target`, whose chunks are those
 * of the process. -ENODATA: there are none.
 */
int mpiot_recover_cut(const struct mpiot_recover_process *process, uint64_t id,
                      const char *target);

/**
 * Copies a process's cut streams, an archive without definitions at `directory`, to the new one,
 * and tells the process's outcome.
 */
int mpiot_recover_copy(struct mpiot_recover_process *process, const char *directory,
                       OTF2_Archive *archive);

/** Writes the definitions of the new archive, global and local; its events are written. */
int mpiot_recover_define(const struct mpiot_recover_job *job, OTF2_Archive *archive);

/** Puts the archive in `work` in its place; what it was made from is removed last. */
int mpiot_recover_install(const struct mpiot_recover_job *job, const char *work);

/** Removes what an interrupted run has left in the directory of an archive that is whole. */
void mpiot_recover_clean(const char *directory);

/** Removes a directory with all in it; no error if there is none. */
int mpiot_recover_remove(const char *path);

/** Prints how each process ended. */
void mpiot_recover_report(const struct mpiot_recover_job *job);

#endif
