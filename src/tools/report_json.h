/* SPDX-License-Identifier: BSD-3-Clause */
/** The report as a JSON document; mpiotrace-report(1) has its schema. */
#ifndef MPIOT_TOOLS_REPORT_JSON_H
#define MPIOT_TOOLS_REPORT_JSON_H

#include "tools/json.h"

/** All of the model, which is complete. */
json_t *mpiot_report_as_json(void);

#endif
