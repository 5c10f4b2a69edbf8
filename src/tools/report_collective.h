/* SPDX-License-Identifier: BSD-3-Clause */
/** How far apart the ranks begin the same collective operation. */
#ifndef MPIOT_TOOLS_REPORT_COLLECTIVE_H
#define MPIOT_TOOLS_REPORT_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * A collective operation of the process being read begins. All of them must be told, also those
 * that the options leave out: the operations of different ranks belong together by their order on
 * the handle.
 */
void mpiot_collective_begin(uint32_t handle, uint32_t file, uint64_t time, bool is_selected);

/** Of the collective operations on a file, as far as they are compared. */
struct mpiot_lateness {
    uint64_t operations; /**< that more than one rank took part in, each counted once */
    uint64_t ticks;      /**< by which all ranks but the last were earlier than that, summed */
    uint32_t latest;     /**< index of the rank that the others were earliest to */
    uint64_t latest_operations; /**< in which that rank was the last */
};

struct mpiot_lateness mpiot_collective_lateness(uint32_t file);

#endif
