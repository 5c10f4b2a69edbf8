/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_findings.h"
#include "tools/report_format.h"
#include "tools/report_model.h"
#include "tools/report_options.h"
#include "tools/report_summary.h"

/** Rows of a table that are shown without --all. */
enum { MOST_ROWS = 20, MOST_FINDINGS = 8 };

size_t mpiot_report_shown(size_t count, size_t most)
{
    return mpiot_report_options.all || count < most ? count : most;
}

void mpiot_report_print_left_out(size_t count, size_t shown, const char *what)
{
    if (count > shown)
        mpiot_print_wrapped(2, 2, "... and %zu more %s: see --all", count - shown, what);
}

static void print_head(void)
{
    const struct mpiot_report_options *options = &mpiot_report_options;
    const size_t silent = mpiot_model.rank_count - mpiot_spread(mpiot_rank_run_time).count;
    char *time = mpiot_format_seconds(mpiot_run_time());
    char *without = silent > 0 ? mpiot_text(" (%zu without events)", silent) : mpiot_text("%s", "");

    mpiot_print_wrapped(0, 2, "%s", options->path);
    mpiot_print_wrapped(0, 2, "%zu rank%s%s, %s, %" PRIu64 " events; written by %s%s%s",
                        mpiot_model.rank_count, mpiot_model.rank_count == 1 ? "" : "s", without,
                        time, mpiot_model.records, mpiot_model.creator,
                        *mpiot_model.marks ? "; " : "", mpiot_model.marks);
    free(without);
    free(time);
}

static void print_findings(void)
{
    size_t count;
    const struct mpiot_finding *findings = mpiot_findings(&count);
    const size_t shown = mpiot_report_shown(count, MOST_FINDINGS);

    if (count > 0)
        mpiot_print_heading("Findings");
    for (size_t i = 0; i < shown; i++)
        mpiot_print_wrapped(2, 4, "- %s", findings[i].text);
    mpiot_report_print_left_out(count, shown, "findings");
}

typedef double (*quantity)(const struct mpiot_rank *rank);

static double time_reading(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->kinds[MPIOT_TIME_READ]);
}

static double time_writing(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->kinds[MPIOT_TIME_WRITE]);
}

static double time_flushing(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->kinds[MPIOT_TIME_FLUSH]);
}

static double time_waiting(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->kinds[MPIOT_TIME_WAIT]);
}

static char *as_share(double share)
{
    return mpiot_format_share(share, 1);
}

static char *with_rank(char *text, uint32_t index)
{
    char *both = mpiot_text("%s (%" PRIu32 ")", text, mpiot_model.ranks[index].number);
    free(text);
    return both;
}

static void print_ranks(void)
{
    static const struct {
        const char *name;
        quantity quantity;
        char *(*format)(double value);
    } rows[] = {
        {"run time", mpiot_rank_run_time, mpiot_format_seconds},
        {"in I/O calls", mpiot_rank_io_time, mpiot_format_seconds},
        {"  of run time", mpiot_rank_io_share, as_share},
        {"  reading", time_reading, mpiot_format_seconds},
        {"  writing", time_writing, mpiot_format_seconds},
        {"  flushing", time_flushing, mpiot_format_seconds},
        {"  waiting", time_waiting, mpiot_format_seconds},
        {"  metadata", mpiot_rank_metadata_time, mpiot_format_seconds},
        {"bytes read", mpiot_rank_bytes_read, mpiot_format_bytes},
        {"bytes written", mpiot_rank_bytes_written, mpiot_format_bytes},
    };
    static const struct mpiot_column columns[] = {
        {"", true, true}, {"least (rank)", 0, 0}, {"median", 0, 0}, {"most (rank)", 0, 0}};
    struct mpiot_table *table = mpiot_table_new(columns, 4);

    mpiot_print_heading("Ranks");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct mpiot_spread spread = mpiot_spread(rows[i].quantity);
        if (spread.most == 0)
            continue;
        mpiot_table_add(table, mpiot_text("%s", rows[i].name));
        mpiot_table_add(table, with_rank(rows[i].format(spread.least), spread.least_rank));
        mpiot_table_add(table, rows[i].format(spread.median));
        mpiot_table_add(table, with_rank(rows[i].format(spread.most), spread.most_rank));
    }
    mpiot_table_print(table);
}

static double sum_of_runs(void)
{
    return mpiot_spread(mpiot_rank_run_time).sum;
}

static void add_sum(struct mpiot_table *table, const struct mpiot_sum *sum)
{
    const uint64_t bytes = mpiot_sum_bytes(sum);
    double ticks = 0;

    for (int mode = 0; mode < MPIOT_MODES; mode++)
        ticks += mode == MPIOT_MODE_FLUSH ? 0 : sum->modes[mode].ticks;
    mpiot_table_add(table, mpiot_format_count(sum->calls));
    mpiot_table_add(table, mpiot_format_seconds(mpiot_seconds(sum->ticks)));
    mpiot_table_add(table, mpiot_format_share(mpiot_seconds(sum->ticks), sum_of_runs()));
    mpiot_table_add(table, bytes || mpiot_sum_begun(sum) ? mpiot_format_bytes((double)bytes)
                                                         : mpiot_text("-"));
    mpiot_table_add(table, mpiot_format_rate((double)bytes, mpiot_seconds(ticks)));
}

static void print_calls(void)
{
    static const struct mpiot_column columns[] = {
        {"call", true, true}, {"count", 0, 0}, {"time", 0, 0},
        {"of run", 0, 0},     {"bytes", 0, 0}, {"per second", 0, 0},
    };
    struct mpiot_table *table = mpiot_table_new(columns, 6);
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_CALL, &count);
    const size_t shown = mpiot_report_shown(count, MOST_ROWS);

    mpiot_print_heading("Calls (all ranks)");
    for (size_t i = 0; i < shown; i++) {
        mpiot_table_add(table, mpiot_text("%s", mpiot_call_name(sums[i].key.call)));
        add_sum(table, &sums[i]);
    }
    mpiot_table_print(table);
    mpiot_report_print_left_out(count, shown, "calls");
    free(sums);
}

static void print_sites(void)
{
    static const struct mpiot_column columns[] = {
        {"place", true, true}, {"call", true, true}, {"count", 0, 0},
        {"time", 0, 0},        {"bytes", 0, 0},
    };
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_SITE | MPIOT_BY_CALL, &count);
    const size_t shown = mpiot_report_shown(count, MOST_ROWS);

    if (mpiot_model.site_count > 0) {
        struct mpiot_table *table = mpiot_table_new(columns, 5);
        mpiot_print_heading("Places in the program");
        for (size_t i = 0; i < shown; i++) {
            mpiot_table_add(table, mpiot_site_text(sums[i].key.site));
            mpiot_table_add(table, mpiot_text("%s", mpiot_call_name(sums[i].key.call)));
            mpiot_table_add(table, mpiot_format_count(sums[i].calls));
            mpiot_table_add(table, mpiot_format_seconds(mpiot_seconds(sums[i].ticks)));
            mpiot_table_add(table, mpiot_format_bytes((double)mpiot_sum_bytes(&sums[i])));
        }
        mpiot_table_print(table);
        mpiot_report_print_left_out(count, shown, "places");
    }
    free(sums);
}

/** Moves the rows of which the quantity is not 0 to the front, and returns their number. */
static size_t keep(struct mpiot_sum *sums, size_t count,
                   uint64_t (*quantity)(const struct mpiot_sum *sum))
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (quantity(&sums[i]) > 0)
            sums[kept++] = sums[i];
    return kept;
}

static uint64_t non_blocking(const struct mpiot_sum *sum)
{
    uint64_t count = 0;

    for (int mode = 0; mode < MPIOT_MODES; mode++)
        count += sum->modes[mode].non_blocking;
    return count;
}

static void add_overlap(struct mpiot_table *table, const struct mpiot_sum *sum)
{
    struct mpiot_operations all;

    mpiot_operations_start(&all);
    for (int mode = 0; mode < MPIOT_MODES; mode++)
        mpiot_operations_add(&all, &sum->modes[mode]);
    mpiot_table_add(table, mpiot_text("%s", mpiot_call_name(sum->key.call)));
    mpiot_table_add(table, mpiot_format_count(all.non_blocking));
    mpiot_table_add(table, mpiot_format_seconds(mpiot_seconds(mpiot_operations_in_flight(&all))));
    mpiot_table_add(table, mpiot_format_seconds(mpiot_seconds(all.issuing)));
    mpiot_table_add(table, mpiot_format_seconds(mpiot_seconds(all.waiting)));
    mpiot_table_add(table, mpiot_format_share(all.overlapped, mpiot_operations_in_flight(&all)));
    mpiot_table_add(table, mpiot_format_count(all.tests));
}

static void print_overlap(void)
{
    static const struct mpiot_column columns[] = {
        {"call", true, true}, {"operations", 0, 0}, {"in flight", 0, 0}, {"issuing", 0, 0},
        {"waiting", 0, 0},    {"overlap", 0, 0},    {"tests", 0, 0},
    };
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_CALL, &count);
    const size_t rows = keep(sums, count, non_blocking),
                 shown = mpiot_report_shown(rows, MOST_ROWS);

    if (rows > 0) {
        struct mpiot_table *table = mpiot_table_new(columns, 7);
        mpiot_print_heading("Non-blocking operations");
        for (size_t i = 0; i < shown; i++)
            add_overlap(table, &sums[i]);
        mpiot_table_print(table);
        mpiot_report_print_left_out(rows, shown, "calls");
    }
    free(sums);
}

static void print_errors(void)
{
    const struct mpiot_error *error = mpiot_model.errors;
    const size_t count = HASH_COUNT(error), shown = mpiot_report_shown(count, MOST_ROWS);

    if (count > 0)
        mpiot_print_heading("Errors");
    for (size_t i = 0; i < shown; i++, error = error->hh.next) {
        const char *file = mpiot_error_file(error);
        mpiot_print_wrapped(2, 6, "%" PRIu64 " x %s in %s%s%s: %s", error->count,
                            mpiot_def_text(error->key.class), mpiot_call_name(error->key.call),
                            *file ? ", " : "", file, mpiot_def_text(error->text));
    }
    mpiot_report_print_left_out(count, shown, "errors");
}

static uint64_t unobserved(const struct mpiot_sum *sum)
{
    uint64_t count = 0;

    for (int mode = 0; mode < MPIOT_MODES; mode++)
        count += sum->modes[mode].not_observed + sum->modes[mode].not_ended;
    return count;
}

static void print_unobserved(void)
{
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_FILE | MPIOT_BY_CALL | MPIOT_BY_SITE, &count);
    const size_t rows = keep(sums, count, unobserved), shown = mpiot_report_shown(rows, MOST_ROWS);

    if (rows > 0)
        mpiot_print_heading("Operations that were never seen to complete");
    for (size_t i = 0; i < shown; i++) {
        char *site = mpiot_site_text(sums[i].key.site);
        const bool has_site = sums[i].key.site != MPIOT_NONE;
        mpiot_print_wrapped(2, 6, "%" PRIu64 " of %" PRIu64 " of %s on %s%s%s",
                            unobserved(&sums[i]), mpiot_sum_begun(&sums[i]),
                            mpiot_call_name(sums[i].key.call),
                            mpiot_model.files[sums[i].key.file].name, has_site ? " from " : "",
                            has_site ? site : "");
        free(site);
    }
    mpiot_report_print_left_out(rows, shown, "operations");
    free(sums);
}

void mpiot_report_print_text(void)
{
    size_t files;

    free(mpiot_summary(MPIOT_BY_FILE, &files));
    mpiot_terminal_start();
    print_head();
    if (files == 0) {
        mpiot_print_heading("The options leave nothing in");
        return;
    }
    print_findings();
    print_ranks();
    print_calls();
    mpiot_report_print_files();
    print_sites();
    print_overlap();
    print_errors();
    print_unobserved();
}
