/* SPDX-License-Identifier: BSD-3-Clause */
/** Reading the events: what holds for each of them, and the state the event modules keep. */
#ifndef MPIOT_TOOLS_CHECK_EVENTS_H
#define MPIOT_TOOLS_CHECK_EVENTS_H

#include "tools/archive.h"
#include "tools/check.h"
#include "tools/check_defs.h"

struct mpiot_io_operation;
struct mpiot_io_handle;

/** A region or calling context that is open. */
struct mpiot_open_region {
    uint64_t id;
    OTF2_TimeStamp time;
};

/** A location group. */
struct mpiot_process {
    OTF2_LocationGroupRef group;
    OTF2_TimeStamp first_time; /**< of its events */
    bool has_events, told_late;
    bool has_begun, has_ended;               /**< ProgramBegin, ProgramEnd */
    OTF2_TimeStamp end_time;                 /**< of ProgramEnd */
    struct mpiot_io_handle *handles;         /**< check_io.c */
    struct mpiot_io_operation *non_blocking; /**< check_operations.c: those in progress */
    struct mpiot_location *locations;        /**< linked by next_of_process */
};

struct mpiot_location {
    OTF2_LocationRef id;
    struct mpiot_process *process;
    struct mpiot_location *next_of_process;
    uint64_t events, events_defined;
    OTF2_TimeStamp last_time;
    bool told_outside_clock;
    struct mpiot_open_region *regions; /**< check_regions.c: a stack */
    size_t depth, depth_capacity;
    OTF2_CallingContextRef context;      /**< check_regions.c: the previous calling context */
    struct mpiot_io_operation *blocking; /**< check_operations.c: those in progress */
    size_t blocking_count, blocking_capacity;
    struct mpiot_io_handle *last_handle; /**< check_io.c: the one used last */
};

/** One event, from its callback on. */
struct mpiot_event {
    struct mpiot_location *location;
    OTF2_TimeStamp time;
    const char *record; /**< name of the record */
};

/** First thing in each callback: what holds for every event. False: this one can't be checked. */
bool mpiot_event_start(struct mpiot_event *event, OTF2_LocationRef id, OTF2_TimeStamp time,
                       const OTF2_AttributeList *attributes, const char *record);

/** Reports a problem of an event, printf-like. `about` is what stands in the record's brackets. */
void mpiot_event_problem(const struct mpiot_event *event, const char *about, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));

/** Something that an event refers to must be defined; NULL after that has been reported. */
const struct mpiot_def *mpiot_event_need(const struct mpiot_event *event, enum mpiot_kind kind,
                                         uint64_t id);

/** Reads all events and checks them; 0 or a negative errno. */
int mpiot_check_events(struct mpiot_archive *archive);

/* The modules of records: each sets its callbacks, and reports what is left open at the end. */
void mpiot_check_records_set(OTF2_GlobalEvtReaderCallbacks *callbacks);
void mpiot_check_regions_set(OTF2_GlobalEvtReaderCallbacks *callbacks);
void mpiot_check_regions_end(const struct mpiot_location *location);
void mpiot_check_io_set(OTF2_GlobalEvtReaderCallbacks *callbacks);
void mpiot_check_operations_set(OTF2_GlobalEvtReaderCallbacks *callbacks);
void mpiot_check_operations_end(const struct mpiot_process *process);

#endif
