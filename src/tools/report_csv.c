/* SPDX-License-Identifier: BSD-3-Clause */
/* RFC 4180, but that lines end as everywhere on Unix. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_fields.h"
#include "tools/report_options.h"
#include "tools/report_text.h"

/** Groups of fields within each other; their names come before the fields'. */
enum { DEEPEST = 4 };

struct line {
    bool is_header; /**< names are printed, not values */
    size_t fields;
    const char *groups[DEEPEST];
    int depth;
};

static void print_quoted(const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

/** Separates fields, and prints the name if that is asked. */
static bool starts_value(struct line *line, const char *name)
{
    if (line->fields++ > 0)
        putchar(',');
    if (!line->is_header)
        return true;
    for (int i = 0; i < line->depth; i++)
        printf("%s_", line->groups[i]);
    fputs(name, stdout);
    return false;
}

static void take_text(void *state, const char *name, const char *value)
{
    if (starts_value(state, name))
        print_quoted(value);
}

static void take_list(void *state, const char *name, char *const *values, size_t count)
{
    char *text = mpiot_text("%s", "");

    for (size_t i = 0; i < count; i++)
        mpiot_text_append(&text, "%s%s", i ? ";" : "", values[i]);
    take_text(state, name, text);
    free(text);
}

static void take_count(void *state, const char *name, uint64_t value)
{
    if (starts_value(state, name))
        printf("%" PRIu64, value);
}

static void take_real(void *state, const char *name, double value)
{
    if (starts_value(state, name))
        printf("%.12g", value);
}

static bool begin(void *state, const char *name, bool is_used)
{
    struct line *line = state;

    (void)is_used; /* every line has every column */
    line->groups[line->depth++] = name;
    return true;
}

static void end(void *state)
{
    struct line *line = state;
    line->depth--;
}

static void print_line(const struct mpiot_rows *rows, size_t row, bool is_header)
{
    struct line line = {.is_header = is_header};
    const struct mpiot_taker taker = {&line,     take_text, take_list, take_count,
                                      take_real, begin,     end};

    mpiot_rows_take(rows, row, &taker);
    putchar('\n');
}

static void print_table(enum mpiot_table_name table)
{
    size_t count;
    struct mpiot_rows *rows = mpiot_rows_new(table, &count);

    if (count > 0)
        print_line(rows, 0, true);
    for (size_t i = 0; i < count; i++)
        print_line(rows, i, false);
    mpiot_rows_free(rows);
}

void mpiot_report_print_csv(void)
{
    const int only = mpiot_report_options.csv_table;

    if (only < MPIOT_TABLES) {
        print_table(only);
        return;
    }
    for (int table = 0; table < MPIOT_TABLES; table++) {
        printf("%s# %s\n", table > 0 ? "\n" : "", mpiot_table_name(table));
        print_table(table);
    }
}
