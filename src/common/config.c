/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/config.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/job.h"
#include "common/log.h"

static struct mpiot_config values;

#define MIB (UINT64_C(1) << 20)

/* Parsers: store the value and return true, or leave it and return false. */

static bool parse_text(const char *text, void *value)
{
    char *copy = strdup(text);
    if (!copy || !text[0]) {
        free(copy);
        return false;
    }
    *(const char **)value = copy;
    return true;
}

static bool parse_flag(const char *text, void *value)
{
    if ((text[0] != '0' && text[0] != '1') || text[1])
        return false;
    *(bool *)value = text[0] == '1';
    return true;
}

static bool parse_number(const char *text, unsigned long most, unsigned *value)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || number > most)
        return false;
    *value = number;
    return true;
}

static bool parse_verbosity(const char *text, void *value)
{
    return parse_number(text, 2, value);
}

static bool parse_depth(const char *text, void *value)
{
    return parse_number(text, 255, value);
}

static bool parse_archive(const char *text, void *value)
{
    enum mpiot_archive_mode *mode = value;
    if (strcmp(text, "job") == 0)
        *mode = MPIOT_ARCHIVE_JOB;
    else if (strcmp(text, "rank") == 0)
        *mode = MPIOT_ARCHIVE_RANK;
    else
        return false;
    return true;
}

static bool parse_test_events(const char *text, void *value)
{
    bool all = strcmp(text, "all") == 0;
    if (!all && strcmp(text, "first") != 0)
        return false;
    *(bool *)value = all;
    return true;
}

/** OTF2 keeps flushed data to itself below 4 MiB, and has no chunks above 16 MiB. */
static bool parse_buffer_size(const char *text, void *value)
{
    char *end;
    errno = 0;
    unsigned long long size = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

    if (text[0] < '0' || text[0] > '9' || errno || (shift && end[1]) || (!shift && *end) ||
        size > (UINT64_MAX >> shift))
        return false;
    size <<= shift;
    if (size < 4 * MIB || size > 16 * MIB)
        return false;
    *(uint64_t *)value = (size + 4 * MIB - 1) / (4 * MIB) * (4 * MIB);
    return true;
}

/** What the table says of a setting. */
static const struct mpiot_setting table[] = {
    {"MPIOTRACE_OUTPUT", "output", "DIR", "mpiotrace-PROGRAM-TIME", "a directory",
     "Directory of the archive. One that exists and is not empty is left alone: a suffix is added.",
     parse_text, &values.output},
    {"MPIOTRACE_ARCHIVE", "archive", "MODE", "job", "job or rank",
     "One archive for the job, or one per rank, without any communication.", parse_archive,
     &values.archive},
    {"MPIOTRACE_CALLSTACK", "callstack", "DEPTH", "32", "0 to 255",
     "Deepest call path that is recorded, in frames; 0: none.", parse_depth, &values.callstack},
    {"MPIOTRACE_BUFFER_SIZE", "buffer-size", "BYTES", "4M", "4M to 16M",
     "Event buffer of each thread, rounded up to a multiple of 4M.", parse_buffer_size,
     &values.buffer_size},
    {"MPIOTRACE_INCLUDE", "include", "PATTERNS", "all files", "patterns as of fnmatch(3)",
     "Record only files whose absolute path matches one of these patterns, separated by ':'.",
     parse_text, &values.include},
    {"MPIOTRACE_EXCLUDE", "exclude", "PATTERNS", "no file", "patterns as of fnmatch(3)",
     "Do not record files whose absolute path matches one of these patterns.", parse_text,
     &values.exclude},
    {"MPIOTRACE_TEST_EVENTS", "test-events", "WHICH", "first", "first or all",
     "Which unsuccessful tests of an operation are events.", parse_test_events,
     &values.test_events_all},
    {"MPIOTRACE_VERBOSE", "verbose", "LEVEL", "0", "0, 1 or 2",
     "0: errors only; 1: where the archive is; 2: for the debugging of mpiotrace.", parse_verbosity,
     &values.verbose},
    {"MPIOTRACE_DISABLE", "disable", "FLAG", "0", "0 or 1",
     "1: trace nothing, as if mpiotrace were not there.", parse_flag, &values.disable},
};

enum { SETTINGS = sizeof table / sizeof *table };

const struct mpiot_setting *mpiot_config_settings(int *count)
{
    *count = SETTINGS;
    return table;
}

/** What the launcher calls the job, or NULL: each says it in its own way. */
static const char *job_id(void)
{
    static const char *const names[] = {"OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE", "PMI_JOBID"};
    const char *pmi = getenv("PMI_FD"), *slurm = getenv("SLURM_JOB_ID"),
               *step = getenv("SLURM_STEP_ID");
    char *job = NULL;
    unsigned pmi_fd;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return strdup(value);
    }
    if (pmi && parse_number(pmi, INT_MAX, &pmi_fd))
        job = mpiot_job_of_hydra(pmi_fd);
    if (!job && slurm && step && asprintf(&job, "%s.%s", slurm, step) < 0)
        return NULL;
    return job;
}

static void load(void)
{
    const char *contexts = getenv("OMPI_NUM_APP_CTX"), *pmix = getenv("PMIX_NAMESPACE");

    values.callstack = 32;
    values.buffer_size = 4 * MIB;
    values.app_contexts = 1;
    for (int i = 0; i < SETTINGS; i++) {
        const char *text = getenv(table[i].name);
        if (text && !table[i].parse(text, table[i].value))
            mpiot_log_error("%s=%s is not allowed (%s): the default is used, %s", table[i].name,
                            text, table[i].allowed, table[i].standard);
    }
    if (contexts)
        parse_number(contexts, 1 << 20, &values.app_contexts);
    values.job_id = job_id();
    /* Where srun starts Open MPI's processes, asking makes it print a page of help. */
    values.name_service = !pmix || strncmp(pmix, "slurm.", 6) != 0;
}

const struct mpiot_config *mpiot_config(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &values;
}

static bool matches(const char *patterns, const char *path)
{
    char pattern[4096];

    while (patterns && *patterns) {
        size_t length = strcspn(patterns, ":");
        if (length < sizeof pattern) {
            memcpy(pattern, patterns, length);
            pattern[length] = '\0';
            if (fnmatch(pattern, path, 0) == 0)
                return true;
        }
        patterns += length + (patterns[length] == ':');
    }
    return false;
}

bool mpiot_config_records_path(const char *path)
{
    const struct mpiot_config *config = mpiot_config();
    return (!config->include || matches(config->include, path)) && !matches(config->exclude, path);
}

void mpiot_config_print_help(FILE *out)
{
    for (int i = 0; i < SETTINGS; i++)
        fprintf(out, "  --%s=%s\n      %s\n      (%s; default: %s; %s)\n", table[i].option,
                table[i].argument, table[i].help, table[i].allowed, table[i].standard,
                table[i].name);
}

void mpiot_config_print_markdown(FILE *out)
{
    fprintf(out, "| variable | option | allowed | default | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < SETTINGS; i++)
        fprintf(out, "| `%s` | `--%s` | %s | %s | %s |\n", table[i].name, table[i].option,
                table[i].allowed, table[i].standard, table[i].help);
}

void mpiot_config_print_man(FILE *out)
{
    for (int i = 0; i < SETTINGS; i++)
        fprintf(out, ".TP\n.BR \\-\\-%s =\\fI%s\\fR\n%s Allowed: %s. Default: %s. (%s)\n",
                table[i].option, table[i].argument, table[i].help, table[i].allowed,
                table[i].standard, table[i].name);
}
