/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/recover.h"

/** A journal in memory. */
struct journal {
    const char *path;
    uint64_t *words;
    size_t count;
};

static bool exists(const char *directory, const char *name)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

static int read_words(struct journal *journal)
{
    struct stat status;
    FILE *file = fopen(journal->path, "r");
    int error = file && fstat(fileno(file), &status) == 0 ? 0 : -errno;

    journal->words = NULL;
    if (!error && !(journal->words = malloc(status.st_size + sizeof *journal->words)))
        error = -ENOMEM;
    if (!error) {
        journal->count = fread(journal->words, sizeof *journal->words,
                               status.st_size / sizeof *journal->words, file);
        error = ferror(file) ? -EIO : 0;
    }
    if (file)
        fclose(file);
    if (error)
        mpiot_recover_complain(journal->path, "%s", strerror(-error));
    else if (journal->count == 0 || journal->words[0] != MPIOT_JOURNAL_MAGIC) {
        mpiot_recover_complain(journal->path, "not a journal of definitions");
        error = -EINVAL;
    }
    return error;
}

static int add_location(struct mpiot_recover_process *process, const uint64_t *words)
{
    const struct mpiot_journal_location *row = (const void *)words;
    struct mpiot_recover_location *grown;

    /* Threads are numbered in the order of their first record, and the number is in the id. */
    if (row->thread != process->location_count ||
        row->id != (row->thread << 32 | process->head.world_rank))
        return -EINVAL;
    grown = realloc(process->locations, (process->location_count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    process->locations = grown;
    grown[process->location_count++] = (struct mpiot_recover_location){
        .id = row->id, .thread = row->thread, .first_time = row->time, .last_time = row->time};
    return 0;
}

/** Takes the journal's own rows, and moves those of definitions together at the front. */
static int sort_rows(struct mpiot_recover_process *process, struct journal *journal)
{
    size_t out = 0;
    int error = 0;

    for (size_t at = 1; at < journal->count && !error;) {
        uint64_t *words = journal->words + at + 1, kind = journal->words[at] >> 32;
        size_t count = (uint32_t)journal->words[at];
        if (count > journal->count - at - 1)
            break; /* a row that is not whole is the last */
        if (kind == MPIOT_JOURNAL_PROCESS) {
            if (count * sizeof *words != sizeof process->head || process->head.version)
                error = -EINVAL;
            else
                memcpy(&process->head, words, sizeof process->head);
        } else if (kind == MPIOT_JOURNAL_LOCATION) {
            error = count * sizeof *words == sizeof(struct mpiot_journal_location)
                        ? add_location(process, words)
                        : -EINVAL;
        } else {
            memmove(journal->words + out, words - 1, (count + 1) * sizeof *words);
            out += count + 1;
        }
        at += count + 1;
    }
    journal->count = out;
    return error;
}

/** A group has members of the world only: others are damage, and would be tried one by one. */
static bool groups_are_sound(const struct mpiot_recover_process *process)
{
    for (uint64_t i = 0; i < mpiot_deftable_count(process->table, MPIOT_DEF_GROUP); i++) {
        struct mpiot_def group = mpiot_deftable_get(process->table, MPIOT_DEF_GROUP, i);
        uint64_t size = process->head.world_size, members = 0;
        for (uint32_t w = 1; w + 1 < group.count; w += 2) {
            if (group.words[w] >= size || group.words[w + 1] > size - group.words[w])
                return false;
            members += group.words[w + 1];
        }
        if (members > size)
            return false;
    }
    return true;
}

static bool head_is_sound(const struct mpiot_recover_process *process)
{
    const struct mpiot_journal_process *head = &process->head;

    return head->version == MPIOT_JOURNAL_VERSION && head->world_rank < head->world_size &&
           head->world_size <= INT_MAX && head->chunk_size >= 4 << 20 &&
           head->chunk_size <= 16 << 20 && head->resolution > 0 &&
           head->node < mpiot_deftable_count(process->table, MPIOT_DEF_SYSTEM_TREE_NODE) &&
           head->mpi_library < mpiot_deftable_count(process->table, MPIOT_DEF_STRING) &&
           head->root_region < mpiot_deftable_count(process->table, MPIOT_DEF_REGION);
}

/** A process may have died between its own row and that of its first location. */
static int need_location(struct mpiot_recover_process *process)
{
    const struct mpiot_journal_location first = {.id = process->head.world_rank,
                                                 .time = process->head.begin};

    return process->location_count > 0 ? 0 : add_location(process, &first.id);
}

/** Reads one journal: its process is appended to the job's. */
static int read_journal(struct mpiot_recover_job *job, const char *directory, const char *path)
{
    struct mpiot_recover_process *grown, process = {0};
    struct journal journal = {.path = path};
    struct mpiot_defmap map = {0};
    int error = read_words(&journal);
    if (error)
        return error;

    snprintf(process.directory, sizeof process.directory, "%s", directory);
    snprintf(process.journal, sizeof process.journal, "%s", path);
    error = sort_rows(&process, &journal);
    if (!error)
        error = mpiot_deftable_create(&process.table);
    if (!error)
        error = mpiot_deftable_merge(process.table, journal.words, journal.count, &map);
    mpiot_defmap_release(&map);
    free(journal.words);
    if (!error && (!head_is_sound(&process) || !groups_are_sound(&process)))
        error = -EINVAL;
    if (!error)
        error = need_location(&process);
    grown = error ? NULL : realloc(job->processes, (job->process_count + 1) * sizeof *grown);
    if (!grown) {
        mpiot_recover_complain(path, error == -EINVAL ? "damaged; this rank is left out" : "%s",
                               strerror(error ? -error : ENOMEM));
        mpiot_deftable_destroy(process.table);
        free(process.locations);
        return error ? error : -ENOMEM;
    }
    job->processes = grown;
    job->processes[job->process_count++] = process;
    return 0;
}

/** Reads all journals in `place`, a directory of the archive `directory`. */
static void read_journals(struct mpiot_recover_job *job, const char *directory, const char *place)
{
    DIR *list = opendir(place);
    struct dirent *entry;
    char path[2 * PATH_MAX];

    while (list && (entry = readdir(list))) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".rows") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        job->journal_count++;
        if (read_journal(job, directory, path) != 0)
            job->losses = true;
    }
    if (list)
        closedir(list);
}

/** The archives of single ranks below `directory`, whole or not. */
static void find_parts(struct mpiot_recover_job *job, const char *directory)
{
    DIR *list = opendir(directory);
    struct dirent *entry;
    char part[PATH_MAX], raw[PATH_MAX + 8];

    while (list && (entry = readdir(list))) {
        if (strncmp(entry->d_name, "rank-", strlen("rank-")) != 0 ||
            snprintf(part, sizeof part, "%s/%s", directory, entry->d_name) >= (int)sizeof part)
            continue;
        snprintf(raw, sizeof raw, "%s/raw", part);
        read_journals(job, part, exists(part, "raw") ? raw : part);
        job->parts = true;
    }
    if (list)
        closedir(list);
}

static int by_rank(const void *a, const void *b)
{
    const struct mpiot_recover_process *left = a, *right = b;
    return left->head.world_rank < right->head.world_rank   ? -1
           : left->head.world_rank > right->head.world_rank ? 1
                                                            : 0;
}

/** Whether the process has its journal open; one on another node is not seen. */
static bool is_running(const struct mpiot_recover_process *process)
{
    char files[64], file[sizeof files + NAME_MAX + 1], target[PATH_MAX];
    struct dirent *entry;
    bool found = false;

    snprintf(files, sizeof files, "/proc/%llu/fd", (unsigned long long)process->head.pid);
    DIR *list = opendir(files);
    while (list && !found && (entry = readdir(list))) {
        snprintf(file, sizeof file, "%s/%s", files, entry->d_name);
        ssize_t length = readlink(file, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        found = strcmp(target, process->journal) == 0;
    }
    if (list)
        closedir(list);
    return found;
}

/** What of the processes found rules out that anything is made of them. */
static int check_processes(const struct mpiot_recover_job *job, const char *directory)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mpiot_recover_process *process = &job->processes[i];
        unsigned long long rank = process->head.world_rank;
        if (is_running(process)) {
            mpiot_recover_complain(directory, "rank %llu, process %llu, is still running", rank,
                                   (unsigned long long)process->head.pid);
            return -EBUSY;
        }
        if (i > 0 && by_rank(process - 1, process) == 0) {
            mpiot_recover_complain(directory, "two archives of rank %llu, %s and %s: not one job's",
                                   rank, process[-1].directory, process->directory);
            return -EINVAL;
        }
    }
    return 0;
}

/** Ranks remove their journals only when all parts of an archive are written (trace/archive.c). */
static bool was_ended(const struct mpiot_recover_job *job)
{
    return !job->parts && exists(job->directory, "traces.otf2") &&
           (job->journal_count == 0 ||
            (job->process_count > 0 && job->journal_count < job->processes[0].head.world_size));
}

int mpiot_recover_find(const char *directory, struct mpiot_recover_job *job)
{
    char raw[PATH_MAX + 8];

    *job = (struct mpiot_recover_job){0};
    if (!realpath(directory, job->directory)) {
        int error = -errno;
        mpiot_recover_complain(directory, "%s", strerror(errno));
        return error;
    }
    snprintf(raw, sizeof raw, "%s/raw", job->directory);
    if (exists(job->directory, "raw"))
        read_journals(job, job->directory, raw);
    else if (!exists(job->directory, "traces.otf2"))
        find_parts(job, job->directory);
    if (was_ended(job))
        return -EEXIST;

    if (job->process_count == 0) {
        mpiot_recover_complain(directory, job->losses
                                              ? "no rank can be recovered"
                                              : "neither an archive of mpiotrace nor what is left "
                                                "of one");
        return -ENOENT;
    }
    qsort(job->processes, job->process_count, sizeof *job->processes, by_rank);
    return check_processes(job, directory);
}

void mpiot_recover_release(struct mpiot_recover_job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        mpiot_deftable_destroy(job->processes[i].table);
        free(job->processes[i].locations);
    }
    free(job->processes);
}

void mpiot_recover_event_file(char path[PATH_MAX], const struct mpiot_recover_process *process,
                              uint64_t id)
{
    snprintf(path, PATH_MAX, "%.*s/raw/traces/%llu.evt", PATH_MAX - 64, process->directory,
             (unsigned long long)id);
    if (access(path, F_OK) != 0)
        snprintf(path, PATH_MAX, "%.*s/traces/%llu.evt", PATH_MAX - 64, process->directory,
                 (unsigned long long)id);
}
