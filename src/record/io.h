/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * I/O operations that outlive the call that begins them: those with a request, and split
 * collectives.
 *
 * An operation belongs to its file, which ends it at the latest when it is closed; until the
 * program waits for its request or frees it, the request leads to it. It is freed by whoever ends
 * it. By MPI's rules only one thread at a time may complete a request.
 */
#ifndef MPIOT_RECORD_IO_H
#define MPIOT_RECORD_IO_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/handle_map.h"
#include "record/operation.h"

struct mpiot_file;
struct mpiot_thread;

struct mpiot_io {
    struct mpiot_handle_node node; /**< keyed by the MPI_Request */
    struct mpiot_io *previous, *next; /**< of the same file; or `next` on a free list */
    struct mpiot_file *file;
    uint32_t handle;
    uint64_t matching_id;
    uint64_t bytes_request;
    uint64_t tests;        /**< unsuccessful ones */
    bool has_request;      /**< found by its request */
    bool completed;        /**< seen by Request_get_status, the request still allocated */
    bool cancel_requested; /**< MPI_Cancel was called: only then is "cancelled" believed */
};

void mpiot_ios_start(void);

/** Begins an operation on a file: takes the next matching id. NULL: no memory. */
struct mpiot_io *mpiot_io_begin(struct mpiot_thread *thread, struct mpiot_file *file,
                                uint64_t bytes_request);

/** From now on `request` leads to the operation. */
void mpiot_io_set_request(struct mpiot_io *io, MPI_Request request);

/** The operation that `request` completes; NULL: it is no I/O, or not a recorded one. */
struct mpiot_io *mpiot_io_find(MPI_Request request);

/** The request is gone, its value may come back. The operation stays with its file. */
void mpiot_io_drop_request(struct mpiot_io *io);

/** Writes the Complete of a successful operation with the bytes of `status`. */
void mpiot_io_record_complete(struct mpiot_thread *thread, struct mpiot_io *io, uint64_t time,
                              const MPI_Status *status);

/** Writes the Complete of an operation that failed with MPI error code `rc`. */
void mpiot_io_record_failure(struct mpiot_thread *thread, struct mpiot_io *io, uint64_t time,
                             int rc);

/** Takes an operation that has ended off its file and frees it. */
void mpiot_io_end(struct mpiot_thread *thread, struct mpiot_io *io);

/** Ends all operations of a file whose completion nobody has asked for. */
void mpiot_io_end_all(struct mpiot_thread *thread, struct mpiot_file *file, uint64_t time);

/**
 * Bytes that `status` reports of a transfer of `bytes_request`; 0 and false where it reports none
 * that can be (MPI-4.1, 3.2.5; a short read may split an element, hence MPI_BYTE).
 */
bool mpiot_status_bytes(const MPI_Status *status, uint64_t bytes_request, uint64_t *bytes);

#endif
