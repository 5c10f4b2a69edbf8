/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_summary.h"

#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_options.h"

static struct mpiot_sum *sum_of(struct mpiot_sum **sums, const struct mpiot_sum_key *key)
{
    struct mpiot_sum *sum;

    HASH_FIND(hh, *sums, key, sizeof *key, sum);
    if (!sum) {
        sum = mpiot_resize(NULL, sizeof *sum);
        *sum = (struct mpiot_sum){.key = *key};
        for (int mode = 0; mode < MPIOT_MODES; mode++)
            mpiot_operations_start(&sum->modes[mode]);
        HASH_ADD(hh, *sums, key, sizeof sum->key, sum);
    }
    return sum;
}

static struct mpiot_sum *sum_of_access(struct mpiot_sum **sums, const struct mpiot_access *access,
                                       unsigned by)
{
    const struct mpiot_sum_key key = {
        by & MPIOT_BY_FILE ? access->key.file : MPIOT_NONE,
        by & MPIOT_BY_CALL ? access->key.call : MPIOT_NONE,
        by & MPIOT_BY_SITE ? access->key.site : MPIOT_NONE,
    };
    return sum_of(sums, &key);
}

/** Files may be opened, closed, ... outside of calls. */
static void add_used_files(struct mpiot_sum **sums)
{
    for (uint32_t i = 0; i < mpiot_model.file_count; i++)
        if (mpiot_model.files[i].ranks > 0)
            sum_of(sums, &(struct mpiot_sum_key){i, MPIOT_NONE, MPIOT_NONE});
}

/** Longest time first, then in the order of the model's rows: the same archive, the same report. */
static int compare(const void *a, const void *b)
{
    const struct mpiot_sum *left = a, *right = b;

    if (left->ticks != right->ticks)
        return left->ticks > right->ticks ? -1 : 1;
    if (left->key.file != right->key.file)
        return left->key.file < right->key.file ? -1 : 1;
    if (left->key.call != right->key.call)
        return left->key.call < right->key.call ? -1 : 1;
    return (left->key.site > right->key.site) - (left->key.site < right->key.site);
}

struct mpiot_sum *mpiot_summary(unsigned by, size_t *count)
{
    struct mpiot_sum *sums = NULL, *sum, *next;

    for (struct mpiot_access *access = mpiot_model.accesses; access; access = access->hh.next) {
        sum = sum_of_access(&sums, access, by);
        sum->calls += access->calls;
        sum->not_left += access->not_left;
        sum->ticks += access->ticks;
        if (access->key.mode != MPIOT_MODE_NONE)
            mpiot_operations_add(&sum->modes[access->key.mode], &access->operations);
        else if (access->key.call != MPIOT_NONE && mpiot_model.calls[access->key.call].is_metadata)
            sum->metadata_ticks += access->ticks;
    }
    if (by == MPIOT_BY_FILE)
        add_used_files(&sums);

    struct mpiot_sum *rows = mpiot_resize(NULL, (HASH_COUNT(sums) + 1) * sizeof *rows);
    *count = 0;
    HASH_ITER(hh, sums, sum, next)
    {
        rows[(*count)++] = *sum;
        HASH_DEL(sums, sum);
        free(sum);
    }
    qsort(rows, *count, sizeof *rows, compare);
    return rows;
}

uint64_t mpiot_sum_bytes(const struct mpiot_sum *sum)
{
    return sum->modes[MPIOT_MODE_READ].bytes + sum->modes[MPIOT_MODE_WRITE].bytes;
}

uint64_t mpiot_sum_begun(const struct mpiot_sum *sum)
{
    uint64_t begun = 0;

    for (int mode = 0; mode < MPIOT_MODES; mode++)
        begun += sum->modes[mode].begun;
    return begun;
}

static uint64_t run_ticks(uint64_t first, uint64_t last)
{
    return mpiot_options_clip_time(last) - mpiot_options_clip_time(first);
}

double mpiot_rank_run_time(const struct mpiot_rank *rank)
{
    return mpiot_seconds(run_ticks(rank->first, rank->last));
}

double mpiot_rank_io_time(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->io);
}

double mpiot_rank_io_share(const struct mpiot_rank *rank)
{
    double run = mpiot_rank_run_time(rank);
    return run > 0 ? mpiot_rank_io_time(rank) / run : 0;
}

double mpiot_rank_metadata_time(const struct mpiot_rank *rank)
{
    return mpiot_seconds(rank->kinds[MPIOT_TIME_METADATA]);
}

double mpiot_rank_bytes_read(const struct mpiot_rank *rank)
{
    return (double)rank->bytes[MPIOT_MODE_READ];
}

double mpiot_rank_bytes_written(const struct mpiot_rank *rank)
{
    return (double)rank->bytes[MPIOT_MODE_WRITE];
}

double mpiot_run_time(void)
{
    uint64_t first = UINT64_MAX, last = 0;

    for (size_t i = 0; i < mpiot_model.rank_count; i++) {
        const struct mpiot_rank *rank = &mpiot_model.ranks[i];
        if (!rank->has_events)
            continue;
        first = rank->first < first ? rank->first : first;
        last = rank->last > last ? rank->last : last;
    }
    return first <= last ? mpiot_seconds(run_ticks(first, last)) : 0;
}

struct of_rank {
    double value;
    uint32_t rank;
};

static int compare_values(const void *a, const void *b)
{
    const struct of_rank *left = a, *right = b;

    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

struct mpiot_spread mpiot_spread(double (*quantity)(const struct mpiot_rank *rank))
{
    struct of_rank *values = mpiot_resize(NULL, (mpiot_model.rank_count + 1) * sizeof *values);
    struct mpiot_spread spread = {0};
    size_t count = 0;

    for (uint32_t i = 0; i < mpiot_model.rank_count; i++) {
        if (!mpiot_model.ranks[i].has_events)
            continue;
        values[count] = (struct of_rank){quantity(&mpiot_model.ranks[i]), i};
        spread.sum += values[count++].value;
    }
    if (count > 0) {
        qsort(values, count, sizeof *values, compare_values);
        size_t most = count - 1;
        while (most > 0 && values[most - 1].value == values[most].value)
            most--;
        spread.least = values[0].value;
        spread.least_rank = values[0].rank;
        spread.median = (values[(count - 1) / 2].value + values[count / 2].value) / 2;
        spread.most = values[most].value;
        spread.most_rank = values[most].rank;
    }
    spread.count = count;
    free(values);
    return spread;
}
