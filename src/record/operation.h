/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The operation table: what the recorder knows about an MPI procedure without running it.
 *
 * One row per wrapped procedure, generated from gen/mpi_io.spec; a wrapper names its row by index.
 * Everything that distinguishes two procedures of one shape is a column here, so that the recorder
 * has one function per shape and the wrappers have none of their own logic.
 */
#ifndef MPIOT_RECORD_OPERATION_H
#define MPIOT_RECORD_OPERATION_H

#include <stdbool.h>

#include "record/operations.h" /* generated: enum mpiot_op, one MPIOT_OP_* per procedure */

/** Which begin/end pair of record.h a wrapper calls. */
enum mpiot_shape {
    MPIOT_SHAPE_REGION,   /**< nothing but enter and leave */
    MPIOT_SHAPE_OPEN,     /**< MPI_File_open */
    MPIOT_SHAPE_CLOSE,    /**< MPI_File_close */
    MPIOT_SHAPE_DELETE,   /**< MPI_File_delete */
    MPIOT_SHAPE_SEEK,     /**< MPI_File_seek, MPI_File_seek_shared */
    MPIOT_SHAPE_VIEW,     /**< MPI_File_set_view */
    MPIOT_SHAPE_SETTING,  /**< MPI_File_set_size, _preallocate, _set_atomicity */
    MPIOT_SHAPE_INFO,     /**< MPI_File_set_info */
    MPIOT_SHAPE_SYNC,     /**< MPI_File_sync */
    MPIOT_SHAPE_TRANSFER, /**< data access; the phase tells blocking, i-call and split apart */
    MPIOT_SHAPE_COMPLETE, /**< Wait*, Test*, Request_get_status* */
    MPIOT_SHAPE_REQUEST_FREE,
    MPIOT_SHAPE_CANCEL,
};

/** Direction of a data access; sync counts as a flush. */
enum mpiot_direction {
    MPIOT_DIRECTION_NONE,
    MPIOT_DIRECTION_READ,
    MPIOT_DIRECTION_WRITE,
    MPIOT_DIRECTION_FLUSH,
};

/** Which file pointer positions a data access or seek (MPI-4.1, table 14.1). */
enum mpiot_pointer {
    MPIOT_POINTER_NONE,
    MPIOT_POINTER_EXPLICIT,
    MPIOT_POINTER_INDIVIDUAL,
    MPIOT_POINTER_SHARED,
};

/** What part of an operation the call is. */
enum mpiot_phase {
    MPIOT_PHASE_WHOLE, /**< blocking: begins and completes it */
    MPIOT_PHASE_START, /**< i-call: a request completes it */
    MPIOT_PHASE_BEGIN, /**< split collective, first half */
    MPIOT_PHASE_END,   /**< split collective, second half */
};

/** How a completion call reports which of its requests completed. */
enum mpiot_completes {
    MPIOT_COMPLETES_NONE,
    MPIOT_COMPLETES_ALL,  /**< one, or all or none: Wait, Testall, Request_get_status, ... */
    MPIOT_COMPLETES_SOME, /**< those an index array names: Waitany, Testany, Waitsome, Testsome */
};

struct mpiot_operation {
    const char *name; /**< the procedure's name in the standard's case: the region's name */
    enum mpiot_shape shape;
    enum mpiot_direction direction;
    enum mpiot_pointer pointer;
    enum mpiot_phase phase;
    enum mpiot_completes completes;
    bool collective;
    bool waits;  /**< completion calls: blocks until something completes (Wait*) */
    bool keeps;  /**< completion calls: leaves the request allocated (Request_get_status*) */
};

extern const struct mpiot_operation mpiot_operations[MPIOT_OP_COUNT];

#endif
