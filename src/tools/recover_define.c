/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/recover.h"

static const char *node_of(const struct mpiot_recover_process *process)
{
    const uint64_t *node =
        mpiot_deftable_get(process->table, MPIOT_DEF_SYSTEM_TREE_NODE, process->head.node).words;
    return mpiot_deftable_string(process->table, node[0]);
}

/**
 * A process's clock against that of the job's: as measured when the job began; in archives of
 * single ranks, of which nothing was measured, by the real time that each node believed in. Two
 * equal offsets, or NULL: none.
 */
static const struct mpiot_clock_offset *clock_of(const struct mpiot_recover_job *job,
                                                 const struct mpiot_recover_process *process,
                                                 struct mpiot_clock_offset offsets[2])
{
    const struct mpiot_journal_process *head = &process->head, *first = &job->processes[0].head;

    if (head->clock_time)
        offsets[0] = (struct mpiot_clock_offset){head->clock_time, head->clock_offset};
    else if (job->parts && strcmp(node_of(process), node_of(&job->processes[0])) != 0)
        offsets[0] = (struct mpiot_clock_offset){
            head->begin, first->begin - first->realtime - (head->begin - head->realtime)};
    else
        return NULL;
    offsets[1] = offsets[0];
    offsets[1].time++;
    return offsets;
}

/** The extremes of all records, and the real time at the first. */
static void set_times(const struct mpiot_recover_job *job, struct mpiot_writeout *run)
{
    const struct mpiot_journal_process *first = &job->processes[0].head;
    struct mpiot_clock_offset offsets[2];

    run->begin = UINT64_MAX;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mpiot_recover_process *process = &job->processes[i];
        const struct mpiot_clock_offset *clock = clock_of(job, process, offsets);
        uint64_t begin = process->head.begin, end = begin;
        for (size_t j = 0; j < process->location_count; j++) {
            if (process->locations[j].first_time < begin)
                begin = process->locations[j].first_time;
            if (process->locations[j].last_time > end)
                end = process->locations[j].last_time;
        }
        begin = mpiot_clock_global(begin, clock);
        end = mpiot_clock_global(end, clock);
        run->begin = begin < run->begin ? begin : run->begin;
        run->end = end > run->end ? end : run->end;
    }
    run->realtime = first->realtime -
                    (mpiot_clock_global(first->begin, clock_of(job, &job->processes[0], offsets)) -
                     run->begin);
}

/** What the archive says of a process's locations; malloc'ed. */
static struct mpiot_writeout_location *list_locations(const struct mpiot_recover_process *process,
                                                      size_t *count)
{
    struct mpiot_writeout_location *list = calloc(process->location_count + 1, sizeof *list);

    *count = 0;
    for (size_t i = 0; list && i < process->location_count; i++) {
        const struct mpiot_recover_location *location = &process->locations[i];
        list[(*count)++] = (struct mpiot_writeout_location){location->id, location->thread,
                                                            location->event_count};
    }
    return list;
}

static int append(struct mpiot_writeout *run, uint64_t **all, const uint64_t *words, size_t count)
{
    uint64_t *grown = realloc(*all, (run->word_count + count) * sizeof *grown);

    if (!grown)
        return -ENOMEM;
    memcpy(grown + run->word_count, words, count * sizeof *words);
    run->word_count += count;
    run->processes = *all = grown;
    return 0;
}

/** Merges a process's definitions; writes its locations' mapping tables, and packs what it is. */
static int define_process(const struct mpiot_recover_job *job,
                          const struct mpiot_recover_process *process, OTF2_Archive *archive,
                          struct mpiot_writeout *run, uint64_t **all)
{
    struct mpiot_clock_offset offsets[2];
    struct mpiot_defmap map = {0};
    uint64_t *words;
    size_t count, location_count;
    struct mpiot_writeout_location *locations = list_locations(process, &location_count);
    int error = locations ? mpiot_deftable_pack(process->table, &words, &count) : -ENOMEM;

    if (!error) {
        error = mpiot_deftable_merge(run->unified, words, count, &map);
        free(words);
    }
    if (!error)
        error = mpiot_writeout_local(archive, locations, location_count, &map,
                                     clock_of(job, process, offsets));
    if (!error)
        error = mpiot_writeout_process(process->head.world_rank,
                                       map.index[MPIOT_DEF_SYSTEM_TREE_NODE][process->head.node],
                                       locations, location_count, &words, &count);
    if (!error) {
        error = append(run, all, words, count);
        free(words);
    }
    mpiot_defmap_release(&map);
    free(locations);
    return error;
}

int mpiot_recover_define(const struct mpiot_recover_job *job, OTF2_Archive *archive)
{
    const struct mpiot_recover_process *first = &job->processes[0];
    struct mpiot_writeout run = {
        .mpi_library = mpiot_deftable_string(first->table, first->head.mpi_library)};
    uint64_t *all = NULL;
    int error = mpiot_deftable_create(&run.unified);

    set_times(job, &run);
    if (!error && OTF2_Archive_OpenDefFiles(archive) != OTF2_SUCCESS)
        error = -EIO;
    for (size_t i = 0; i < job->process_count && !error; i++)
        error = define_process(job, &job->processes[i], archive, &run, &all);
    if (!error && OTF2_Archive_CloseDefFiles(archive) != OTF2_SUCCESS)
        error = -EIO;
    if (!error)
        error = mpiot_writeout_global(archive, &run);
    free(all);
    mpiot_deftable_destroy(run.unified);
    return error;
}
