/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/config.h"
#include "common/log.h"
#include "trace/archive.h"
#include "trace/comm.h"

enum { MAX_SUFFIX = 1000 };

/** mkdir -p. */
static int make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return -errno;
    }
    return 0;
}

static bool is_empty(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool empty = directory != NULL;

    while (empty && (entry = readdir(directory)))
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (directory)
        closedir(directory);
    return empty;
}

/**
 * Claims `path` for a new archive. Making the "traces" directory is what claims it, atomically: so
 * an empty directory that the user has prepared can be used.
 */
static int claim(const char *path)
{
    char traces[PATH_MAX];

    if (snprintf(traces, sizeof traces, "%s/traces", path) >= (int)sizeof traces)
        return -ENAMETOOLONG;
    if (mkdir(path, 0777) != 0) {
        if (errno != EEXIST)
            return -errno;
        if (!is_empty(path))
            return -EEXIST;
    }
    return mkdir(traces, 0777) == 0 ? 0 : -errno;
}

/** Claims `name`, or with a suffix the first name that is free. */
static int claim_free_name(const char *name, const char *below, char path[PATH_MAX])
{
    for (int suffix = 0; suffix < MAX_SUFFIX; suffix++) {
        char number[16] = "";
        if (suffix > 0)
            snprintf(number, sizeof number, ".%d", suffix);
        if (snprintf(path, PATH_MAX, "%s%s%s", name, number, below) >= PATH_MAX)
            return -ENAMETOOLONG;
        int error = make_parents(path);
        if (!error)
            error = claim(path);
        if (error != -EEXIST)
            return error;
    }
    return -EEXIST;
}

/** Ranks that do not communicate need the same name: the job's identifier is in it, no time. */
static void default_name(bool joint, char name[PATH_MAX])
{
    const char *job = mpiot_config()->job_id;
    char when[32];
    time_t now = time(NULL);
    struct tm local;

    if (!joint && job) {
        snprintf(name, PATH_MAX, "mpiotrace-%s-%s", program_invocation_short_name, job);
        for (char *c = name; *c; c++)
            if (*c == '/')
                *c = '_';
        return;
    }
    localtime_r(&now, &local);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    snprintf(name, PATH_MAX, "mpiotrace-%s-%s", program_invocation_short_name, when);
}

static int make_absolute(const char *name, char path[PATH_MAX])
{
    char cwd[PATH_MAX];

    if (name[0] == '/')
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX ? 0 : -ENAMETOOLONG;
    if (!getcwd(cwd, sizeof cwd))
        return -errno;
    return snprintf(path, PATH_MAX, "%s/%s", cwd, name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/** Makes the directory as one process: rank 0 of a joint world, or each that traces alone. */
static int make_own(const struct mpiot_trace_identity *identity, char path[PATH_MAX])
{
    char name[PATH_MAX], base[PATH_MAX], below[32] = "";

    if (mpiot_config()->output)
        snprintf(name, sizeof name, "%s", mpiot_config()->output);
    else
        default_name(identity->joint, name);
    if (!identity->joint)
        snprintf(below, sizeof below, "/rank-%d", identity->world_rank);

    int error = make_absolute(name, base);
    if (!error)
        error = claim_free_name(base, below, path);
    if (error)
        mpiot_log_error("cannot make the directory %s%s for the trace: %s; nothing is traced", base,
                        below, strerror(-error));
    return error;
}

int mpiot_directory_make(const struct mpiot_trace_identity *identity, char path[PATH_MAX])
{
    char traces[PATH_MAX + sizeof "/traces"];
    uint64_t failed = 0;

    if (mpiot_comm_rank() == 0)
        failed = -make_own(identity, path);
    if (mpiot_comm_max(&failed) != 0 || failed)
        return failed ? -(int)failed : -EIO;
    if (mpiot_comm_broadcast(path, PATH_MAX) != 0)
        return -EIO;

    snprintf(traces, sizeof traces, "%s/traces", path);
    failed = access(traces, W_OK) != 0;
    if (mpiot_comm_max(&failed) != 0)
        return -EIO;
    return failed ? -EXDEV : 0;
}
