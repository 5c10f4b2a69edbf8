/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/config.h"

static _Atomic int log_rank = -1;

void mpiot_log_set_rank(int rank)
{
    atomic_store(&log_rank, rank);
}

static void write_line(const char *format, va_list arguments)
{
    char line[1024];
    int rank = atomic_load(&log_rank), saved_errno = errno;
    int length = rank < 0 ? snprintf(line, sizeof line, "mpiotrace: ")
                          : snprintf(line, sizeof line, "mpiotrace: rank %d: ", rank);

    vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    strcat(line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        errno = 0; /* nobody listens; there is nowhere else to say it */
    errno = saved_errno;
}

void mpiot_log_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}

void mpiot_log_info(const char *format, ...)
{
    va_list arguments;
    if (mpiot_config()->verbose < 1)
        return;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}

void mpiot_log_debug(const char *format, ...)
{
    va_list arguments;
    if (mpiot_config()->verbose < 2)
        return;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}
