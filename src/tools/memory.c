/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mpiot_resize(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory) {
        fprintf(stderr, "%s: no memory for %zu bytes\n", program_invocation_short_name, size);
        exit(MPIOT_EXIT_NO_MEMORY);
    }
    return memory;
}

void *mpiot_grow(void *array, size_t count, size_t *capacity, size_t element_size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 8;
    return mpiot_resize(array, *capacity * element_size);
}

char *mpiot_text_list(const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = mpiot_resize(NULL, size);
    text[0] = '\0';
    vsnprintf(text, size, format, arguments);
    return text;
}

char *mpiot_text(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = mpiot_text_list(format, arguments);
    va_end(arguments);
    return text;
}

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
