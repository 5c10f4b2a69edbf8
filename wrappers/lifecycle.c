/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The procedures that start, pause and resume recording. The end is not here: it is a delete
 * callback on MPI_COMM_SELF, so that files which a library closes in MPI_Finalize still count.
 */
#include "config.h"

#include "record/session.h"
#include "wrappers/wrapper.h"

/* MPI_Init, MPI-4.1, 11.2.1: Starting MPI Processes */
int MPIOT_WRAPPER(MPI_Init)(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    if (rc == MPI_SUCCESS)
        mpiot_session_start();
    return rc;
}

/* MPI_Init_thread, MPI-4.1, 11.2.1: Starting MPI Processes */
int MPIOT_WRAPPER(MPI_Init_thread)(int *argc, char ***argv, int required, int *provided)
{
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    if (rc == MPI_SUCCESS)
        mpiot_session_start();
    return rc;
}

/* MPI_Pcontrol, MPI-4.1, 15.2.4: Miscellaneous Control of Profiling */
int MPIOT_WRAPPER(MPI_Pcontrol)(const int level, ...)
{
    if (level == 0)
        mpiot_session_pause();
    else if (level >= 1)
        mpiot_session_resume();
    return PMPI_Pcontrol(level);
}
