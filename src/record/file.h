/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Open files, and the I/O handle definitions they use one after the other.
 */
#ifndef MPIOT_RECORD_FILE_H
#define MPIOT_RECORD_FILE_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/handle_map.h"
#include "record/thread.h"
#include "record/view.h"

/**
 * An IoHandle definition. A later open of the same file on the same communicator uses it again once
 * it is inactive; the counter goes on, so that (handle, matching id) stays unique.
 */
struct mpiot_handle {
    uint32_t reference; /**< the definition */
    uint32_t file;      /**< its IoRegularFile */
    bool active;        /**< under the lock of file.c */
    _Atomic uint64_t next_matching_id;
};

/** One open file. */
struct mpiot_file {
    struct mpiot_handle_node node; /**< keyed by the MPI_File */
    struct mpiot_handle *handle;   /**< NULL: the path is excluded, its calls are not recorded */
    bool sequential;               /**< MPI_MODE_SEQUENTIAL: has no position to ask for */
    bool deletes;                  /**< MPI_MODE_DELETE_ON_CLOSE, on the communicator's rank 0 */
    struct mpiot_view view;
    pthread_mutex_t lock;
    struct mpiot_io *operations; /**< open non-blocking ones, under the lock */
    struct mpiot_io *split;      /**< the open split collective (at most one, MPI-4.1, 14.4.5) */
};

/** Files and definitions of this process; called once. */
void mpiot_files_start(void);

/** The handle for (file, communicator) number `instance`, made if need be. NULL: no memory. */
struct mpiot_handle *mpiot_handle_get(const char *path, uint32_t file, uint32_t comm,
                                      uint32_t instance);

/** The lowest instance for (file, communicator) that is not active. */
uint32_t mpiot_handle_free_instance(uint32_t file, uint32_t comm);

/** Marks a handle active (open) or inactive (closed); false: it is active already. */
bool mpiot_handle_activate(struct mpiot_handle *handle);
void mpiot_handle_deactivate(struct mpiot_handle *handle);

/** Enters an open file under `fh`; the caller has filled in the rest. */
void mpiot_file_add(struct mpiot_file *file, MPI_File fh);

/** Takes a closed file out; it is the caller's to free once its operations have been ended. */
void mpiot_file_remove(struct mpiot_file *file);

/** The open file `fh`; NULL: none that the recorder has seen opened. */
struct mpiot_file *mpiot_file_find(struct mpiot_thread *thread, MPI_File fh);

static inline MPI_File mpiot_file_fh(const struct mpiot_file *file)
{
    return (MPI_File)file->node.key;
}

/** Calls `visit` for each open file; no other thread opens or closes meanwhile. */
void mpiot_files_visit(void (*visit)(struct mpiot_file *, void *), void *argument);

#endif
