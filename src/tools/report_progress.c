/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double quiet_seconds = 2, seconds_per_line = 0.1;

static struct {
    bool is_terminal, is_shown;
    uint64_t total;
    double start, last;
} state;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void mpiot_progress_start(uint64_t total)
{
    state.is_terminal = isatty(STDERR_FILENO);
    state.total = total;
    state.start = state.last = now();
}

void mpiot_progress(uint64_t done)
{
    if (!state.is_terminal)
        return;
    double time = now();
    if (time - state.start < quiet_seconds || time - state.last < seconds_per_line)
        return;
    state.last = time;
    state.is_shown = true;
    double part = state.total ? 100.0 * (double)done / (double)state.total : 0;
    fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " events, %.0f %%\033[K",
            program_invocation_short_name, done, state.total, part > 100 ? 100 : part);
}

void mpiot_progress_end(void)
{
    if (state.is_shown)
        fputs("\r\033[K", stderr);
}
