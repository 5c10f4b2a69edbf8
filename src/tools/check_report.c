/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/check_defs.h"
#include "tools/json.h"

struct mpiot_check_totals mpiot_check_totals;

static struct {
    struct mpiot_check_options options;
    uint64_t problems;
    json_t *shown; /**< JSON: array of the problems so far */
} state;

static const char *const kind_names[MPIOT_IO_KINDS] = {
    [MPIOT_IO_READ] = "read",
    [MPIOT_IO_WRITE] = "write",
    [MPIOT_IO_FLUSH] = "flush",
};

void mpiot_check_report_start(const struct mpiot_check_options *options)
{
    state.options = *options;
    state.shown = json_array();
}

/** Names come from the archive: a control character in one must not break the line. */
static void print_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 0x7f)
            printf("\\x%02x", *c);
        else
            putchar(*c);
    putchar('\n');
}

/** The names of a location and its group: "MPI Rank 1", "Thread 1". */
static void names_of(OTF2_LocationRef id, const char **group, const char **name)
{
    const struct mpiot_def *location = mpiot_defs_find(MPIOT_KIND_LOCATION, id);

    *group = location ? mpiot_defs_name(MPIOT_KIND_LOCATION_GROUP, location->location.group) : "";
    *name = mpiot_defs_name(MPIOT_KIND_LOCATION, id);
}

static void show_as_line(const struct mpiot_where *where, const char *problem)
{
    const char *group, *name;
    char *line;

    names_of(where->location, &group, &name);
    if (where->has_time)
        line = mpiot_text("location %" PRIu64 " (\"%s\", \"%s\"), time %" PRIu64 ": %s: %s",
                          where->location, group, name, where->time, where->record, problem);
    else
        line = mpiot_text("%s: %s", where->record, problem);
    print_line(line);
    free(line);
}

static void show_as_json(const struct mpiot_where *where, const char *problem)
{
    const char *group, *name;
    json_t *entry = json_object();

    if (where->has_time) {
        names_of(where->location, &group, &name);
        json_object_set_new(entry, "location", json_integer((json_int_t)where->location));
        json_object_set_new(entry, "location_group", mpiot_json_text(group));
        json_object_set_new(entry, "location_name", mpiot_json_text(name));
        json_object_set_new(entry, "time", json_integer((json_int_t)where->time));
    }
    json_object_set_new(entry, "record", mpiot_json_text(where->record));
    json_object_set_new(entry, "problem", mpiot_json_text(problem));
    json_array_append_new(state.shown, entry);
}

void mpiot_check_report_problem_list(const struct mpiot_where *where, const char *format,
                                     va_list arguments)
{
    if (state.problems++ >= state.options.most_problems)
        return;
    char *problem = mpiot_text_list(format, arguments);
    if (state.options.json)
        show_as_json(where, problem);
    else
        show_as_line(where, problem);
    free(problem);
}

void mpiot_check_report_problem(const struct mpiot_where *where, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    mpiot_check_report_problem_list(where, format, arguments);
    va_end(arguments);
}

static uint64_t count_of(enum mpiot_kind kind)
{
    size_t count;
    mpiot_defs_all(kind, &count);
    return count;
}

static void print_summary(void)
{
    static const char *const rows[MPIOT_IO_KINDS] = {"reads", "writes", "flushes"};
    const struct mpiot_check_totals *totals = &mpiot_check_totals;

    printf("processes    %" PRIu64 "\n", count_of(MPIOT_KIND_LOCATION_GROUP));
    printf("locations    %" PRIu64 "\n", count_of(MPIOT_KIND_LOCATION));
    printf("events       %" PRIu64 "\n", totals->events);
    printf("files        %" PRIu64 ", deleted %" PRIu64 " times\n", count_of(MPIOT_KIND_IO_FILE),
           totals->deleted);
    printf("handles      %" PRIu64 ", created %" PRIu64 " times, destroyed %" PRIu64 " times\n",
           count_of(MPIOT_KIND_IO_HANDLE), totals->created, totals->destroyed);
    for (int kind = 0; kind < MPIOT_IO_KINDS; kind++)
        printf("%-13s%" PRIu64 ", %" PRIu64 " completed, %" PRIu64 " cancelled, %" PRIu64
               " bytes\n",
               rows[kind], totals->operations[kind].begun, totals->operations[kind].completed,
               totals->operations[kind].cancelled, totals->operations[kind].bytes);
    printf("collective   %" PRIu64 " of these\n", totals->collective);
    printf("nonblocking  %" PRIu64 " of these, %" PRIu64 " unsuccessful tests\n",
           totals->non_blocking, totals->tests);
    printf("seeks        %" PRIu64 "\n", totals->seeks);
    printf("problems     %" PRIu64 "\n", state.problems);
}

static json_t *count_as_json(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *summary_as_json(void)
{
    const struct mpiot_check_totals *totals = &mpiot_check_totals;
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"processes", count_of(MPIOT_KIND_LOCATION_GROUP)},
        {"locations", count_of(MPIOT_KIND_LOCATION)},
        {"events", totals->events},
        {"files", count_of(MPIOT_KIND_IO_FILE)},
        {"handles", count_of(MPIOT_KIND_IO_HANDLE)},
        {"created", totals->created},
        {"destroyed", totals->destroyed},
        {"deleted", totals->deleted},
        {"seeks", totals->seeks},
        {"collective", totals->collective},
        {"non_blocking", totals->non_blocking},
        {"tests", totals->tests},
        {"problems", state.problems},
    };
    json_t *summary = json_object(), *operations = json_object();

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(summary, counts[i].name, count_as_json(counts[i].count));
    for (int kind = 0; kind < MPIOT_IO_KINDS; kind++) {
        json_t *entry = json_object();
        json_object_set_new(entry, "begun", count_as_json(totals->operations[kind].begun));
        json_object_set_new(entry, "completed", count_as_json(totals->operations[kind].completed));
        json_object_set_new(entry, "cancelled", count_as_json(totals->operations[kind].cancelled));
        json_object_set_new(entry, "bytes", count_as_json(totals->operations[kind].bytes));
        json_object_set_new(operations, kind_names[kind], entry);
    }
    json_object_set_new(summary, "operations", operations);
    return summary;
}

enum mpiot_check_status mpiot_check_report_end(void)
{
    if (state.options.json) {
        json_t *document = json_object();
        json_object_set_new(document, "schema", json_integer(1));
        json_object_set_new(document, "archive", mpiot_json_text(state.options.path));
        json_object_set_new(document, "problems", state.shown);
        if (!state.options.quiet)
            json_object_set_new(document, "summary", summary_as_json());
        json_dumpf(document, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(document);
    } else {
        if (state.problems > state.options.most_problems)
            printf("%" PRIu64 " problems, of which %" PRIu64 " are shown\n", state.problems,
                   state.options.most_problems);
        if (!state.options.quiet)
            print_summary();
    }
    return state.problems > 0 ? MPIOT_CHECK_PROBLEMS : MPIOT_CHECK_CLEAN;
}
