/* SPDX-License-Identifier: BSD-3-Clause */
/** The forms of the report: each prints the model to standard output, once it is filled. */
#ifndef MPIOT_TOOLS_REPORT_TEXT_H
#define MPIOT_TOOLS_REPORT_TEXT_H

/** For a terminal. */
void mpiot_report_print_text(void);

/** For programs; mpiotrace-report(1) has their fields. */
void mpiot_report_print_json(void);
void mpiot_report_print_csv(void);

/** Of the text, the part about files (report_text_files.c). */
void mpiot_report_print_files(void);

#endif
