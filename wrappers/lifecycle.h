/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the procedures that start, pause and resume recording do, in every language. The end is not
 * here: it is a delete callback on MPI_COMM_SELF, so that files which a library closes inside
 * MPI_Finalize still count, and MPI_Finalize needs no wrapper.
 */
#ifndef MPIOT_WRAPPERS_LIFECYCLE_H
#define MPIOT_WRAPPERS_LIFECYCLE_H

#include <mpi.h>

#include "record/session.h"

/** After MPI_Init or MPI_Init_thread returned `rc`; repeated where one language calls another. */
static inline void mpiot_lifecycle_initialized(int rc)
{
    if (rc == MPI_SUCCESS)
        mpiot_session_start();
}

/** Before MPI_Pcontrol (MPI-4.1, 15.2.4): 0 pauses, 1 and above resumes. */
static inline void mpiot_lifecycle_control(int level)
{
    if (level == 0)
        mpiot_session_pause();
    else if (level >= 1)
        mpiot_session_resume();
}

#endif
