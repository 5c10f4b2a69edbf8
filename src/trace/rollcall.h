/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds out whether all ranks of MPI_COMM_WORLD load the tracer, before anything is done that a
 * rank without it would have to take part in.
 *
 * A rank without the tracer must not notice. It would notice any message on MPI_COMM_WORLD (an
 * MPI_Probe of any source and tag sees it), and a collective on it, blocking or not, would meet the
 * program's own. So nothing is sent to a rank before it is known to be traced, and that is told
 * through MPI's name service (MPI-4.1, 11.10.4), which a rank that does not ask never hears of.
 *
 * The ranks make a tree, FANOUT children to a node. One that has children posts the receives for
 * their reports and publishes that it is there; its children look that up, and report to it once
 * their own subtrees have; rank 0's "all" goes down the same way. A rank that waits in vain
 * publishes that it gives up, which ends the wait of all others. It only does so before its own
 * report, without which rank 0 never says "all": hence all traced ranks come to the same result. A
 * report that comes after its receiver gave up meets the receive that is still posted.
 *
 * Not thread-safe; called by one thread, inside MPI_Init.
 */
#ifndef MPIOT_TRACE_ROLLCALL_H
#define MPIOT_TRACE_ROLLCALL_H

#include <stdbool.h>

/**
 * 0: all ranks are here, and each gets 0. -ETIMEDOUT: some are not. -ECANCELED: some rank is not
 * `willing`. -ENOTSUP: there is no name service in this job. -EIO: MPI failed. After an error
 * `*first` tells whether this rank is to say so for all: the first to give up, or rank 0.
 */
int mpiot_rollcall(bool willing, bool *first);

/** Before MPI is finalized: takes back receives that a failed roll call has left posted. */
void mpiot_rollcall_end(void);

#endif
