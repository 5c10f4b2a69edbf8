/* SPDX-License-Identifier: BSD-3-Clause */
/** What stands out in the model: plain findings, each with the figures that it rests on. */
#ifndef MPIOT_TOOLS_REPORT_FINDINGS_H
#define MPIOT_TOOLS_REPORT_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

struct mpiot_finding {
    const char *kind; /**< "small_requests", ...: the man page has them all */
    char *text;
    uint32_t file, call, site, rank; /**< what it is about: indices, or MPIOT_NONE */
    uint64_t count, of;              /**< so many calls, operations or bytes, of so many */
    double seconds;                  /**< that it is about, summed over ranks */
};

/** The findings, the most time first; the same array each time. */
const struct mpiot_finding *mpiot_findings(size_t *count);

#endif
