/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The recorder's life: one session per process, from MPI_Init to the end of MPI_Finalize.
 */
#ifndef MPIOT_RECORD_SESSION_H
#define MPIOT_RECORD_SESSION_H

#include <stdbool.h>

/**
 * After a successful MPI_Init or MPI_Init_thread, in whatever language: starts the trace, with all
 * ranks of MPI_COMM_WORLD where they are known to be traced, and arranges for its end inside
 * MPI_Finalize. Called once, by the initialising thread; may communicate. errno is preserved.
 */
void mpiot_session_start(void);

/**
 * The same for a process whose MPI_Init did not come through the wrappers, at its first call that
 * would be recorded. Never communicates. Any thread may call; false: nothing is traced.
 */
bool mpiot_session_start_late(void);

/** MPI_Pcontrol (MPI-4.1, 15.2.4): operations that begin while paused are never recorded. */
void mpiot_session_pause(void);
void mpiot_session_resume(void);
bool mpiot_session_is_paused(void);

/**
 * Whether the process traces into one archive with all ranks of its world; does not change between
 * start and end, even where tracing stops on some rank: what ranks agree on, all take part in.
 */
bool mpiot_session_is_joint(void);

#endif
