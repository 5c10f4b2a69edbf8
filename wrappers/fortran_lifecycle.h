/* SPDX-License-Identifier: BSD-3-Clause */
/* The procedures of lifecycle.c in Fortran; included once per binding. */
#include "wrappers/lifecycle.h"

#define mpiot_fortran_real_name(name)                                                              \
    mpiot_fortran_find(&mpiot_binding, (name), __builtin_return_address(0))

/* MPI_Init, MPI-4.1, 11.2.1: Starting MPI Processes */
void MPIOT_FORTRAN(MPI_Init)(MPI_Fint *ierror)
{
    __typeof__(MPIOT_FORTRAN(MPI_Init)) *real = mpiot_fortran_real_name("MPI_Init");
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    real(error);
    mpiot_lifecycle_initialized(*error);
}

/* MPI_Init_thread, MPI-4.1, 11.2.1: Starting MPI Processes */
void MPIOT_FORTRAN(MPI_Init_thread)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    __typeof__(MPIOT_FORTRAN(MPI_Init_thread)) *real = mpiot_fortran_real_name("MPI_Init_thread");
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    real(required, provided, error);
    mpiot_lifecycle_initialized(*error);
}

/*
 * MPI_Pcontrol, MPI-4.1, 15.2.4: Miscellaneous Control of Profiling. The standard gives it no
 * ierror, MPICH's entries have one: what stands in its place is passed on, never looked at.
 */
void MPIOT_FORTRAN(MPI_Pcontrol)(MPI_Fint *level, MPI_Fint *ierror)
{
    __typeof__(MPIOT_FORTRAN(MPI_Pcontrol)) *real = mpiot_fortran_real_name("MPI_Pcontrol");
    mpiot_lifecycle_control(*level);
    real(level, ierror);
}

#ifndef MPIOT_HAVE_ENTRY_STUBS

MPIOT_FORTRAN_NAMES(MPI_Init, mpi_init, MPI_INIT)
MPIOT_FORTRAN_NAMES(MPI_Init_thread, mpi_init_thread, MPI_INIT_THREAD)
MPIOT_FORTRAN_NAMES(MPI_Pcontrol, mpi_pcontrol, MPI_PCONTROL)

#endif
