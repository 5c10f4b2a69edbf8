/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_f08: procedures that pass buffers by address, if any. */
#include "wrappers/entry.h"
#include "wrappers/fortran.h"

static struct mpiot_fortran_binding mpiot_binding = {.suffix = "_f08_"};

#define MPIOT_FORTRAN(name) mpiot_f08_##name
#define MPIOT_FORTRAN_NAMES(name, lower, upper) MPIOT_ALIAS(lower##_f08_, mpiot_f08_##name)

#include "wrappers/fortran_access.h"
#include "wrappers/fortran_completion.h"
#include "wrappers/fortran_file.h"
#include "wrappers/fortran_lifecycle.h"
