/* SPDX-License-Identifier: BSD-3-Clause */
/* mpif.h and use mpi: the entries that every compiler's mangling leads to. */
#include "wrappers/entry.h"
#include "wrappers/fortran.h"

static struct mpiot_fortran_binding mpiot_binding = {.suffix = "_"};

#define MPIOT_FORTRAN(name) mpiot_mpifh_##name
#define MPIOT_FORTRAN_NAMES(name, lower, upper)                                                    \
    MPIOT_ALIAS(lower, mpiot_mpifh_##name)                                                         \
    MPIOT_ALIAS(lower##_, mpiot_mpifh_##name)                                                      \
    MPIOT_ALIAS(lower##__, mpiot_mpifh_##name)                                                     \
    MPIOT_ALIAS(upper, mpiot_mpifh_##name)                                                         \
    MPIOT_ALIAS(name##_f, mpiot_mpifh_##name)                                                      \
    MPIOT_ALIAS(name##_f08, mpiot_mpifh_##name)

#include "wrappers/fortran_access.h"
#include "wrappers/fortran_completion.h"
#include "wrappers/fortran_file.h"
#include "wrappers/fortran_lifecycle.h"
