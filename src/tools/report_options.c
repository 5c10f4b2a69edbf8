/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_options.h"

#include <argp.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report.h"
#include "tools/report_defs.h"
#include "tools/report_fields.h"

struct mpiot_report_options mpiot_report_options = {.to = INFINITY};

static struct {
    uint64_t from, to; /**< ticks: from the first to before the last */
} state = {.to = UINT64_MAX};

static void refuse(const struct argp_state *state, const char *option, const char *value,
                   const char *allowed)
{
    argp_failure(state, MPIOT_REPORT_UNREADABLE, 0, "--%s=%s: not allowed, only %s", option, value,
                 allowed);
}

bool mpiot_options_parse_rank(const char **text, uint32_t *rank)
{
    char *end;

    errno = 0;
    unsigned long number = strtoul(*text, &end, 10);
    if (**text < '0' || **text > '9' || errno || number > UINT32_MAX)
        return false;
    *text = end;
    *rank = (uint32_t)number;
    return true;
}

/** "3" or "3-5". */
static bool parse_range(const char **text, struct mpiot_rank_range *range)
{
    if (!mpiot_options_parse_rank(text, &range->first))
        return false;
    range->last = range->first;
    if (**text != '-')
        return true;
    ++*text;
    return mpiot_options_parse_rank(text, &range->last) && range->first <= range->last;
}

static void parse_ranks(const struct argp_state *state, const char *text)
{
    struct mpiot_report_options *options = &mpiot_report_options;
    const char *at = text;

    options->ranks_text = text;
    for (;;) {
        options->ranks = mpiot_grow(options->ranks, options->range_count, &options->range_capacity,
                                    sizeof *options->ranks);
        if (!parse_range(&at, &options->ranks[options->range_count++]) || (*at && *at != ',')) {
            refuse(state, "ranks", text, "ranks and ranges of them, as in 0,2-5");
            return;
        }
        if (!*at++)
            return;
    }
}

/** Adds patterns separated by ':' to a list of them. */
static char **parse_patterns(const struct argp_state *state, const char *option, const char *text,
                             char **patterns)
{
    size_t count = 0;
    char *rest = mpiot_text("%s", text), *pattern;

    while (patterns && patterns[count])
        count++;
    while ((pattern = strsep(&rest, ":"))) {
        if (!*pattern)
            refuse(state, option, text, "patterns as of fnmatch(3), separated by ':'");
        patterns = mpiot_resize(patterns, (count + 2) * sizeof *patterns);
        patterns[count++] = pattern;
        patterns[count] = NULL;
    }
    return patterns;
}

static double parse_seconds(const struct argp_state *state, const char *option, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || !(seconds >= 0) || isinf(seconds))
        refuse(state, option, text, "seconds since the start of the trace");
    return seconds;
}

static int parse_table(const struct argp_state *state, const char *text)
{
    int table = 0;
    char *allowed = mpiot_text("%s", mpiot_table_name(0));

    if (!text)
        return MPIOT_TABLES;
    while (table < MPIOT_TABLES && strcmp(text, mpiot_table_name(table)) != 0)
        table++;
    for (int i = 1; i < MPIOT_TABLES; i++)
        mpiot_text_append(&allowed, "%s%s", i + 1 < MPIOT_TABLES ? ", " : " or ",
                          mpiot_table_name(i));
    if (table == MPIOT_TABLES)
        refuse(state, "csv", text, allowed);
    free(allowed);
    return table;
}

enum { KEY_RANKS = 256, KEY_FILES, KEY_CALLS, KEY_FROM, KEY_TO, KEY_CSV, KEY_HTML };

static void check_times(const struct argp_state *state)
{
    const struct mpiot_report_options *options = &mpiot_report_options;

    if (options->to <= options->from)
        argp_failure(state, MPIOT_REPORT_UNREADABLE, 0,
                     "--to=%g: not allowed, only times after --from=%g", options->to,
                     options->from);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct mpiot_report_options *options = &mpiot_report_options;

    switch (key) {
    case 'a':
        options->all = true;
        return 0;
    case 'j':
        options->form = MPIOT_FORM_JSON;
        return 0;
    case KEY_CSV:
        options->form = MPIOT_FORM_CSV;
        options->csv_table = parse_table(state, text);
        return 0;
    case KEY_HTML:
        options->html = text;
        return 0;
    case KEY_RANKS:
        parse_ranks(state, text);
        return 0;
    case KEY_FILES:
        options->files = parse_patterns(state, "files", text, options->files);
        return 0;
    case KEY_CALLS:
        options->calls = parse_patterns(state, "calls", text, options->calls);
        return 0;
    case KEY_FROM:
        options->from = parse_seconds(state, "from", text);
        return 0;
    case KEY_TO:
        options->to = parse_seconds(state, "to", text);
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            argp_failure(state, MPIOT_REPORT_UNREADABLE, 0, "%s: only one archive is allowed",
                         text);
        options->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, MPIOT_REPORT_UNREADABLE, 0, "no archive given (see --help)");
        return 0;
    case ARGP_KEY_END:
        check_times(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/** What programs heed for their output: POSIX's COLUMNS, no-color.org's NO_COLOR, TERM. */
static void read_environment(void)
{
    const char *columns = getenv("COLUMNS"), *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    mpiot_report_options.columns = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
    mpiot_report_options.no_color = (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;
}

void mpiot_options_parse(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"all", 'a', NULL, 0, "Print all rows of each table, not only the first", 0},
        {"json", 'j', NULL, 0, "Print the report as JSON", 0},
        {"csv", KEY_CSV, "TABLE", OPTION_ARG_OPTIONAL,
         "Print a table, or all, as comma-separated values", 0},
        {"html", KEY_HTML, "FILE", 0, "Write the report as a page for browsers, too", 0},
        {"ranks", KEY_RANKS, "LIST", 0, "Only these ranks, as in 0,2-5", 1},
        {"files", KEY_FILES, "PATTERN", 0,
         "Only files whose path, or last part of it, matches (fnmatch(3); several with ':')", 1},
        {"calls", KEY_CALLS, "PATTERN", 0, "Only calls whose name matches", 1},
        {"from", KEY_FROM, "SECONDS", 0, "Only from so long after the start on", 1},
        {"to", KEY_TO, "SECONDS", 0, "Only until so long after the start", 1},
        {0},
    };
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "ARCHIVE",
        .doc = "Say what an OTF2 archive (its directory or its .otf2 file) tells about I/O: time, "
               "calls, files, places in the program.\v"
               "Exit status: 0 done, 1 the archive has no I/O records, 2 it cannot be read.",
    };

    argp_program_version = PACKAGE_STRING;
    argp_err_exit_status = MPIOT_REPORT_UNREADABLE;
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    read_environment();
}

/** Ticks at so many seconds after the start of the trace. */
static uint64_t ticks_at(double seconds)
{
    const uint64_t begin = mpiot_def_clock.begin;
    double ticks = ceil(seconds * (double)mpiot_def_clock.resolution);
    /* A clock may count from the epoch, in more ticks than a double tells apart. */
    return ticks < (double)(UINT64_MAX - begin) ? begin + (uint64_t)ticks : UINT64_MAX;
}

void mpiot_options_set_clock(void)
{
    state.from = mpiot_report_options.from > 0 ? ticks_at(mpiot_report_options.from) : 0;
    state.to = ticks_at(mpiot_report_options.to);
}

bool mpiot_options_select_rank(uint32_t rank)
{
    const struct mpiot_report_options *options = &mpiot_report_options;

    for (size_t i = 0; i < options->range_count; i++)
        if (options->ranks[i].first <= rank && rank <= options->ranks[i].last)
            return true;
    return !options->ranks;
}

static bool matches(char *const *patterns, const char *name)
{
    for (; *patterns; patterns++)
        if (fnmatch(*patterns, name, 0) == 0)
            return true;
    return false;
}

bool mpiot_options_select_file(const char *path)
{
    char *const *patterns = mpiot_report_options.files;

    if (!patterns || !path)
        return !patterns;
    const char *slash = strrchr(path, '/');
    return matches(patterns, path) || (slash && matches(patterns, slash + 1));
}

bool mpiot_options_select_call(const char *name)
{
    char *const *patterns = mpiot_report_options.calls;

    return !patterns || (name && matches(patterns, name));
}

bool mpiot_options_select_time(uint64_t time)
{
    return state.from <= time && time < state.to;
}

uint64_t mpiot_options_clip_time(uint64_t time)
{
    return time < state.from ? state.from : time < state.to ? time : state.to;
}
