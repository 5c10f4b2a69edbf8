/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What mpiotrace-report counts: filled while the events are read, printed after that.
 *
 * Times are ticks of the archive's clock, sizes bytes. An index of MPIOT_NONE says that there is
 * none: no call path, no file, ...
 */
#ifndef MPIOT_TOOLS_REPORT_MODEL_H
#define MPIOT_TOOLS_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "tools/report_defs.h"

/** What operations do (OTF2_IoOperationMode), and calls that begin none. */
enum mpiot_mode { MPIOT_MODE_READ, MPIOT_MODE_WRITE, MPIOT_MODE_FLUSH, MPIOT_MODE_NONE };
enum { MPIOT_MODES = MPIOT_MODE_NONE };

/** What the time of an I/O call goes to. */
enum mpiot_kind_of_time {
    MPIOT_TIME_READ, /**< in the order of the modes */
    MPIOT_TIME_WRITE,
    MPIOT_TIME_FLUSH,
    MPIOT_TIME_WAIT,     /**< for operations begun before */
    MPIOT_TIME_METADATA, /**< open, close, views, sizes, ... */
    MPIOT_TIMES,
};

/** Requests are counted by size: below 512 bytes, 4 KiB, 32 KiB, ... 1 GiB, and from there on. */
enum { MPIOT_SIZES = 9 };

/** The first size that does not belong to a class; UINT64_MAX for the last. */
uint64_t mpiot_size_limit(unsigned size_class);

/** Operations of one mode. */
struct mpiot_operations {
    uint64_t begun, completed, cancelled; /**< and not_observed, not_ended: begun is their sum */
    uint64_t collective, non_blocking;
    uint64_t requested; /**< bytes, by those begun */
    uint64_t bytes;     /**< transferred, by those completed */
    /** From begin to completion; non-blocking ones share the time in which several are. */
    double ticks;
    uint64_t smallest, largest; /**< request; UINT64_MAX and 0 if there is none */
    uint64_t sizes[MPIOT_SIZES];
    uint64_t size_bytes[MPIOT_SIZES];
    /* Each operation but the first of a thread on a file, by its offset against the one before. */
    uint64_t sequential;   /**< starts where that ended */
    uint64_t strided;      /**< jumps as far as the jump before, or over holes of the view */
    uint64_t random;       /**< does not */
    uint64_t reread;       /**< bytes that the same process had read from the file before */
    uint64_t end;          /**< at least so far: of the highest byte requested, plus 1 */
    uint64_t not_observed; /**< the program never saw them complete */
    uint64_t not_ended;    /**< neither did the trace */
    /* Non-blocking ones that completed. */
    double issuing;    /**< of their ticks: in calls that begin operations */
    double waiting;    /**< in other I/O calls */
    double overlapped; /**< in none */
    uint64_t tests;    /**< unsuccessful */
};

struct mpiot_access_key {
    uint32_t file, call, site; /**< indices into the model's arrays */
    uint32_t mode;
};

/** Calls from one place to one file, with the operations they began. */
struct mpiot_access {
    struct mpiot_access_key key;
    uint64_t calls, ticks;
    uint64_t not_left; /**< of the calls: those that the trace, or its process, ended in */
    struct mpiot_operations operations;
    UT_hash_handle hh;
};

/** A process. */
struct mpiot_rank {
    uint32_t number; /**< in MPI_COMM_WORLD */
    const char *name;
    OTF2_LocationGroupRef group;
    bool has_events;
    uint64_t first, last;        /**< times */
    uint64_t io;                 /**< ticks with at least one thread in an I/O call */
    uint64_t kinds[MPIOT_TIMES]; /**< ticks in outermost I/O calls */
    uint64_t calls;
    uint64_t operations[MPIOT_MODES], bytes[MPIOT_MODES];
};

struct mpiot_call {
    const char *name;
    bool is_metadata;
    bool selected; /**< by --calls */
};

/** A file as one paradigm sees it: what MPI-IO does through POSIX counts for both. */
struct mpiot_file {
    const char *name;
    const char *paradigm;
    OTF2_IoFileRef ref; /**< undefined: a handle without a file, as of a pipe */
    bool selected;      /**< by --files */
    bool is_shown;      /**< by the page */
    uint64_t opens, closes, deletes, seeks;
    uint32_t ranks;     /**< that used it */
    uint32_t last_rank; /**< that used it, index + 1 */
    uint32_t next;      /**< the same file in another paradigm */
    struct mpiot_hint *hints;
    size_t hint_count, hint_capacity;
};

/** A value of a hint or other property of a file; one may have several, from several opens. */
struct mpiot_hint {
    OTF2_StringRef name, value;
};

/** Where in the program a call comes from. */
struct mpiot_site {
    const char *function;
    const char *source; /**< "" if unknown, as is the line 0 then */
    uint32_t line;
};

struct mpiot_error_key {
    OTF2_StringRef class, path; /**< of a call that has no file: a failed open */
    uint32_t call, file;
};

struct mpiot_error {
    struct mpiot_error_key key;
    uint64_t count;
    OTF2_StringRef text; /**< the first one's */
    UT_hash_handle hh;
};

struct mpiot_model {
    char *creator, *marks; /**< what the archive says about itself */
    struct mpiot_rank *ranks;
    size_t rank_count;
    struct mpiot_call *calls;
    size_t call_count, call_capacity;
    struct mpiot_file *files;
    size_t file_count, file_capacity;
    struct mpiot_site *sites;
    size_t site_count, site_capacity;
    struct mpiot_access *accesses; /**< hash */
    struct mpiot_error *errors;    /**< hash */
    uint64_t records;              /**< all of the archive's events that were read */
};

extern struct mpiot_model mpiot_model;

/** Once the definitions have been read: makes the ranks, in order of their numbers. */
void mpiot_model_start(const struct mpiot_archive *archive);

/** Index of a location group's rank, MPIOT_NONE if it has none. */
uint32_t mpiot_model_rank_of(OTF2_LocationGroupRef group);

/** Indices of the rows of a region, a context, a handle, a file; made on first use. */
uint32_t mpiot_model_call(OTF2_RegionRef region);
uint32_t mpiot_model_site(OTF2_CallingContextRef context);
uint32_t mpiot_model_handle_file(OTF2_IoHandleRef handle);
uint32_t mpiot_model_file(OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm, const char *name);

/** The row of a key, made on first use. */
struct mpiot_access *mpiot_model_access(const struct mpiot_access_key *key);

/** Notes a file's hint, once per value. */
void mpiot_model_hint(uint32_t file, OTF2_StringRef name, OTF2_StringRef value);

void mpiot_model_error(const struct mpiot_error_key *key, OTF2_StringRef text);

/** Once the events have been read: the most frequent errors first. */
void mpiot_model_end(void);

/** Ticks that non-blocking operations were in flight. */
double mpiot_operations_in_flight(const struct mpiot_operations *operations);

/** Names for readers: "cb_nodes", a file's path where it is known. */
const char *mpiot_hint_name(const struct mpiot_hint *hint);
const char *mpiot_error_file(const struct mpiot_error *error);

/** "function file.c:12", malloc'ed; of a row by its index, or of any place. */
char *mpiot_site_text(uint32_t index);
char *mpiot_site_as_text(const struct mpiot_site *site);

/** "(outside of calls)" for MPIOT_NONE. */
const char *mpiot_call_name(uint32_t call);

/** Adds to a sum of operations. */
void mpiot_operations_start(struct mpiot_operations *sum);
void mpiot_operations_add(struct mpiot_operations *sum, const struct mpiot_operations *more);

/** Seconds that ticks take. */
double mpiot_seconds(double ticks);

#endif
