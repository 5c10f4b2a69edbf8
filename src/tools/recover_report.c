/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>

#include "tools/recover.h"

void mpiot_recover_complain(const char *path, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "mpiotrace-recover: %s: ", path);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/** Seconds since the epoch at a time of the process's clock. */
static double real_time(const struct mpiot_recover_process *process, uint64_t time)
{
    const struct mpiot_journal_process *head = &process->head;
    return head->realtime * 1e-9 +
           ((double)time - (double)head->begin) / (double)head->resolution;
}

static double last_record(const struct mpiot_recover_process *process)
{
    double last = real_time(process, process->head.begin);

    for (size_t i = 0; i < process->location_count; i++) {
        double time = real_time(process, process->locations[i].last_time);
        if (!process->locations[i].empty && time > last)
            last = time;
    }
    return last;
}

static void report_process(const struct mpiot_recover_process *process, double end)
{
    const struct mpiot_recover_outcome *outcome = &process->outcome;

    printf("rank %llu: ", (unsigned long long)process->head.world_rank);
    if (outcome->ended)
        printf("ended normally");
    else if (outcome->call[0])
        printf("inside %s%s%s since %.1f s", outcome->call, outcome->path[0] ? " on " : "",
               outcome->path, end - real_time(process, outcome->since));
    else
        printf("outside MPI-IO since %.1f s", end - last_record(process));
    puts(process->damaged ? ", some records are damaged" : "");
}

void mpiot_recover_report(const struct mpiot_recover_job *job)
{
    uint64_t size = job->processes[0].head.world_size, next = 0;
    double end = 0;

    for (size_t i = 0; i < job->process_count; i++)
        if (last_record(&job->processes[i]) > end)
            end = last_record(&job->processes[i]);
    for (size_t i = 0; i < job->process_count; i++) {
        for (; next < job->processes[i].head.world_rank; next++)
            printf("rank %llu: nothing is left of it\n", (unsigned long long)next);
        report_process(&job->processes[i], end);
        next++;
    }
    for (; next < size; next++)
        printf("rank %llu: nothing is left of it\n", (unsigned long long)next);
}
