/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report_model.h"
#include "tools/report_options.h"
#include "tools/report_summary.h"
#include "tools/report_text.h"

/** Objects within each other: a row, its operations, their requests. */
enum { DEEPEST = 4 };

struct nest {
    json_t *objects[DEEPEST];
    int depth;
    bool is_compact; /**< without what is empty or 0 */
};

static json_t *innermost(struct nest *nest)
{
    return nest->objects[nest->depth];
}

static void take_text(void *state, const char *name, const char *value)
{
    const struct nest *nest = state;

    if (*value || !nest->is_compact)
        json_object_set_new(innermost(state), name, mpiot_json_text(value));
}

static void take_list(void *state, const char *name, char *const *values, size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, mpiot_json_text(values[i]));
    json_object_set_new(innermost(state), name, array);
}

static void take_count(void *state, const char *name, uint64_t value)
{
    const struct nest *nest = state;

    if (value > 0 || !nest->is_compact)
        json_object_set_new(innermost(state), name, json_integer((json_int_t)value));
}

static void take_real(void *state, const char *name, double value)
{
    const struct nest *nest = state;

    if (value != 0 || !nest->is_compact)
        json_object_set_new(innermost(state), name, json_real(value));
}

static bool begin(void *state, const char *name, bool is_used)
{
    struct nest *nest = state;
    json_t *object;

    if (!is_used)
        return false;
    object = json_object();
    json_object_set_new(innermost(nest), name, object);
    nest->objects[++nest->depth] = object;
    return true;
}

static void end(void *state)
{
    struct nest *nest = state;
    nest->depth--;
}

static json_t *table_as_json(enum mpiot_table_name table, size_t most, bool is_compact,
                             size_t *left)
{
    size_t count;
    struct mpiot_rows *rows = mpiot_rows_new(table, &count);
    json_t *array = json_array();

    *left = count > most ? count - most : 0;
    for (size_t i = 0; i < count - *left; i++) {
        struct nest nest = {.objects = {json_object()}, .is_compact = is_compact};
        const struct mpiot_taker taker = {&nest,     take_text, take_list, take_count,
                                          take_real, begin,     end};
        mpiot_rows_take(rows, i, &taker);
        json_array_append_new(array, nest.objects[0]);
    }
    mpiot_rows_free(rows);
    return array;
}

json_t *mpiot_table_as_json(enum mpiot_table_name table, size_t most, size_t *left)
{
    return table_as_json(table, most, true, left);
}

static json_t *spread_as_json(double (*quantity)(const struct mpiot_rank *rank))
{
    const struct mpiot_spread spread = mpiot_spread(quantity);
    json_t *object = json_object();

    if (mpiot_model.rank_count == 0)
        return object;
    json_object_set_new(object, "least", json_real(spread.least));
    json_object_set_new(object, "least_rank",
                        json_integer(mpiot_model.ranks[spread.least_rank].number));
    json_object_set_new(object, "median", json_real(spread.median));
    json_object_set_new(object, "most", json_real(spread.most));
    json_object_set_new(object, "most_rank",
                        json_integer(mpiot_model.ranks[spread.most_rank].number));
    json_object_set_new(object, "sum", json_real(spread.sum));
    return object;
}

static json_t *words_as_json(const char *text)
{
    json_t *array = json_array();
    char *copy = strdup(text), *rest = copy, *word;

    while ((word = strsep(&rest, ",")))
        if (*word)
            json_array_append_new(array, mpiot_json_text(word));
    free(copy);
    return array;
}

static json_t *patterns_as_json(char *const *patterns)
{
    json_t *array = json_array();

    for (; *patterns; patterns++)
        json_array_append_new(array, mpiot_json_text(*patterns));
    return array;
}

static json_t *filters_as_json(void)
{
    const struct mpiot_report_options *options = &mpiot_report_options;
    json_t *object = json_object();

    if (options->ranks_text)
        json_object_set_new(object, "ranks", mpiot_json_text(options->ranks_text));
    if (options->files)
        json_object_set_new(object, "files", patterns_as_json(options->files));
    if (options->calls)
        json_object_set_new(object, "calls", patterns_as_json(options->calls));
    if (options->from > 0)
        json_object_set_new(object, "from", json_real(options->from));
    if (!isinf(options->to))
        json_object_set_new(object, "to", json_real(options->to));
    return object;
}

json_t *mpiot_report_head_as_json(void)
{
    json_t *document = json_object(), *spread = json_object();

    json_object_set_new(document, "schema", json_string("mpiotrace-report/1"));
    json_object_set_new(document, "archive", mpiot_json_text(mpiot_report_options.path));
    json_object_set_new(document, "creator", mpiot_json_text(mpiot_model.creator));
    json_object_set_new(document, "marks", words_as_json(mpiot_model.marks));
    json_object_set_new(document, "filters", filters_as_json());
    json_object_set_new(document, "events", json_integer((json_int_t)mpiot_model.records));
    json_object_set_new(document, "run_time", json_real(mpiot_run_time()));
    json_object_set_new(spread, "run_time", spread_as_json(mpiot_rank_run_time));
    json_object_set_new(spread, "io_time", spread_as_json(mpiot_rank_io_time));
    json_object_set_new(spread, "io_share", spread_as_json(mpiot_rank_io_share));
    json_object_set_new(document, "spread", spread);
    return document;
}

void mpiot_report_print_json(void)
{
    json_t *document = mpiot_report_head_as_json();
    size_t left;

    for (int table = 0; table < MPIOT_TABLES; table++)
        json_object_set_new(document, mpiot_table_name(table),
                            table_as_json(table, SIZE_MAX, false, &left));
    json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(document);
}
