/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/path.h"

#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *mpiot_path_absolute(const char *filename)
{
    char *cwd, *path = NULL;

    while (filename[0] == '.' && filename[1] == '/')
        for (filename += 2; filename[0] == '/';)
            filename++;
    if (filename[0] == '/')
        return strdup(filename);
    cwd = getcwd(NULL, 0);
    if (!cwd || asprintf(&path, "%s%s%s", cwd, strcmp(cwd, "/") == 0 ? "" : "/", filename) < 0)
        path = NULL;
    free(cwd);
    return path;
}

/**
 * ROMIO takes what stands before the first ':' of the name for a file system type, and fails when
 * it knows none of that name; OMPIO opens the name as it is. Which of the two runs cannot be asked
 * for, but the file is there: the name that exists is the one that was meant.
 */
char *mpiot_path_resolve(const char *filename)
{
    char *path = mpiot_path_absolute(filename);
    const char *colon = strchr(filename, ':');
    struct stat status;

    if (!path || !colon || lstat(path, &status) == 0)
        return path;
    free(path);
    return mpiot_path_absolute(colon + 1);
}

/** Kernel file systems that live on one node. */
static bool is_node_local(const char *type)
{
    static const char *const local[] = {
        "ext2", "ext3", "ext4",  "xfs",      "btrfs",    "f2fs",    "jfs",  "reiserfs", "zfs",
        "vfat", "ntfs", "tmpfs", "devtmpfs", "ramfs",    "overlay", "aufs", "squashfs", "iso9660",
        "proc", "rootfs", "bcachefs",
    };
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (strcmp(type, local[i]) == 0)
            return true;
    return false;
}

static bool is_below(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 &&
           (length == 1 || path[length] == '/' || path[length] == '\0');
}

void mpiot_filesystem_find(const char *path, struct mpiot_filesystem *filesystem)
{
    char *real = realpath(path, NULL);
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    char line[4096];
    struct mntent entry;

    memset(filesystem, 0, sizeof *filesystem);
    while (mounts && getmntent_r(mounts, &entry, line, sizeof line)) {
        /* A later mount on the same point hides an earlier one. */
        if (!is_below(real ? real : path, entry.mnt_dir) ||
            (filesystem->mount_point &&
             strlen(entry.mnt_dir) < strlen(filesystem->mount_point)))
            continue;
        free(filesystem->mount_point);
        filesystem->mount_point = strdup(entry.mnt_dir);
        snprintf(filesystem->type, sizeof filesystem->type, "%s", entry.mnt_type);
    }
    if (mounts)
        endmntent(mounts);
    free(real);
    filesystem->node_local = is_node_local(filesystem->type);
}
