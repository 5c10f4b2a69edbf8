/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An MPI library whose data access costs nothing: the benchmark program defines the PMPI_ data
 * access and completion procedures itself, so that a tracer in front of it is all that is measured.
 * Everything else, opening files included, is the MPI library's. With `stub.real` the procedures
 * here go to the MPI library too.
 */
#ifndef BENCH_STUB_H
#define BENCH_STUB_H

#include <mpi.h>
#include <stdbool.h>

extern struct stub {
    bool real;
    MPI_Status status; /**< what data access reports: set by stub_expect */
} stub;

/** Data access reports so many bytes. */
void stub_expect(MPI_Count bytes);

#endif
