/* SPDX-License-Identifier: BSD-3-Clause */
/* What happened to each file: some lines for the ones that took longest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_format.h"
#include "tools/report_model.h"
#include "tools/report_summary.h"
#include "tools/report_text.h"

enum { MOST_FILES = 10, INDENT = 6, DEEPER = 12 };

static void print_sizes(const struct mpiot_operations *counts)
{
    char *text = mpiot_text("requests");

    for (unsigned i = 0; i < MPIOT_SIZES; i++) {
        if (counts->sizes[i] == 0)
            continue;
        const bool is_last = i + 1 == MPIOT_SIZES;
        char *limit = mpiot_format_size(mpiot_size_limit(is_last ? i - 1 : i));
        mpiot_text_append(&text, " %s %s: %" PRIu64 ",", is_last ? "from" : "below", limit,
                          counts->sizes[i]);
        free(limit);
    }
    text[strlen(text) - 1] = '\0';
    mpiot_print_wrapped(DEEPER, DEEPER, "%s", text);
    free(text);
}

static void print_pattern(const struct mpiot_operations *counts)
{
    const uint64_t placed = counts->sequential + counts->strided + counts->random;

    if (placed == 0)
        return;
    char *sequential = mpiot_format_share((double)counts->sequential, (double)placed);
    char *strided = mpiot_format_share((double)counts->strided, (double)placed);
    char *random = mpiot_format_share((double)counts->random, (double)placed);
    mpiot_print_wrapped(DEEPER, DEEPER, "offsets %s sequential, %s strided, %s random", sequential,
                        strided, random);
    free(sequential);
    free(strided);
    free(random);
}

/** "all collective", "3 collective, 2 cancelled", ... */
static char *kinds_text(const struct mpiot_operations *counts)
{
    const struct {
        const char *name;
        uint64_t count;
    } kinds[] = {{"collective", counts->collective},
                 {"non-blocking", counts->non_blocking},
                 {"cancelled", counts->cancelled}};
    char *text = mpiot_text("%s", "");

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].count == counts->begun)
            mpiot_text_append(&text, ", all %s", kinds[i].name);
        else if (kinds[i].count > 0)
            mpiot_text_append(&text, ", %" PRIu64 " %s", kinds[i].count, kinds[i].name);
    return text;
}

static void print_transfers(const struct mpiot_operations *counts, const char *what)
{
    char *bytes = mpiot_format_bytes((double)counts->bytes);
    char *rate = mpiot_format_rate((double)counts->bytes, mpiot_seconds(counts->ticks));
    char *kinds = kinds_text(counts);

    mpiot_print_wrapped(INDENT, DEEPER, "%s %s, %s; operations: %" PRIu64 "%s", what, bytes, rate,
                        counts->begun, kinds);
    print_sizes(counts);
    print_pattern(counts);
    if (counts->reread > 0) {
        char *again = mpiot_format_bytes((double)counts->reread);
        mpiot_print_wrapped(DEEPER, DEEPER, "of it read before by the same rank: %s", again);
        free(again);
    }
    free(kinds);
    free(rate);
    free(bytes);
}

static void print_properties(const struct mpiot_file *file)
{
    char *text = mpiot_text("%s", "");

    for (size_t i = 0; i < file->hint_count; i++)
        mpiot_text_append(&text, "%s%s=%s", i ? ", " : "", mpiot_hint_name(&file->hints[i]),
                          mpiot_def_text(file->hints[i].value));
    if (file->hint_count > 0)
        mpiot_print_wrapped(INDENT, DEEPER, "%s", text);
    free(text);
}

static void print_file(const struct mpiot_sum *sum)
{
    const struct mpiot_file *file = &mpiot_model.files[sum->key.file];
    char *time = mpiot_format_seconds(mpiot_seconds(sum->ticks));
    char *metadata = mpiot_format_seconds(mpiot_seconds(sum->metadata_ticks));

    mpiot_print_wrapped(2, 4, "%s (%s)", file->name, file->paradigm);
    mpiot_print_wrapped(INDENT, DEEPER,
                        "ranks: %" PRIu32 ", opens: %" PRIu64 ", calls: %" PRIu64
                        " in %s, metadata %s",
                        file->ranks, file->opens, sum->calls, time, metadata);
    if (file->deletes > 0)
        mpiot_print_wrapped(INDENT, DEEPER, "deleted: %" PRIu64, file->deletes);
    if (sum->modes[MPIOT_MODE_READ].begun > 0)
        print_transfers(&sum->modes[MPIOT_MODE_READ], "read");
    if (sum->modes[MPIOT_MODE_WRITE].begun > 0)
        print_transfers(&sum->modes[MPIOT_MODE_WRITE], "written");
    if (sum->modes[MPIOT_MODE_FLUSH].begun > 0)
        mpiot_print_wrapped(INDENT, DEEPER, "flushed: %" PRIu64,
                            sum->modes[MPIOT_MODE_FLUSH].begun);
    print_properties(file);
    free(metadata);
    free(time);
}

void mpiot_report_print_files(void)
{
    size_t count, files = 0;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_FILE, &count);

    /* The others: failed opens, and calls of which the file is not known. */
    for (size_t i = 0; i < count; i++)
        if (sums[i].key.file != MPIOT_NONE)
            sums[files++] = sums[i];
    const size_t shown = mpiot_report_shown(files, MOST_FILES);
    mpiot_print_heading("Files (all ranks)");
    for (size_t i = 0; i < shown; i++)
        print_file(&sums[i]);
    mpiot_report_print_left_out(files, shown, "files");
    free(sums);
}
