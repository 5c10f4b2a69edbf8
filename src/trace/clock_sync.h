/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How the clocks of nodes differ from that of rank 0's node.
 *
 * Clocks of one node are one, and the node's name tells which those are. One process of each other
 * node measures at the start and at the end, and tells the others there; readers interpolate. A
 * job of one node does no more than find that out.
 *
 * Called by one thread; collective over trace/comm.h. 0 or a negative errno.
 */
#ifndef MPIOT_TRACE_CLOCK_SYNC_H
#define MPIOT_TRACE_CLOCK_SYNC_H

#include "trace/clock.h"

int mpiot_clock_sync_start(void);
int mpiot_clock_sync_end(void);

/** The offset at the start and, after the end, that at the end; NULL on rank 0's node. */
const struct mpiot_clock_offset *mpiot_clock_offsets(void);

#endif
