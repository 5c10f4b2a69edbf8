/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

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

void mpiot_text_append(char **text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *more = mpiot_text_list(format, arguments);
    va_end(arguments);
    char *both = mpiot_text("%s%s", *text, more);
    free(more);
    free(*text);
    *text = both;
}
