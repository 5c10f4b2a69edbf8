/* SPDX-License-Identifier: BSD-3-Clause */
/** That the members of a communicator take part in its collective I/O equally often. */
#ifndef MPIOT_TOOLS_CHECK_COLLECTIVE_H
#define MPIOT_TOOLS_CHECK_COLLECTIVE_H

#include "tools/check_events.h"

/** What is collective: OTF2 counts creation and the like of a handle that has a communicator. */
enum mpiot_collective {
    MPIOT_COLLECTIVE_READ, /**< those of enum mpiot_io_kind first */
    MPIOT_COLLECTIVE_WRITE,
    MPIOT_COLLECTIVE_FLUSH,
    MPIOT_COLLECTIVE_CREATE,
    MPIOT_COLLECTIVE_DESTROY,
    MPIOT_COLLECTIVE_DUPLICATE,
    MPIOT_COLLECTIVES,
};

/** Counts one collective of a communicator; nothing if that is undefined. */
void mpiot_check_collective_count(OTF2_CommRef comm, const struct mpiot_process *process,
                                  enum mpiot_collective what);

/** Compares the counts, of all communicators but those of one member. */
void mpiot_check_collective_end(void);

#endif
