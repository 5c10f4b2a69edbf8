/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrappers/lifecycle.h"

#include "wrappers/wrapper.h"

/* MPI_Init, MPI-4.1, 11.2.1: Starting MPI Processes */
int MPIOT_WRAPPER(MPI_Init)(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    mpiot_lifecycle_initialized(rc);
    return rc;
}

/* MPI_Init_thread, MPI-4.1, 11.2.1: Starting MPI Processes */
int MPIOT_WRAPPER(MPI_Init_thread)(int *argc, char ***argv, int required, int *provided)
{
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    mpiot_lifecycle_initialized(rc);
    return rc;
}

/* MPI_Pcontrol, MPI-4.1, 15.2.4: Miscellaneous Control of Profiling */
int MPIOT_WRAPPER(MPI_Pcontrol)(const int level, ...)
{
    mpiot_lifecycle_control(level);
    return PMPI_Pcontrol(level);
}
