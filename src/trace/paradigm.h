/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The I/O paradigms OTF2 knows by name, with what it requires of their definitions (OTF2
 * documentation, "Known OTF2 I/O paradigms"). The recorder registers those it records; the checker
 * holds archives against the table.
 */
#ifndef MPIOT_TRACE_PARADIGM_H
#define MPIOT_TRACE_PARADIGM_H

#include <otf2/otf2.h>

enum mpiot_paradigm_class {
    MPIOT_PARADIGM_SERIAL,
    MPIOT_PARADIGM_PARALLEL,
    MPIOT_PARADIGM_BY_BUILD, /**< parallel if the library was built with MPI, else serial */
};

struct mpiot_paradigm {
    const char *identification;
    enum mpiot_paradigm_class paradigm_class;
    OTF2_IoParadigmFlag flags;
};

enum { MPIOT_PARADIGM_MPI_IO, MPIOT_PARADIGM_COUNT = 7 };

extern const struct mpiot_paradigm mpiot_paradigms[MPIOT_PARADIGM_COUNT];

#endif
