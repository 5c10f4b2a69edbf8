/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_html.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/memory.h"
#include "tools/report_fields.h"
#include "tools/report_json.h"
#include "tools/report_map.h"
#include "tools/report_model.h"
#include "tools/report_options.h"
#include "tools/report_timeline.h"

/** Rows of a table that the page has. */
enum { MOST_ROWS = 1000 };

/* html/page.S */
extern const char mpiot_html_page_css[], mpiot_html_page_html[], mpiot_html_format_js[],
    mpiot_html_data_js[], mpiot_html_view_js[], mpiot_html_timeline_js[], mpiot_html_bandwidth_js[],
    mpiot_html_map_js[], mpiot_html_tables_js[], mpiot_html_main_js[], mpiot_html_uplot_js[],
    mpiot_html_uplot_css[], mpiot_html_uplot_licence[];

/** The report's tables without what is 0, and how many rows of each were left out. */
static json_t *report_as_json(json_t *left_out)
{
    json_t *report = mpiot_report_head_as_json();

    for (int table = 0; table < MPIOT_TABLES; table++) {
        size_t left = 0;
        json_t *rows = mpiot_table_as_json(table, MOST_ROWS, &left);
        json_object_set_new(report, mpiot_table_name(table), rows);
        json_object_set_new(left_out, mpiot_table_name(table), json_integer((json_int_t)left));
    }
    return report;
}

static json_t *call_names(void)
{
    json_t *names = json_array();

    for (size_t i = 0; i < mpiot_model.call_count; i++)
        json_array_append_new(names, mpiot_json_text(mpiot_model.calls[i].name));
    return names;
}

/** Of the files that timeline and maps refer to, by index. */
static json_t *file_names(void)
{
    json_t *names = json_object();
    char index[24];

    for (size_t i = 0; i < mpiot_model.file_count; i++) {
        if (!mpiot_model.files[i].is_shown)
            continue;
        snprintf(index, sizeof index, "%zu", i);
        json_object_set_new(names, index, mpiot_json_text(mpiot_model.files[i].name));
    }
    return names;
}

/** Ticks per second, and from when to when the ranks ran, in ticks since the trace began. */
static json_t *clock_as_json(void)
{
    json_t *clock = json_object();
    uint64_t begin = UINT64_MAX, end = 0;

    for (size_t i = 0; i < mpiot_model.rank_count; i++) {
        const struct mpiot_rank *rank = &mpiot_model.ranks[i];
        if (rank->has_events && rank->first < begin)
            begin = rank->first;
        if (rank->has_events && rank->last > end)
            end = rank->last;
    }
    begin = mpiot_options_clip_time(begin);
    end = mpiot_options_clip_time(end);
    json_object_set_new(clock, "resolution", json_integer((json_int_t)mpiot_def_clock.resolution));
    json_object_set_new(clock, "begin", json_integer((json_int_t)(begin - mpiot_def_clock.begin)));
    json_object_set_new(clock, "end", json_integer((json_int_t)(end - mpiot_def_clock.begin)));
    return clock;
}

static json_t *page_as_json(void)
{
    json_t *page = json_object(), *left_out = json_object();
    size_t left;

    json_object_set_new(page, "clock", clock_as_json());
    json_object_set_new(page, "report", report_as_json(left_out));
    json_object_set_new(page, "left_out", left_out);
    json_object_set_new(page, "timeline", mpiot_timeline_as_json());
    json_object_set_new(page, "maps", mpiot_map_as_json(&left));
    json_object_set_new(left_out, "maps", json_integer((json_int_t)left));
    json_object_set_new(page, "bandwidth", mpiot_bandwidth_as_json());
    json_object_set_new(page, "call_names", call_names());
    json_object_set_new(page, "file_names", file_names());
    return page;
}

/** '<' stands in strings only. As an escape it can neither end the script element nor start one. */
static int write_escaped(const char *text, size_t size, void *file)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '<')
            fputs("\\u003c", file);
        else
            putc(text[i], file);
    return 0;
}

static void write_script(FILE *file, const char *script)
{
    fprintf(file, "<script>\n%s</script>\n", script);
}

static void write_page(FILE *file)
{
    static const char *const scripts[] = {
        mpiot_html_uplot_js, mpiot_html_format_js,   mpiot_html_data_js,
        mpiot_html_view_js,  mpiot_html_timeline_js, mpiot_html_bandwidth_js,
        mpiot_html_map_js,   mpiot_html_tables_js,   mpiot_html_main_js};
    json_t *data = page_as_json();

    /* The policy keeps the page's promise: nothing is loaded, whatever a name in the trace says. */
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n"
            "<title>mpiotrace</title>\n<style>\n%s%s</style>\n</head>\n<body>\n%s"
            "<script type=\"application/json\" id=\"data\">",
            mpiot_html_uplot_css, mpiot_html_page_css, mpiot_html_page_html);
    json_dump_callback(data, write_escaped, file, JSON_COMPACT | JSON_REAL_PRECISION(9));
    fprintf(file, "</script>\n<!-- The following script is uPlot.\n\n%s\n-->\n",
            mpiot_html_uplot_licence);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        write_script(file, scripts[i]);
    fputs("</body>\n</html>\n", file);
    json_decref(data);
}

static int write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    int error = 0;

    if (!file)
        return errno;
    write_page(file);
    if (fflush(file) != 0)
        error = errno;
    else if (ferror(file))
        error = EIO;
    if (fclose(file) != 0 && !error)
        error = errno;
    return error;
}

/** By way of a file beside it, so that no half of a page is left where there was one. */
static int replace_file(const char *path)
{
    char *unfinished = mpiot_text("%s.%ld", path, (long)getpid());
    int error = write_file(unfinished);

    if (!error && rename(unfinished, path) != 0)
        error = errno;
    if (error)
        unlink(unfinished);
    free(unfinished);
    return error;
}

int mpiot_report_write_html(const char *path)
{
    struct stat status;
    /* A device or pipe is written to; renaming would replace it. */
    const bool is_special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const int error = is_special ? write_file(path) : replace_file(path);

    if (error)
        fprintf(stderr, "%s: --html=%s: %s\n", program_invocation_short_name, path,
                strerror(error));
    return -error;
}
