/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_collective.h"
#include "tools/report_format.h"
#include "tools/report_summary.h"

/** When something is worth a line. Parts are of 1. */
static const struct {
    double run_part;         /**< any but what fails: least part of the ranks' run time */
    unsigned small_classes;  /**< size classes of small requests: below 4 KiB */
    uint64_t small_count;    /**< least number of small requests from one place */
    double small_part;       /**< and least part of the requests from there */
    uint64_t random_count;   /**< least number of operations at random offsets of a file */
    double random_part;      /**< and least part of those that have an offset */
    double imbalance;        /**< I/O time of the slowest rank, by the median */
    uint64_t one_rank_bytes; /**< least number of bytes that all ranks move */
    double one_rank_part;    /**< that one rank of several moves */
    double metadata_part;    /**< of the time in I/O calls */
    uint64_t reread_bytes;   /**< of a file, by ranks that had read them before */
    double reread_part;      /**< and part of all bytes read */
    uint64_t overlap_count;  /**< least number of non-blocking operations of a call */
    double overlap_part;     /**< of their time in flight, less than that overlapped */
    double late_part;        /**< time that ranks are early, by time in collective operations */
} thresholds = {
    .run_part = 0.01,
    .small_classes = 2,
    .small_count = 100,
    .small_part = 0.5,
    .random_count = 100,
    .random_part = 0.5,
    .imbalance = 1.5,
    .one_rank_bytes = 1 << 20,
    .one_rank_part = 0.8,
    .metadata_part = 0.25,
    .reread_bytes = 1 << 20,
    .reread_part = 0.25,
    .overlap_count = 10,
    .overlap_part = 0.1,
    .late_part = 0.1,
};

static struct {
    struct mpiot_finding *findings;
    size_t count, capacity;
    bool is_made;
    double run, io; /**< seconds of all ranks */
} state;

static const struct mpiot_finding about_nothing = {
    .file = MPIOT_NONE, .call = MPIOT_NONE, .site = MPIOT_NONE, .rank = MPIOT_NONE};

/** Adds a finding; the text is printf-like. */
static void __attribute__((format(printf, 2, 3)))
add(const struct mpiot_finding *finding, const char *format, ...)
{
    va_list arguments;

    state.findings =
        mpiot_grow(state.findings, state.count, &state.capacity, sizeof *state.findings);
    state.findings[state.count] = *finding;
    va_start(arguments, format);
    state.findings[state.count++].text = mpiot_text_list(format, arguments);
    va_end(arguments);
}

static bool matters(double seconds)
{
    return seconds > 0 && seconds >= thresholds.run_part * state.run;
}

/** "1.23 s (4.5 % of run time)"; malloc'ed. */
static char *cost_text(double seconds)
{
    char *time = mpiot_format_seconds(seconds), *share = mpiot_format_share(seconds, state.run);
    char *text = mpiot_text("%s (%s of run time)", time, share);

    free(share);
    free(time);
    return text;
}

/** " from solve solver.c:212", or nothing where that is not known; malloc'ed. */
static char *from_text(uint32_t site)
{
    if (site == MPIOT_NONE)
        return mpiot_text("%s", "");
    char *place = mpiot_site_text(site);
    char *text = mpiot_text(", from %s", place);

    free(place);
    return text;
}

static void find_small(const struct mpiot_sum *sum, enum mpiot_mode mode)
{
    const struct mpiot_operations *counts = &sum->modes[mode];
    const double seconds = mpiot_seconds(counts->ticks);
    uint64_t small = 0;

    for (unsigned i = 0; i < thresholds.small_classes; i++)
        small += counts->sizes[i];
    if (small < thresholds.small_count || counts->collective > 0 || !matters(seconds) ||
        (double)small < thresholds.small_part * (double)counts->begun)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "small_requests";
    finding.file = sum->key.file;
    finding.call = sum->key.call;
    finding.site = sum->key.site;
    finding.count = small;
    finding.of = counts->begun;
    finding.seconds = seconds;
    char *limit = mpiot_format_size(mpiot_size_limit(thresholds.small_classes - 1));
    char *cost = cost_text(seconds), *from = from_text(sum->key.site);
    add(&finding, "%" PRIu64 " %ss below %s %s %s, independent%s, %s: consider %s", small,
        mode == MPIOT_MODE_READ ? "read" : "write", limit, mode == MPIOT_MODE_READ ? "of" : "to",
        mpiot_model.files[sum->key.file].name, from, cost,
        mpiot_model.files[sum->key.file].ranks > 1 ? "collective calls" : "larger ones");
    free(from);
    free(cost);
    free(limit);
}

static void find_random(const struct mpiot_sum *sum, enum mpiot_mode mode)
{
    const struct mpiot_operations *counts = &sum->modes[mode];
    const uint64_t placed = counts->sequential + counts->strided + counts->random;
    const double seconds = mpiot_seconds(counts->ticks);

    if (counts->random < thresholds.random_count || !matters(seconds) ||
        (double)counts->random < thresholds.random_part * (double)placed)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "random_offsets";
    finding.file = sum->key.file;
    finding.count = counts->random;
    finding.of = placed;
    finding.seconds = seconds;
    char *cost = cost_text(seconds);
    add(&finding, "%" PRIu64 " of %" PRIu64 " %ss %s %s are at random offsets, %s", counts->random,
        placed, mode == MPIOT_MODE_READ ? "read" : "write", mode == MPIOT_MODE_READ ? "of" : "to",
        mpiot_model.files[sum->key.file].name, cost);
    free(cost);
}

static void find_reread(const struct mpiot_sum *sum)
{
    const struct mpiot_operations *counts = &sum->modes[MPIOT_MODE_READ];
    const double seconds = mpiot_seconds(counts->ticks);

    if (counts->reread < thresholds.reread_bytes || !matters(seconds) ||
        (double)counts->reread < thresholds.reread_part * (double)counts->bytes)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "read_again";
    finding.file = sum->key.file;
    finding.count = counts->reread;
    finding.of = counts->bytes;
    finding.seconds = seconds;
    char *again = mpiot_format_bytes((double)counts->reread);
    char *all = mpiot_format_bytes((double)counts->bytes), *cost = cost_text(seconds);
    add(&finding, "%s of %s read from %s had been read before by the same rank; reading takes %s",
        again, all, mpiot_model.files[sum->key.file].name, cost);
    free(cost);
    free(all);
    free(again);
}

static void find_late(const struct mpiot_sum *sum)
{
    const struct mpiot_lateness late = mpiot_collective_lateness(sum->key.file);
    const double seconds = mpiot_seconds(late.ticks);

    if (!matters(seconds) || seconds < thresholds.late_part * mpiot_seconds(sum->ticks))
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "late_ranks";
    finding.file = sum->key.file;
    finding.rank = late.latest;
    finding.count = late.latest_operations;
    finding.of = late.operations;
    finding.seconds = seconds;
    char *cost = cost_text(seconds);
    add(&finding,
        "ranks come to collective calls on %s at different times: together they are up to %s "
        "early; "
        "rank %" PRIu32 " is the last in %" PRIu64 " of %" PRIu64,
        mpiot_model.files[sum->key.file].name, cost, mpiot_model.ranks[late.latest].number,
        late.latest_operations, late.operations);
    free(cost);
}

/** What is found by file. */
static void find_in_files(void)
{
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_FILE, &count);

    for (size_t i = 0; i < count; i++) {
        if (sums[i].key.file == MPIOT_NONE)
            continue;
        find_random(&sums[i], MPIOT_MODE_READ);
        find_random(&sums[i], MPIOT_MODE_WRITE);
        find_reread(&sums[i]);
        find_late(&sums[i]);
    }
    free(sums);
}

static void find_unobserved(const struct mpiot_sum *sum)
{
    struct mpiot_finding finding = about_nothing;

    for (int mode = 0; mode < MPIOT_MODES; mode++) {
        finding.count += sum->modes[mode].not_observed + sum->modes[mode].not_ended;
        finding.of += sum->modes[mode].begun;
    }
    if (finding.count == 0)
        return;
    finding.kind = "not_completed";
    finding.file = sum->key.file;
    finding.call = sum->key.call;
    finding.site = sum->key.site;
    char *from = from_text(sum->key.site);
    add(&finding, "%" PRIu64 " of %" PRIu64 " operations of %s on %s were never seen to complete%s",
        finding.count, finding.of, mpiot_call_name(sum->key.call),
        mpiot_model.files[sum->key.file].name, from);
    free(from);
}

/** Where ranks died, or where they were when recording stopped. */
static void find_not_left(const struct mpiot_sum *sum)
{
    struct mpiot_finding finding = about_nothing;

    if (sum->not_left == 0)
        return;
    finding.kind = "not_left";
    finding.file = sum->key.file;
    finding.call = sum->key.call;
    finding.site = sum->key.site;
    finding.count = sum->not_left;
    finding.of = sum->calls;
    const bool has_file = sum->key.file != MPIOT_NONE;
    char *from = from_text(sum->key.site);
    add(&finding,
        "%" PRIu64 " of %" PRIu64 " calls of %s%s%s had not returned when the trace ended%s",
        finding.count, finding.of, mpiot_call_name(sum->key.call), has_file ? " on " : "",
        has_file ? mpiot_model.files[sum->key.file].name : "", from);
    free(from);
}

/** What is found by file, call and place. */
static void find_in_accesses(void)
{
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_FILE | MPIOT_BY_CALL | MPIOT_BY_SITE, &count);

    for (size_t i = 0; i < count; i++) {
        find_not_left(&sums[i]);
        if (sums[i].key.file == MPIOT_NONE)
            continue;
        find_small(&sums[i], MPIOT_MODE_READ);
        find_small(&sums[i], MPIOT_MODE_WRITE);
        find_unobserved(&sums[i]);
    }
    free(sums);
}

static void find_no_overlap(const struct mpiot_sum *sum)
{
    struct mpiot_operations all;

    mpiot_operations_start(&all);
    for (int mode = 0; mode < MPIOT_MODES; mode++)
        mpiot_operations_add(&all, &sum->modes[mode]);
    const double overlapped = mpiot_seconds(all.overlapped);
    const double in_flight = mpiot_seconds(mpiot_operations_in_flight(&all));
    if (all.non_blocking < thresholds.overlap_count || !matters(in_flight) ||
        overlapped >= thresholds.overlap_part * in_flight)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "no_overlap";
    finding.call = sum->key.call;
    finding.count = all.non_blocking;
    finding.of = sum->calls;
    finding.seconds = in_flight - overlapped;
    char *share = mpiot_format_share(overlapped, in_flight), *cost = cost_text(in_flight);
    add(&finding,
        "%" PRIu64 " operations of %s overlap with nothing: in flight for %s, of which the program "
        "does something else in %s",
        all.non_blocking, mpiot_call_name(sum->key.call), cost, share);
    free(cost);
    free(share);
}

/** The call of metadata that takes longest speaks for all. */
static void find_metadata(const struct mpiot_sum *sums, size_t count)
{
    double seconds = mpiot_spread(mpiot_rank_metadata_time).sum;
    const struct mpiot_sum *longest = NULL;

    for (size_t i = 0; i < count; i++)
        if (!longest || sums[i].metadata_ticks > longest->metadata_ticks)
            longest = &sums[i];
    if (!longest || !matters(seconds) || seconds < thresholds.metadata_part * state.io)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "metadata";
    finding.call = longest->key.call;
    finding.count = longest->calls;
    finding.seconds = seconds;
    for (size_t i = 0; i < count; i++)
        finding.of += sums[i].metadata_ticks > 0 ? sums[i].calls : 0;
    char *share = mpiot_format_share(seconds, state.io), *cost = cost_text(seconds);
    char *time = mpiot_format_seconds(mpiot_seconds(longest->metadata_ticks));
    add(&finding,
        "%s of the time in I/O calls is for metadata, %s: above all %" PRIu64
        " call%s of %s, %s",
        share, cost, longest->calls, longest->calls == 1 ? "" : "s",
        mpiot_call_name(longest->key.call), time);
    free(time);
    free(cost);
    free(share);
}

static void find_in_calls(void)
{
    size_t count;
    struct mpiot_sum *sums = mpiot_summary(MPIOT_BY_CALL, &count);

    for (size_t i = 0; i < count; i++)
        find_no_overlap(&sums[i]);
    find_metadata(sums, count);
    free(sums);
}

static void find_imbalance(void)
{
    const struct mpiot_spread io = mpiot_spread(mpiot_rank_io_time);
    const double more = io.most - io.median;

    /* Against one rank's run: that is how much earlier it could be done. */
    if (io.count < 2 || io.most < thresholds.imbalance * io.median ||
        more < thresholds.run_part * mpiot_run_time() || more <= 0)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "imbalance";
    finding.rank = io.most_rank;
    finding.seconds = more;
    char *most = mpiot_format_seconds(io.most), *median = mpiot_format_seconds(io.median);
    char *least = mpiot_format_seconds(io.least);
    add(&finding,
        "rank %" PRIu32 " spends %s in I/O calls, the median rank %s, rank %" PRIu32 " %s",
        mpiot_model.ranks[io.most_rank].number, most, median,
        mpiot_model.ranks[io.least_rank].number, least);
    free(least);
    free(median);
    free(most);
}

static void find_one_rank(double (*bytes_of)(const struct mpiot_rank *rank), const char *verb)
{
    const struct mpiot_spread bytes = mpiot_spread(bytes_of);
    const struct mpiot_rank *rank = &mpiot_model.ranks[bytes.most_rank];

    if (bytes.count < 2 || !matters(mpiot_rank_io_time(rank)) ||
        bytes.sum < (double)thresholds.one_rank_bytes ||
        bytes.most < thresholds.one_rank_part * bytes.sum)
        return;
    struct mpiot_finding finding = about_nothing;
    finding.kind = "one_rank";
    finding.rank = bytes.most_rank;
    finding.count = (uint64_t)bytes.most;
    finding.of = (uint64_t)bytes.sum;
    finding.seconds = mpiot_rank_io_time(rank);
    char *share = mpiot_format_share(bytes.most, bytes.sum);
    char *all = mpiot_format_bytes(bytes.sum);
    add(&finding, "rank %" PRIu32 " of %zu %s %s of all bytes (%s)", rank->number, bytes.count,
        verb, share, all);
    free(all);
    free(share);
}

static void find_errors(void)
{
    for (const struct mpiot_error *error = mpiot_model.errors; error; error = error->hh.next) {
        const char *file = mpiot_error_file(error);
        struct mpiot_finding finding = about_nothing;
        finding.kind = "failures";
        finding.file = error->key.file;
        finding.call = error->key.call;
        finding.count = error->count;
        add(&finding, "%s failed %" PRIu64 " time%s with %s%s%s", mpiot_call_name(error->key.call),
            error->count, error->count == 1 ? "" : "s", mpiot_def_text(error->key.class),
            *file ? " on " : "", file);
    }
}

/** Without a time, what fails comes first. */
static int compare(const void *a, const void *b)
{
    const struct mpiot_finding *left = a, *right = b;
    const bool left_fails = left->seconds == 0, right_fails = right->seconds == 0;

    if (left_fails != right_fails)
        return left_fails ? -1 : 1;
    if (left->seconds != right->seconds)
        return left->seconds > right->seconds ? -1 : 1;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return strcmp(left->text, right->text);
}

const struct mpiot_finding *mpiot_findings(size_t *count)
{
    if (!state.is_made) {
        state.run = mpiot_spread(mpiot_rank_run_time).sum;
        state.io = mpiot_spread(mpiot_rank_io_time).sum;
        find_errors();
        find_in_accesses();
        find_in_files();
        find_in_calls();
        find_imbalance();
        find_one_rank(mpiot_rank_bytes_read, "reads");
        find_one_rank(mpiot_rank_bytes_written, "writes");
        if (state.count > 0)
            qsort(state.findings, state.count, sizeof *state.findings, compare);
        state.is_made = true;
    }
    *count = state.count;
    return state.findings;
}
