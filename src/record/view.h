/* SPDX-License-Identifier: BSD-3-Clause */
/** File views (MPI-4.1, 14.3): from offsets in etypes to absolute bytes. */
#ifndef MPIOT_RECORD_VIEW_H
#define MPIOT_RECORD_VIEW_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct mpiot_file;

struct mpiot_view {
    MPI_Offset disp; /**< bytes */
    MPI_Offset etype_size;
    MPI_Offset filetype_size;
    MPI_Offset filetype_extent;
    bool contiguous; /**< absolute byte = disp + offset x etype_size */
};

/** The view a file has when it is opened: bytes from 0. */
struct mpiot_view mpiot_view_initial(void);

/** The view that a successful set_view with these arguments has set. */
struct mpiot_view mpiot_view_make(MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                                  const char *datarep);

/**
 * The absolute byte of `offset` (in etypes) through the file's view; false where there is none to
 * be had without risk: negative offsets, views without bytes, MPI_MODE_SEQUENTIAL.
 */
bool mpiot_view_byte(const struct mpiot_file *file, MPI_File fh, MPI_Offset offset,
                     uint64_t *byte);

/** The absolute byte of the individual file pointer. */
bool mpiot_view_position(const struct mpiot_file *file, MPI_File fh, uint64_t *byte);

#endif
