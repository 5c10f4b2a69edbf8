/* SPDX-License-Identifier: BSD-3-Clause */
/** Which loaded object an address is in. Any thread may call. */
#ifndef MPIOT_RECORD_MODULE_H
#define MPIOT_RECORD_MODULE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/** What frames of an object are to a call path. */
enum mpiot_module_kind {
    MPIOT_MODULE_PROGRAM,   /**< the executable */
    MPIOT_MODULE_LIBRARY,
    MPIOT_MODULE_C_LIBRARY, /**< starts the program and its threads */
    MPIOT_MODULE_MPI,       /**< the MPI library, its components, and the tracer */
    MPIOT_MODULE_UNKNOWN,   /**< no object: generated code */
};

struct mpiot_module {
    enum mpiot_module_kind kind;
    char path[PATH_MAX];
    char build_id[2 * 32 + 1]; /**< hexadecimal; empty: it has none */
    uint64_t address;          /**< the address, as the object's file counts */
};

void mpiot_module_find(const void *address, struct mpiot_module *module);

/** Number of objects unloaded so far. */
uint64_t mpiot_module_unloaded(void);

#endif
