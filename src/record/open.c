/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening, closing and deleting files: MPI-4.1, 14.2.1 to 14.2.3. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config.h"
#include "record/callpath.h"
#include "record/communicator.h"
#include "record/file.h"
#include "record/hints.h"
#include "record/io.h"
#include "record/io_file.h"
#include "record/path.h"
#include "record/session.h"
#include "record/thread.h"
#include "trace/events.h"
#include "trace/trace.h"

static struct mpiot_io_open how_opened(int amode)
{
    return (struct mpiot_io_open){
        .access = amode & MPI_MODE_RDWR     ? MPIOT_ACCESS_READ_WRITE
                  : amode & MPI_MODE_WRONLY ? MPIOT_ACCESS_WRITE_ONLY
                                            : MPIOT_ACCESS_READ_ONLY,
        .create = amode & MPI_MODE_CREATE,
        .exclusive = amode & MPI_MODE_EXCL,
        .sequential = amode & MPI_MODE_SEQUENTIAL,
        .unique = amode & MPI_MODE_UNIQUE_OPEN,
        .append = amode & MPI_MODE_APPEND,
        .delete_on_close = amode & MPI_MODE_DELETE_ON_CLOSE,
    };
}

/** Enters the region of a call on a file name, with the path as attribute. */
static void enter_on_path(struct mpiot_call *call)
{
    char *path = call->filename ? mpiot_path_absolute(call->filename) : NULL;

    call->excluded = path && !mpiot_config_records_path(path);
    if (call->excluded) {
        mpiot_call_dismiss(call);
    } else if (mpiot_call_open_region(call, false)) {
        if (path)
            mpiot_event_attribute_string(call->thread->location, MPIOT_ATTRIBUTE_PATH, path);
        mpiot_call_enter(call);
    }
    free(path);
}

void mpiot_open_begin(struct mpiot_call *call, MPI_Comm comm, const char *filename, int amode)
{
    bool admitted = mpiot_call_admit(call);

    call->comm = comm;
    call->filename = filename;
    call->amode = amode;
    if (admitted && call->thread->callpaths)
        mpiot_callpaths_refresh();
    if (admitted)
        enter_on_path(call);
    errno = call->saved_errno;
}

/**
 * Agrees with the communicator's other members on who the communicator is, which path was opened
 * and which instance of its handle. Collective where members agree; false: no memory.
 */
static bool agree(const struct mpiot_call *call, struct mpiot_communicator **communicator,
                  struct mpiot_agreement *agreement)
{
    *communicator = mpiot_communicator_get(call->comm);
    if (!*communicator)
        return false;
    if ((*communicator)->leads) {
        char *path = mpiot_path_resolve(call->filename);
        snprintf(agreement->path, sizeof agreement->path, "%s", path ? path : call->filename);
        free(path);
        mpiot_communicator_propose(*communicator, call->comm, agreement);
        mpiot_communicator_define(*communicator, call->comm, agreement);
        agreement->instance = mpiot_handle_free_instance(
            mpiot_io_file_define(agreement->path, (*communicator)->spans_nodes),
            (*communicator)->reference);
    }
    mpiot_communicator_broadcast(*communicator, call->comm, agreement);
    mpiot_communicator_define(*communicator, call->comm, agreement);
    return true;
}

/** The handle of the agreement, active for this open. */
static struct mpiot_handle *take_handle(const struct mpiot_communicator *communicator,
                                        const struct mpiot_agreement *agreement, uint32_t file)
{
    uint32_t instance = agreement->instance;
    struct mpiot_handle *handle;

    /* Another thread of this process may not yet have come to see a close that rank 0 has seen. */
    do {
        handle = mpiot_handle_get(agreement->path, file, communicator->reference, instance++);
    } while (handle && !mpiot_handle_activate(handle));
    return handle;
}

static struct mpiot_file *file_create(int amode, int rank)
{
    struct mpiot_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    pthread_mutex_init(&file->lock, NULL);
    file->sequential = amode & MPI_MODE_SEQUENTIAL;
    file->deletes = (amode & MPI_MODE_DELETE_ON_CLOSE) && rank == 0;
    file->view = mpiot_view_initial();
    return file;
}

static void record_open(const struct mpiot_call *call, uint64_t now, MPI_File fh,
                        const struct mpiot_communicator *communicator,
                        const struct mpiot_agreement *agreement)
{
    struct mpiot_io_open how = how_opened(call->amode);
    uint32_t io_file = mpiot_io_file_define(agreement->path, communicator->spans_nodes);
    struct mpiot_file *file = file_create(call->amode, communicator->rank);

    if (!file)
        return;
    file->handle = take_handle(communicator, agreement, io_file);
    if (!file->handle) {
        free(file);
        return;
    }
    mpiot_hints_record(call->thread->location, io_file, fh);
    mpiot_event_io_create_handle(call->thread->location, now, file->handle->reference, &how);
    mpiot_file_add(file, fh);
}

/** An error handler may have turned a failure into a success, without a file. */
void mpiot_open_end(struct mpiot_call *call, int rc, MPI_File fh)
{
    struct mpiot_communicator *communicator;
    struct mpiot_agreement agreement = {.instance = 0};
    uint64_t now = mpiot_call_return(call);
    bool recorded = now != 0;
    bool opened = fh != MPI_FILE_NULL;

    /* Members agree whether or not each records this open: they must not wait for one another. */
    if (opened && (recorded || (mpiot_session_is_joint() && !call->forwarded)) &&
        agree(call, &communicator, &agreement) && recorded)
        record_open(call, now, fh, communicator, &agreement);
    if (opened && call->excluded) {
        struct mpiot_file *file = file_create(call->amode, 0);
        if (file)
            mpiot_file_add(file, fh);
    }
    if (recorded)
        mpiot_call_close_region(call, now, rc);
    errno = call->saved_errno;
}

/** Recorded while paused, too: what was created must be destroyed. */
void mpiot_close_begin(struct mpiot_call *call, MPI_File fh)
{
    if (!mpiot_call_admit(call))
        return;
    call->file = mpiot_file_find(call->thread, fh);
    if (call->file && !call->file->handle)
        mpiot_call_dismiss(call);
    else
        mpiot_call_open_region(call, true);
    errno = call->saved_errno;
}

/** Ends what the program has left open on the file, then the handle itself. */
static void record_close(const struct mpiot_call *call, uint64_t now)
{
    struct mpiot_location *location = call->thread->location;
    struct mpiot_file *file = call->file;

    mpiot_io_end_all(call->thread, file, now);
    mpiot_event_io_destroy_handle(location, now, file->handle->reference);
    if (file->deletes)
        mpiot_event_io_delete_file(location, now, file->handle->file);
    mpiot_handle_deactivate(file->handle);
}

void mpiot_close_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);
    bool recorded = now != 0;

    if (rc == MPI_SUCCESS && call->file) {
        mpiot_file_remove(call->file);
        if (recorded && call->file->handle)
            record_close(call, now);
        pthread_mutex_destroy(&call->file->lock);
        free(call->file);
    }
    if (recorded)
        mpiot_call_close_region(call, now, rc);
}

void mpiot_delete_begin(struct mpiot_call *call, const char *filename)
{
    if (!mpiot_call_admit(call))
        return;
    call->filename = filename;
    call->path = filename ? mpiot_path_resolve(filename) : NULL;
    if (mpiot_session_is_paused())
        mpiot_call_dismiss(call);
    else
        enter_on_path(call);
    errno = call->saved_errno;
}

void mpiot_delete_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);

    if (now) {
        if (rc == MPI_SUCCESS && call->path)
            mpiot_event_io_delete_file(call->thread->location, now,
                                       mpiot_io_file_deleted(call->path));
        mpiot_call_close_region(call, now, rc);
    }
    free(call->path);
}
