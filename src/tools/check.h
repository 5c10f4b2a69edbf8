/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * mpiotrace-check: holds an OTF2 archive against the rules of OTF2's documentation.
 *
 *   check.c             options, order of the steps
 *   check_report.c      problem lines, the summary, JSON
 *   check_table.c       definitions by kind and identifier
 *   check_defs.c        reading them, and that what they refer to is defined
 *   check_rules.c       what else holds for definitions: paradigms, groups, handles, contexts
 *   check_events.c      what holds for every event, and for each process
 *   check_records.c     records that are neither regions nor I/O: what they refer to
 *   check_regions.c     nesting of regions and calling contexts
 *   check_io.c          life cycle of I/O handles
 *   check_operations.c  order of I/O operation records
 *   check_collective.c  that the members of a communicator agree
 *
 * One thread. Events are read in order of time, and memory grows with definitions and with what is
 * open at a time, never with events. References that reach the event modules from definitions are
 * not trusted: what is not defined was reported, and finds nothing.
 */
#ifndef MPIOT_TOOLS_CHECK_H
#define MPIOT_TOOLS_CHECK_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/memory.h"

enum mpiot_check_status { MPIOT_CHECK_CLEAN, MPIOT_CHECK_PROBLEMS, MPIOT_CHECK_UNREADABLE };

/** What the user asked for. */
struct mpiot_check_options {
    const char *path;
    bool json;
    bool quiet;             /**< problems only, no summary */
    uint64_t most_problems; /**< to show; all are counted */
};

/** What the archive says about itself. */
struct mpiot_check_archive {
    bool own;        /**< made by mpiotrace, which promises more than OTF2 asks for */
    bool incomplete; /**< marked recovered, paused or partial: collectives need not agree */
    bool partial;    /**< some process stopped recording: what has begun need not end */
};

extern struct mpiot_check_archive mpiot_check_archive;

#endif
