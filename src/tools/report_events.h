/* SPDX-License-Identifier: BSD-3-Clause */
/** From events to counts: the state of the process whose events are being read. */
#ifndef MPIOT_TOOLS_REPORT_EVENTS_H
#define MPIOT_TOOLS_REPORT_EVENTS_H

#include "tools/archive.h"
#include "tools/report_model.h"
#include "tools/report_source.h"

/** A region that is open. */
struct mpiot_frame {
    OTF2_RegionRef ref;
    uint32_t context;
    const struct mpiot_def_region *region; /**< NULL: not defined */
    uint64_t time;
    uint32_t file;        /**< the first that it did something with */
    uint32_t handle;      /**< the one that it used last, MPIOT_NONE if none */
    enum mpiot_mode mode; /**< of the first operation that it began */
    bool does_io;         /**< by itself, not in a region within */
    double elsewhere;     /**< mpiot_overlap_elsewhere at its begin, if its role is not I/O */
    OTF2_StringRef path;
    uint64_t bytes;  /**< of operations that it completes, or begins without completing them */
    uint64_t offset; /**< of the first that it begins; UINT64_MAX: none */
};

/** A view with holes: `size` bytes of data in each `extent` bytes of the file; 0: none. */
struct mpiot_tiles {
    uint64_t size, extent;
};

/** What a thread does, as far as non-blocking operations are concerned. */
enum mpiot_activity {
    MPIOT_ELSEWHERE, /**< not in an I/O call */
    MPIOT_ISSUING,   /**< in one that has begun an operation */
    MPIOT_WAITING,   /**< in another one: waits for others, above all */
    MPIOT_ACTIVITIES,
};

/** The non-blocking operations of a process: report_overlap.c. */
struct mpiot_flight {
    uint32_t operations;                /**< in flight */
    uint32_t threads[MPIOT_ACTIVITIES]; /**< that do this */
    uint64_t since;                     /**< time up to which `shares` are counted */
    double shares[MPIOT_ACTIVITIES];    /**< ticks of each, divided by the operations in flight */
};

/** An operation in progress. Its key is unique in the process, not on its handle. */
struct mpiot_operation_key {
    uint64_t handle, id;
};

struct mpiot_operation {
    struct mpiot_operation_key key;
    struct mpiot_access *access;
    uint32_t thread; /**< that began it */
    uint64_t begin;
    uint64_t offset, bytes; /**< requested */
    struct mpiot_tiles tiles;
    uint64_t tests; /**< records of unsuccessful ones */
    bool has_offset, is_non_blocking;
    enum mpiot_mode mode;
    double shares[MPIOT_ACTIVITIES]; /**< of a non-blocking one, see report_overlap.c */
    UT_hash_handle hh;               /**< of non-blocking ones */
};

struct mpiot_thread {
    struct mpiot_frame *frames;
    size_t depth, frame_capacity;
    size_t io_depth;   /**< open I/O calls */
    uint64_t io_since; /**< begin of the outermost */
    enum mpiot_activity activity;
    struct mpiot_operation *blocking; /**< in progress, the latest last */
    size_t blocking_count, blocking_capacity;
    struct mpiot_access *last_access;
};

/** Stretches of time in which some thread is in an I/O call; disjoint and ascending. */
struct mpiot_stretch {
    uint64_t begin, end;
};

struct mpiot_view;    /* report_view.c */
struct mpiot_pattern; /* report_pattern.c */
struct mpiot_seen;

/** The process being read. */
struct mpiot_walk {
    struct mpiot_rank *rank;
    uint32_t rank_index;
    struct mpiot_thread *threads;
    uint32_t thread_count;
    struct mpiot_operation *non_blocking; /**< hash */
    struct mpiot_flight flight;
    struct mpiot_stretch *stretches;
    size_t stretch_count, stretch_capacity;
    struct mpiot_view *views;       /**< hash; those with holes */
    struct mpiot_pattern *patterns; /**< hash */
    struct mpiot_seen *seen;        /**< hash */
};

extern struct mpiot_walk mpiot_walk;

/** Reads all events of the model's ranks; 0, or a negative errno after printing why. */
int mpiot_report_read_events(struct mpiot_archive *archive);

/** The thread's innermost open region, NULL if there is none. */
struct mpiot_frame *mpiot_walk_frame(struct mpiot_thread *thread);

/** Notes that the process uses a file. */
void mpiot_walk_use(uint32_t file);

/** Notes that an event of the innermost region concerns a file, and a handle (or MPIOT_NONE). */
void mpiot_walk_touch(struct mpiot_thread *thread, uint32_t file, uint32_t handle, uint64_t time);

/** The row for what a frame (NULL: none) does to a file; NULL if the options leave it out. */
struct mpiot_access *mpiot_walk_access(struct mpiot_thread *thread, const struct mpiot_frame *frame,
                                       uint32_t file, enum mpiot_mode mode);

/* report_operations.c */
void mpiot_operation_event(const struct mpiot_source_event *event, struct mpiot_thread *thread);
void mpiot_operations_end(void); /**< of the process: what is still in progress */

/* report_overlap.c */
void mpiot_overlap_activity(struct mpiot_thread *thread, enum mpiot_activity activity,
                            uint64_t time);
void mpiot_overlap_begin(struct mpiot_operation *operation);

/** From here on, `operation->shares` are its own. */
void mpiot_overlap_end(struct mpiot_operation *operation, uint64_t time);

/**
 * A thread turns out to be in an I/O call since the region's begin, when the former function
 * returned `elsewhere`. Exact unless other threads begin operations, or enter I/O calls, meanwhile.
 */
double mpiot_overlap_elsewhere(uint64_t time);
void mpiot_overlap_was_waiting(struct mpiot_thread *thread, double elsewhere, uint64_t time);

/* report_view.c: the process's views. A handle is created without holes. */
void mpiot_view_set(uint32_t handle, uint64_t filetype_size, int64_t filetype_extent);
void mpiot_view_forget(uint32_t handle);
struct mpiot_tiles mpiot_view_tiles(uint32_t handle);
void mpiot_views_end(void); /**< of the process */

/* report_pattern.c: operations that have an offset. `bytes` are those that were transferred. */
void mpiot_pattern_begin(const struct mpiot_operation *operation, uint32_t file, uint32_t thread);
void mpiot_pattern_complete(const struct mpiot_operation *operation, uint32_t file, uint64_t bytes);
void mpiot_pattern_end(void); /**< of the process */

#endif
