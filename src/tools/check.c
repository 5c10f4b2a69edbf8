/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/archive.h"
#include "tools/check_defs.h"
#include "tools/check_events.h"
#include "tools/check_report.h"

struct mpiot_check_archive mpiot_check_archive;

/** The whole check, in a process of its own: see mpiot_archive_guard. */
static int check(void *argument)
{
    const struct mpiot_check_options *options = argument;
    struct mpiot_archive archive;

    mpiot_check_report_start(options);
    if (mpiot_archive_open(&archive, options->path) != 0)
        return MPIOT_CHECK_UNREADABLE;
    mpiot_check_archive.own = mpiot_archive_is_own(&archive);
    mpiot_check_archive.partial = mpiot_archive_is_marked(&archive, "partial");
    mpiot_check_archive.incomplete = mpiot_check_archive.partial ||
                                     mpiot_archive_is_marked(&archive, "paused") ||
                                     mpiot_archive_is_marked(&archive, "recovered");

    int error = mpiot_check_definitions(&archive);
    if (!error)
        error = mpiot_check_events(&archive);
    mpiot_archive_close(&archive);
    return error ? MPIOT_CHECK_UNREADABLE : (int)mpiot_check_report_end();
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct mpiot_check_options *options = state->input;
    char *end;

    switch (key) {
    case 'j':
        options->json = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case 'n':
        errno = 0;
        options->most_problems = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || *end || errno)
            argp_failure(state, MPIOT_CHECK_UNREADABLE, 0,
                         "--max-problems=%s: not allowed, only a number from 0", text);
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            argp_failure(state, MPIOT_CHECK_UNREADABLE, 0, "%s: only one archive is allowed", text);
        options->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, MPIOT_CHECK_UNREADABLE, 0, "no archive given (see --help)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Print problems and summary as JSON", 0},
        {"quiet", 'q', NULL, 0, "Print problems only, no summary", 0},
        {"max-problems", 'n', "N", 0, "Print at most N problems (100); all are counted", 0},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "ARCHIVE",
        .doc =
            "Check an OTF2 archive (its directory or its .otf2 file) against OTF2's rules, those "
            "on I/O records above all.\v"
            "Exit status: 0 no problem, 1 problems, 2 the archive cannot be read.",
    };
    struct mpiot_check_options chosen = {.most_problems = 100};

    argp_program_version = PACKAGE_STRING;
    argp_err_exit_status = MPIOT_CHECK_UNREADABLE;
    argp_parse(&parser, argc, argv, 0, NULL, &chosen);
    return mpiot_archive_guard(chosen.path, check, &chosen, MPIOT_CHECK_UNREADABLE);
}
