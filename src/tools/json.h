/* SPDX-License-Identifier: BSD-3-Clause */
/** What the tools' JSON documents have in common. */
#ifndef MPIOT_TOOLS_JSON_H
#define MPIOT_TOOLS_JSON_H

#include <jansson.h>

/** A JSON string; bytes of names that are not UTF-8 become \xNN. */
json_t *mpiot_json_text(const char *text);

#endif
