/* SPDX-License-Identifier: BSD-3-Clause */
/** Problem lines and the summary of mpiotrace-check; the man page documents their form. */
#ifndef MPIOT_TOOLS_CHECK_REPORT_H
#define MPIOT_TOOLS_CHECK_REPORT_H

#include <stdarg.h>

#include "tools/check.h"

/** Where in the archive a problem is. */
struct mpiot_where {
    const char *record; /**< and what it is about: "Enter(region 3 \"main\")" */
    bool has_time;      /**< an event: the next two are set */
    OTF2_LocationRef location;
    OTF2_TimeStamp time;
};

enum mpiot_io_kind { MPIOT_IO_READ, MPIOT_IO_WRITE, MPIOT_IO_FLUSH, MPIOT_IO_KINDS };

/** What the event modules count for the summary. */
struct mpiot_check_totals {
    uint64_t events;
    struct {
        uint64_t begun, completed, cancelled, bytes;
    } operations[MPIOT_IO_KINDS];
    uint64_t collective, non_blocking, tests;
    uint64_t created, destroyed, deleted, seeks;
};

extern struct mpiot_check_totals mpiot_check_totals;

void mpiot_check_report_start(const struct mpiot_check_options *options);

/** Reports one problem, printf-like: at once as a line, or in the JSON document at the end. */
void mpiot_check_report_problem(const struct mpiot_where *where, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void mpiot_check_report_problem_list(const struct mpiot_where *where, const char *format,
                                     va_list arguments) __attribute__((format(printf, 2, 0)));

/** Prints the summary; whether there were problems. */
enum mpiot_check_status mpiot_check_report_end(void);

#endif
