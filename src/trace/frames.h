/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Names for the frames of call paths. While a program runs, a frame is an object file and an
 * address in it, which is the same on all ranks whatever the load addresses; once definitions are
 * unified, whoever writes them (rank 0, mpiotrace-recover) looks up function, file and line.
 */
#ifndef MPIOT_TRACE_FRAMES_H
#define MPIOT_TRACE_FRAMES_H

#include "trace/deftable.h"

/** Per frame of a table: the region and the source code location it is; MPIOT_DEF_NONE: unknown. */
struct mpiot_frame_names {
    uint64_t *regions, *locations;
};

/** Defines the names of all frames in `table`. 0 or -ENOMEM. The caller releases. */
int mpiot_frames_name(struct mpiot_deftable *table, struct mpiot_frame_names *names);
void mpiot_frames_release(struct mpiot_frame_names *names);

#endif
