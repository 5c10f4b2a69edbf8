/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Puts a new archive in place of the parts it was made of, so that whenever this is interrupted the
 * directory holds either all the parts or the whole archive: old event files move into raw/, where
 * another run looks for them first; the anchor file comes last; raw/ goes away in one step.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/recover.h"

/** Where raw/ goes when the new archive is complete, to be removed. */
#define DONE "raw.done"

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

int mpiot_recover_remove(const char *path)
{
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
        return 0;
    int error = -errno;
    mpiot_recover_complain(path, "cannot be removed: %s", strerror(errno));
    return error;
}

/** rename(2) of a name in one directory to a name in another. */
static int move(const char *from, const char *from_name, const char *to, const char *to_name)
{
    char source[PATH_MAX + 64], target[PATH_MAX + 64];

    snprintf(source, sizeof source, "%s/%s", from, from_name);
    snprintf(target, sizeof target, "%s/%s", to, to_name);
    if (rename(source, target) == 0)
        return 0;
    int error = -errno;
    mpiot_recover_complain(target, "cannot be made from %s: %s", source, strerror(errno));
    return error;
}

/**
 * Makes room for the new event files: old ones move away. An interrupted run may have done so, and
 * left new ones; beside archives of single ranks there are no others.
 */
static int put_aside(const struct mpiot_recover_job *job)
{
    char old[PATH_MAX + 16], new[PATH_MAX + 16];

    snprintf(old, sizeof old, "%s/raw/traces", job->directory);
    snprintf(new, sizeof new, "%s/traces", job->directory);
    if (job->parts || access(old, F_OK) == 0)
        return mpiot_recover_remove(new);
    return access(new, F_OK) == 0 ? move(job->directory, "traces", job->directory, "raw/traces")
                                  : 0;
}

int mpiot_recover_install(const struct mpiot_recover_job *job, const char *work)
{
    const char *directory = job->directory;
    int error = put_aside(job);

    if (!error)
        error = move(work, "traces", directory, "traces");
    if (!error)
        error = move(work, "traces.def", directory, "traces.def");
    if (!error)
        error = move(work, "traces.otf2", directory, "traces.otf2");
    if (!error && !job->parts)
        error = move(directory, "raw", directory, DONE);
    if (!error)
        mpiot_recover_clean(directory);
    return error;
}

void mpiot_recover_clean(const char *directory)
{
    static const char *const names[] = {MPIOT_RECOVER_WORK, DONE};
    char path[PATH_MAX + 32];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        mpiot_recover_remove(path);
    }
}
