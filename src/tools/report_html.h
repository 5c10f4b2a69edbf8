/* SPDX-License-Identifier: BSD-3-Clause */
/** The report as one HTML page that needs no network. */
#ifndef MPIOT_TOOLS_REPORT_HTML_H
#define MPIOT_TOOLS_REPORT_HTML_H

/** Writes the page, from the complete model; 0, or a negative errno after printing why. */
int mpiot_report_write_html(const char *path);

#endif
