/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_f08: procedures whose buffer comes as a descriptor (TS 29113). */
#include "wrappers/entry.h"
#include "wrappers/fortran.h"

static struct mpiot_fortran_binding mpiot_binding = {.suffix = "_f08ts_"};

#define MPIOT_FORTRAN(name) mpiot_f08ts_##name
#define MPIOT_FORTRAN_NAMES(name, lower, upper) MPIOT_ALIAS(lower##_f08ts_, mpiot_f08ts_##name)

#include "wrappers/fortran_access.h"
