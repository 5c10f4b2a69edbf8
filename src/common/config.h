/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The configuration table: the one place that reads the environment.
 *
 * A row (config.c) is name, default, parser, what is allowed, help; `mpiotrace --help`, the man
 * page and README's table print from it. A wrong value is one warning that names the variable,
 * the value and what is allowed; the default is used instead.
 */
#ifndef MPIOT_COMMON_CONFIG_H
#define MPIOT_COMMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum mpiot_archive_mode {
    MPIOT_ARCHIVE_AUTO, /**< not set: one for the job where all ranks are sure to be traced */
    MPIOT_ARCHIVE_JOB,  /**< one archive for the job, said by the user */
    MPIOT_ARCHIVE_RANK, /**< one per rank, no communication */
};

struct mpiot_config {
    const char *output;             /**< MPIOTRACE_OUTPUT: archive directory; NULL: made up */
    enum mpiot_archive_mode archive; /**< MPIOTRACE_ARCHIVE */
    unsigned callstack;             /**< MPIOTRACE_CALLSTACK: most frames of a path; 0: off */
    uint64_t buffer_size;           /**< MPIOTRACE_BUFFER_SIZE: bytes of an event chunk */
    const char *include;            /**< MPIOTRACE_INCLUDE: fnmatch(3) patterns, by ':'; or NULL */
    const char *exclude;            /**< MPIOTRACE_EXCLUDE: the same; wins over include */
    bool test_events_all;           /**< MPIOTRACE_TEST_EVENTS=all */
    unsigned verbose;               /**< MPIOTRACE_VERBOSE: 0 errors, 1 information, 2 debugging */
    bool disable;                   /**< MPIOTRACE_DISABLE */
    const char *job_id;             /**< what the MPI launcher calls this job, or NULL */
    unsigned app_contexts;          /**< programs in the job as its launcher says, else 1 */
    bool name_service;              /**< MPI_Publish_name is worth a try */
};

/** Reads the environment, once; strings are copied. Later calls return the same. */
const struct mpiot_config *mpiot_config(void);

/** Whether a path is recorded: included (or no include patterns), and not excluded. */
bool mpiot_config_records_path(const char *path);

/** One row of the table. */
struct mpiot_setting {
    const char *name;     /**< environment variable */
    const char *option;   /**< of the launcher, without dashes */
    const char *argument; /**< of the option, for help */
    const char *standard; /**< default, as text */
    const char *allowed;  /**< as text */
    const char *help;
    bool (*parse)(const char *text, void *value); /**< false: not allowed */
    void *value;                                  /**< in the configuration */
};

/** All rows: for the launcher, whose options they are. */
const struct mpiot_setting *mpiot_config_settings(int *count);

/** The table as option list for --help, as Markdown for README, as roff for the man page. */
void mpiot_config_print_help(FILE *out);
void mpiot_config_print_markdown(FILE *out);
void mpiot_config_print_man(FILE *out);

#endif
