/* SPDX-License-Identifier: BSD-3-Clause */
/** Hints (MPI-4.1, 14.2.8) as the MPI library reports them. */
#ifndef MPIOT_RECORD_HINTS_H
#define MPIOT_RECORD_HINTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct mpiot_location;

/** Every hint of `info` as an attribute "MPI hint: <key>" of the next record. */
void mpiot_hints_add_attributes(struct mpiot_location *location, MPI_Info info);

/**
 * The hints in effect on an open file: at the first open of the file they become its properties,
 * at later ones those that differ become attributes of the next record.
 */
void mpiot_hints_record(struct mpiot_location *location, uint32_t file, MPI_File fh);

#endif
