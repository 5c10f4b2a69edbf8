/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"

json_t *mpiot_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;

    char *escaped = mpiot_resize(NULL, 4 * strlen(text) + 1), *out = escaped;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        out += *c < 0x80 ? sprintf(out, "%c", *c) : sprintf(out, "\\x%02x", *c);
    *out = '\0';
    string = json_string(escaped);
    free(escaped);
    return string;
}
