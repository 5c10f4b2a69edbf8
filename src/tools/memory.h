/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory and strings of the tools that read archives. What is not there ends the program. */
#ifndef MPIOT_TOOLS_MEMORY_H
#define MPIOT_TOOLS_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/** Exit status of a tool that cannot go on; the same as for an archive that cannot be read. */
#define MPIOT_EXIT_NO_MEMORY 2

/** realloc that does not fail: without memory the program ends, saying so. */
void *mpiot_resize(void *memory, size_t size);

/** The array with room for one element more than `count`; `*capacity` is 0 at first. */
void *mpiot_grow(void *array, size_t count, size_t *capacity, size_t element_size);

/** asprintf and vasprintf that do not fail; malloc'ed. */
char *mpiot_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *mpiot_text_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/** Replaces a malloc'ed text by itself with more behind it. */
void mpiot_text_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
