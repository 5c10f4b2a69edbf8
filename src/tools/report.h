/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * mpiotrace-report: what an OTF2 archive says about I/O, whoever wrote it.
 *
 *   report.c             options, order of the steps
 *   report_options.c     values of options, and what they select
 *   report_progress.c    how far reading is, on a terminal
 *   report_defs.c        definitions by kind and identifier
 *   report_source.c      events, process by process
 *   report_events.c      from events to calls: regions, handles, errors
 *   report_operations.c  operations, matched by handle and matching id
 *   report_overlap.c     what the program does while non-blocking ones are in flight
 *   report_view.c        views with holes
 *   report_pattern.c     sequential, strided, random; bytes read again
 *   report_collective.c  when the ranks come to collective operations
 *   report_model.c       what is counted
 *   report_summary.c     sums of it, by call, file, place, rank
 *   report_findings.c    what stands out
 *   report_format.c      numbers, sizes, times and tables as text
 *   report_text.c        the report for a terminal, report_text_files.c its part on files
 *   report_fields.c      the tables as rows of named fields, for the following
 *   report_json.c        the report as JSON
 *   report_csv.c         the tables as comma-separated values
 *   report_timeline.c    calls of each thread over time, for the page
 *   report_map.c         operations by offset and time, and bytes over time, for the page
 *   report_html.c        the report as a page; its parts are in html/
 *
 * One thread. Memory grows with definitions and with what is open at a time, not with events.
 */
#ifndef MPIOT_TOOLS_REPORT_H
#define MPIOT_TOOLS_REPORT_H

enum mpiot_report_status { MPIOT_REPORT_DONE, MPIOT_REPORT_NOTHING, MPIOT_REPORT_UNREADABLE };

#endif
