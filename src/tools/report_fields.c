/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_findings.h"
#include "tools/report_model.h"
#include "tools/report_summary.h"

static const char *const names[MPIOT_TABLES] = {
    [MPIOT_TABLE_FINDINGS] = "findings", [MPIOT_TABLE_RANKS] = "ranks",
    [MPIOT_TABLE_CALLS] = "calls",       [MPIOT_TABLE_FILES] = "files",
    [MPIOT_TABLE_PLACES] = "places",     [MPIOT_TABLE_ACCESSES] = "accesses",
    [MPIOT_TABLE_ERRORS] = "errors",
};

/** What the rows of a table are sums by; the others have none. */
static const unsigned sums_by[MPIOT_TABLES] = {
    [MPIOT_TABLE_CALLS] = MPIOT_BY_CALL,
    [MPIOT_TABLE_FILES] = MPIOT_BY_FILE,
    [MPIOT_TABLE_PLACES] = MPIOT_BY_SITE | MPIOT_BY_CALL,
    [MPIOT_TABLE_ACCESSES] = MPIOT_BY_FILE | MPIOT_BY_CALL | MPIOT_BY_SITE,
};

struct mpiot_rows {
    enum mpiot_table_name table;
    struct mpiot_sum *sums;
    const struct mpiot_error **errors;
    const struct mpiot_finding *findings;
};

const char *mpiot_table_name(enum mpiot_table_name table)
{
    return names[table];
}

static void take_requests(const struct mpiot_operations *counts, const struct mpiot_taker *taker)
{
    char name[32];

    taker->begin(taker->state, "requests", true);
    for (unsigned i = 0; i < MPIOT_SIZES; i++) {
        if (i + 1 < MPIOT_SIZES)
            snprintf(name, sizeof name, "below_%" PRIu64, mpiot_size_limit(i));
        else
            snprintf(name, sizeof name, "from_%" PRIu64, mpiot_size_limit(i - 1));
        taker->count(taker->state, name, counts->sizes[i]);
    }
    taker->end(taker->state);
}

static void take_operations(const struct mpiot_operations *counts, const char *name,
                            const struct mpiot_taker *taker)
{
    void *state = taker->state;

    if (!taker->begin(state, name, counts->begun > 0))
        return;
    taker->count(state, "begun", counts->begun);
    taker->count(state, "completed", counts->completed);
    taker->count(state, "cancelled", counts->cancelled);
    taker->count(state, "collective", counts->collective);
    taker->count(state, "non_blocking", counts->non_blocking);
    taker->count(state, "bytes_requested", counts->requested);
    taker->count(state, "bytes", counts->bytes);
    taker->real(state, "time", mpiot_seconds(counts->ticks));
    taker->count(state, "smallest", counts->largest < counts->smallest ? 0 : counts->smallest);
    taker->count(state, "largest", counts->largest);
    take_requests(counts, taker);
    taker->count(state, "sequential", counts->sequential);
    taker->count(state, "strided", counts->strided);
    taker->count(state, "random", counts->random);
    taker->count(state, "bytes_reread", counts->reread);
    taker->count(state, "end", counts->end);
    taker->count(state, "not_observed", counts->not_observed);
    taker->count(state, "not_ended", counts->not_ended);
    taker->real(state, "time_in_flight", mpiot_seconds(mpiot_operations_in_flight(counts)));
    taker->real(state, "time_issuing", mpiot_seconds(counts->issuing));
    taker->real(state, "time_waiting", mpiot_seconds(counts->waiting));
    taker->real(state, "time_overlapped", mpiot_seconds(counts->overlapped));
    taker->count(state, "unsuccessful_tests", counts->tests);
    taker->end(state);
}

static void take_site(uint32_t index, const struct mpiot_taker *taker)
{
    const struct mpiot_site none = {"", "", 0};
    const struct mpiot_site *site = index == MPIOT_NONE ? &none : &mpiot_model.sites[index];

    taker->text(taker->state, "function", site->function);
    taker->text(taker->state, "source", site->source);
    taker->count(taker->state, "line", site->line);
}

static void take_file(uint32_t index, const struct mpiot_taker *taker)
{
    const struct mpiot_file none = {.name = "", .paradigm = ""};
    const struct mpiot_file *file = index == MPIOT_NONE ? &none : &mpiot_model.files[index];

    taker->text(taker->state, "file", file->name);
    taker->text(taker->state, "paradigm", file->paradigm);
}

static void take_properties(const struct mpiot_file *file, const struct mpiot_taker *taker)
{
    char **texts = mpiot_resize(NULL, (file->hint_count + 1) * sizeof *texts);

    for (size_t i = 0; i < file->hint_count; i++)
        texts[i] = mpiot_text("%s=%s", mpiot_hint_name(&file->hints[i]),
                              mpiot_def_text(file->hints[i].value));
    taker->list(taker->state, "properties", texts, file->hint_count);
    for (size_t i = 0; i < file->hint_count; i++)
        free(texts[i]);
    free(texts);
}

/** What is counted of a file itself, not of the operations on it. */
static void take_file_counts(uint32_t index, const struct mpiot_taker *taker)
{
    const struct mpiot_file none = {.name = "", .paradigm = ""};
    const struct mpiot_file *file = index == MPIOT_NONE ? &none : &mpiot_model.files[index];

    taker->count(taker->state, "ranks", file->ranks);
    taker->count(taker->state, "opens", file->opens);
    taker->count(taker->state, "closes", file->closes);
    taker->count(taker->state, "deletes", file->deletes);
    taker->count(taker->state, "seeks", file->seeks);
    take_properties(file, taker);
}

static void take_sum(const struct mpiot_sum *sum, enum mpiot_table_name table,
                     const struct mpiot_taker *taker)
{
    const unsigned by = sums_by[table];

    if (by & MPIOT_BY_FILE)
        take_file(sum->key.file, taker);
    if (table == MPIOT_TABLE_FILES)
        take_file_counts(sum->key.file, taker);
    if (by & MPIOT_BY_CALL)
        taker->text(taker->state, "call",
                    sum->key.call == MPIOT_NONE ? "" : mpiot_call_name(sum->key.call));
    if (by & MPIOT_BY_SITE)
        take_site(sum->key.site, taker);
    taker->count(taker->state, "calls", sum->calls);
    taker->count(taker->state, "not_left", sum->not_left);
    taker->real(taker->state, "time", mpiot_seconds(sum->ticks));
    taker->real(taker->state, "time_metadata", mpiot_seconds(sum->metadata_ticks));
    take_operations(&sum->modes[MPIOT_MODE_READ], "read", taker);
    take_operations(&sum->modes[MPIOT_MODE_WRITE], "write", taker);
    take_operations(&sum->modes[MPIOT_MODE_FLUSH], "flush", taker);
}

static void take_rank(const struct mpiot_rank *rank, const struct mpiot_taker *taker)
{
    static const char *const times[MPIOT_TIMES] = {
        [MPIOT_TIME_READ] = "time_reading",      [MPIOT_TIME_WRITE] = "time_writing",
        [MPIOT_TIME_FLUSH] = "time_flushing",    [MPIOT_TIME_WAIT] = "time_waiting",
        [MPIOT_TIME_METADATA] = "time_metadata",
    };
    void *state = taker->state;

    taker->count(state, "rank", rank->number);
    taker->text(state, "name", rank->name);
    taker->real(state, "run_time", mpiot_rank_run_time(rank));
    taker->real(state, "io_time", mpiot_rank_io_time(rank));
    for (int i = 0; i < MPIOT_TIMES; i++)
        taker->real(state, times[i], mpiot_seconds(rank->kinds[i]));
    taker->count(state, "calls", rank->calls);
    taker->count(state, "reads", rank->operations[MPIOT_MODE_READ]);
    taker->count(state, "bytes_read", rank->bytes[MPIOT_MODE_READ]);
    taker->count(state, "writes", rank->operations[MPIOT_MODE_WRITE]);
    taker->count(state, "bytes_written", rank->bytes[MPIOT_MODE_WRITE]);
    taker->count(state, "flushes", rank->operations[MPIOT_MODE_FLUSH]);
}

static void take_error(const struct mpiot_error *error, const struct mpiot_taker *taker)
{
    taker->text(taker->state, "class", mpiot_def_text(error->key.class));
    taker->text(taker->state, "call",
                error->key.call == MPIOT_NONE ? "" : mpiot_call_name(error->key.call));
    taker->text(taker->state, "file", mpiot_error_file(error));
    taker->count(taker->state, "count", error->count);
    taker->text(taker->state, "text", mpiot_def_text(error->text));
}

static void take_finding(const struct mpiot_finding *finding, const struct mpiot_taker *taker)
{
    void *state = taker->state;

    taker->text(state, "kind", finding->kind);
    taker->text(state, "text", finding->text);
    taker->text(state, "file",
                finding->file == MPIOT_NONE ? "" : mpiot_model.files[finding->file].name);
    taker->text(state, "call", finding->call == MPIOT_NONE ? "" : mpiot_call_name(finding->call));
    take_site(finding->site, taker);
    if (finding->rank == MPIOT_NONE)
        taker->text(state, "rank", "");
    else
        taker->count(state, "rank", mpiot_model.ranks[finding->rank].number);
    taker->count(state, "count", finding->count);
    taker->count(state, "of", finding->of);
    taker->real(state, "time", finding->seconds);
}

struct mpiot_rows *mpiot_rows_new(enum mpiot_table_name table, size_t *count)
{
    struct mpiot_rows *rows = mpiot_resize(NULL, sizeof *rows);

    *rows = (struct mpiot_rows){.table = table};
    if (sums_by[table]) {
        rows->sums = mpiot_summary(sums_by[table], count);
    } else if (table == MPIOT_TABLE_FINDINGS) {
        rows->findings = mpiot_findings(count);
    } else if (table == MPIOT_TABLE_RANKS) {
        *count = mpiot_model.rank_count;
    } else {
        size_t all = HASH_COUNT(mpiot_model.errors), made = 0;
        rows->errors = mpiot_resize(NULL, (all + 1) * sizeof *rows->errors);
        for (const struct mpiot_error *error = mpiot_model.errors; error; error = error->hh.next)
            rows->errors[made++] = error;
        *count = made;
    }
    return rows;
}

void mpiot_rows_take(const struct mpiot_rows *rows, size_t row, const struct mpiot_taker *taker)
{
    if (rows->sums)
        take_sum(&rows->sums[row], rows->table, taker);
    else if (rows->findings)
        take_finding(&rows->findings[row], taker);
    else if (rows->errors)
        take_error(rows->errors[row], taker);
    else
        take_rank(&mpiot_model.ranks[row], taker);
}

void mpiot_rows_free(struct mpiot_rows *rows)
{
    free(rows->sums);
    free(rows->errors);
    free(rows);
}
