/* SPDX-License-Identifier: BSD-3-Clause */
/** Parts of the report as JSON, from the complete model; mpiotrace-report(1) has the schema. */
#ifndef MPIOT_TOOLS_REPORT_JSON_H
#define MPIOT_TOOLS_REPORT_JSON_H

#include "tools/json.h"
#include "tools/report_fields.h"

/** All but the tables. */
json_t *mpiot_report_head_as_json(void);

/** A table's first rows, without fields that are empty or 0; `*left` is how many rows are left. */
json_t *mpiot_table_as_json(enum mpiot_table_name table, size_t most, size_t *left);

#endif
