/* SPDX-License-Identifier: BSD-3-Clause */
/** The forms of the report: each prints the model to standard output, once it is filled. */
#ifndef MPIOT_TOOLS_REPORT_TEXT_H
#define MPIOT_TOOLS_REPORT_TEXT_H

#include <stddef.h>

/** For a terminal. */
void mpiot_report_print_text(void);

/** For programs; mpiotrace-report(1) has their fields. */
void mpiot_report_print_json(void);
void mpiot_report_print_csv(void);

/** How many of `count` rows the text shows; without --all at most `most`. */
size_t mpiot_report_shown(size_t count, size_t most);

/** Says how many are left out, and how to see them. */
void mpiot_report_print_left_out(size_t count, size_t shown, const char *what);

/** Of the text, the part about files (report_text_files.c). */
void mpiot_report_print_files(void);

#endif
