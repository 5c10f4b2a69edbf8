/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The events of an archive, process by process, within a process in order of time.
 *
 * Only one process's event files are read at a time, so that memory does not grow with the number
 * of ranks. (OTF2's global reader, which merges all of them, holds a chunk of some MiB for each.)
 */
#ifndef MPIOT_TOOLS_REPORT_SOURCE_H
#define MPIOT_TOOLS_REPORT_SOURCE_H

#include "tools/archive.h"

enum mpiot_event_type {
    MPIOT_EVENT_ENTER, /**< of a region or calling context */
    MPIOT_EVENT_LEAVE,
    MPIOT_EVENT_CREATE,
    MPIOT_EVENT_DESTROY,
    MPIOT_EVENT_DELETE,
    MPIOT_EVENT_SEEK,
    MPIOT_EVENT_BEGIN, /**< these and the following: of an operation */
    MPIOT_EVENT_ISSUED,
    MPIOT_EVENT_TEST,
    MPIOT_EVENT_COMPLETE,
    MPIOT_EVENT_CANCELLED,
    MPIOT_EVENT_OTHER, /**< only its time counts */
};

/** One record; references are the archive's global ones, and need not be defined. */
struct mpiot_source_event {
    OTF2_TimeStamp time;
    enum mpiot_event_type type;
    uint32_t thread;  /**< counts the process's locations from 0 */
    uint32_t ref;     /**< region, handle, or file (DELETE) */
    uint32_t context; /**< of ENTER and LEAVE; MPIOT_NONE: without calling contexts */
    uint64_t bytes;
    uint64_t matching_id;
    uint64_t offset;
    uint64_t tests; /**< unsuccessful ones, of COMPLETE */
    uint64_t filetype_size;
    int64_t filetype_extent; /**< of a LEAVE: the view that was set; 0: none was */
    OTF2_IoOperationMode mode;
    OTF2_IoOperationFlag flags;
    bool has_offset;
    bool not_observed; /**< the end of an operation that the program never asked about */
    bool unfinished;   /**< mpiotrace-recover wrote it for what was open when the process died */
    OTF2_StringRef error_class, error, path; /**< attributes, undefined where there are none */
};

/** A process: a location group with its locations. */
struct mpiot_source_process {
    const OTF2_LocationRef *locations;
    uint32_t count;
};

/** Called with the processes' events; `hint` with each hint that a created handle differs in. */
struct mpiot_source_sink {
    void (*event)(const struct mpiot_source_event *event);
    void (*hint)(uint32_t handle, OTF2_StringRef name, OTF2_StringRef value);
};

/** Reads one process's events. Functions return 0, or a negative errno after printing why. */
int mpiot_source_read(struct mpiot_archive *archive, const struct mpiot_source_process *process,
                      const struct mpiot_source_sink *sink);

/** Records read so far, those included that the sink is not told. */
uint64_t mpiot_source_records(void);

#endif
