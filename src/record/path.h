/* SPDX-License-Identifier: BSD-3-Clause */
/** File names as the program passes them, and the files they mean. */
#ifndef MPIOT_RECORD_PATH_H
#define MPIOT_RECORD_PATH_H

#include <stdbool.h>

/** The name made absolute with the current directory; malloc'ed, NULL without memory. */
char *mpiot_path_absolute(const char *filename);

/**
 * The absolute path of the file that the name stands for: without the file system prefix ("ufs:")
 * where the MPI library has treated it as one. The file exists: to be called after a successful
 * open or before a delete. malloc'ed, NULL without memory.
 */
char *mpiot_path_resolve(const char *filename);

enum { MPIOT_FS_TYPE_SIZE = 64 };

/** Where a file lies. */
struct mpiot_filesystem {
    char type[MPIOT_FS_TYPE_SIZE]; /**< as the kernel names it: "ext4", "lustre"; "" if unknown */
    char *mount_point;             /**< malloc'ed, NULL if unknown */
    bool node_local;               /**< other nodes do not see it */
};

void mpiot_filesystem_find(const char *path, struct mpiot_filesystem *filesystem);

#endif
