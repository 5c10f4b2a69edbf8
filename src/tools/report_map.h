/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The page's pictures of what happens where in files and how fast: operations by time and offset,
 * and bytes by time. Their sizes do not depend on the number of operations: where there are too
 * many, those that are close to each other become one.
 */
#ifndef MPIOT_TOOLS_REPORT_MAP_H
#define MPIOT_TOOLS_REPORT_MAP_H

#include <jansson.h>
#include <stdint.h>

#include "tools/report_model.h"

/** An operation, when it has completed. */
struct mpiot_map_operation {
    uint32_t file, rank; /**< indices of the model's rows */
    enum mpiot_mode mode;
    uint64_t begin, end;
    uint64_t offset; /**< UINT64_MAX: none */
    uint64_t bytes;
};

/** Before the events are read; the trace has so many files. */
void mpiot_map_start(size_t files);
void mpiot_map_add(const struct mpiot_map_operation *operation);

/** For the page: the files with most bytes read and written; `*left` more have offsets, too. */
json_t *mpiot_map_as_json(size_t *left);

/** For the page: bytes per second, in steps of time. */
json_t *mpiot_bandwidth_as_json(void);

#endif
