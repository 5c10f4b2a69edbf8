/* SPDX-License-Identifier: BSD-3-Clause */
/** MPI error codes as attributes (MPI-4.1, 9.4 and 14.7). */
#ifndef MPIOT_RECORD_ERROR_H
#define MPIOT_RECORD_ERROR_H

struct mpiot_location;

/** Adds "MPI error class" (its name) and "MPI error" (the text of `rc`) to the next record. */
void mpiot_error_attributes(struct mpiot_location *location, int rc);

#endif
