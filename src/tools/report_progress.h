/* SPDX-License-Identifier: BSD-3-Clause */
/** How far reading is: on standard error, if that is a terminal, after two seconds. */
#ifndef MPIOT_TOOLS_REPORT_PROGRESS_H
#define MPIOT_TOOLS_REPORT_PROGRESS_H

#include <stdint.h>

/** `total` records will be read. */
void mpiot_progress_start(uint64_t total);

/** So many have been; cheap enough to be called every few hundred. */
void mpiot_progress(uint64_t done);

/** Removes the line, if there is one. */
void mpiot_progress_end(void);

#endif
