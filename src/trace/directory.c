/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
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

/**
 * Claims `path` for the archives of this job's ranks, which do not communicate: the link "job" in
 * it, made atomically, says whose it is. Without a name for the job nobody shares it.
 */
static int claim_for_job(const char *path)
{
    const char *job = mpiot_config()->job_id;
    char link[PATH_MAX], owner[256];

    if (snprintf(link, sizeof link, "%s/job", path) >= (int)sizeof link)
        return -ENAMETOOLONG;
    int error = mkdir(path, 0777) == 0 ? 0 : -errno;
    if (!job || (error && error != -EEXIST))
        return error;
    if (!error || is_empty(path)) {
        if (symlink(job, link) == 0)
            return 0;
        if (errno != EEXIST)
            return -errno;
    }
    ssize_t length = readlink(link, owner, sizeof owner - 1);
    owner[length > 0 ? length : 0] = '\0';
    return strcmp(owner, job) == 0 ? 0 : -EEXIST;
}

/** The directory of a rank that traces alone, in the one of its job. */
static int claim_for_rank(int world_rank, char path[PATH_MAX])
{
    int error = claim_for_job(path);
    size_t length = strlen(path);

    if (error)
        return error;
    if (snprintf(path + length, PATH_MAX - length, "/rank-%d", world_rank) >=
        (int)(PATH_MAX - length))
        return -ENAMETOOLONG;
    return claim(path);
}

/** Claims `name`, or with a suffix the first name that is free. */
static int claim_free_name(const struct mpiot_trace_identity *identity, const char *name,
                           char path[PATH_MAX])
{
    for (int suffix = 0; suffix < MAX_SUFFIX; suffix++) {
        char number[16] = "";
        if (suffix > 0)
            snprintf(number, sizeof number, ".%d", suffix);
        if (snprintf(path, PATH_MAX, "%s%s", name, number) >= PATH_MAX)
            return -ENAMETOOLONG;
        int error = make_parents(path);
        if (!error)
            error = identity->joint ? claim(path) : claim_for_rank(identity->world_rank, path);
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

    if (joint || !job) {
        localtime_r(&now, &local);
        strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    }
    snprintf(name, PATH_MAX, "mpiotrace-%s-%s", program_invocation_short_name,
             joint || !job ? when : job);
    for (char *c = name; *c; c++)
        if (*c == '/' || *c == ':')
            *c = '-';
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
    char name[PATH_MAX], base[PATH_MAX] = "";

    if (mpiot_config()->output)
        snprintf(name, sizeof name, "%s", mpiot_config()->output);
    else
        default_name(identity->joint, name);

    int error = make_absolute(name, base);
    if (!error)
        error = claim_free_name(identity, base, path);
    if (error)
        mpiot_log_error("cannot make the directory %s for the trace: %s; nothing is traced",
                        base[0] ? base : name, strerror(-error));
    return error;
}

/**
 * Whether this rank sees what rank 0 has made. A directory of that name does not tell: a node may
 * have one of its own, of an earlier job. Collective; 0 on all ranks or on none.
 */
static int find(const char *path)
{
    char token[PATH_MAX + 32] = "";
    uint64_t number, failed = 0;

    if (mpiot_comm_size() == 1)
        return 0;
    if (mpiot_comm_rank() == 0) {
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            number = time(NULL);
        snprintf(token, sizeof token, "%s/joining-%016" PRIx64, path, number);
        failed = mkdir(token, 0777) == 0 ? 0 : errno;
    }
    int error = mpiot_comm_broadcast(token, sizeof token);
    if (!error && mpiot_comm_rank() > 0)
        failed = access(token, W_OK) == 0 ? 0 : EXDEV;
    if (!error)
        error = mpiot_comm_max(&failed);
    if (mpiot_comm_rank() == 0)
        rmdir(token);
    return error ? error : -(int)failed;
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
    int error = find(path);
    if (!error)
        return 0;

    /* Gives the name back before anybody claims one for a rank. */
    snprintf(traces, sizeof traces, "%s/traces", path);
    if (mpiot_comm_rank() == 0) {
        rmdir(traces);
        if (error != -EXDEV)
            mpiot_log_error("cannot use the directory %s: %s; nothing is traced", path,
                            strerror(-error));
    }
    return mpiot_comm_max(&failed) != 0 ? -EIO : error;
}
