/* SPDX-License-Identifier: BSD-3-Clause */
/* Data access: MPI-4.1, 14.4, and sync, 14.6. */
#include <errno.h>

#include "record/file.h"
#include "record/io.h"
#include "record/session.h"
#include "record/thread.h"
#include "trace/events.h"

/** count x size of the type; 0 where the MPI library will refuse the arguments. */
static uint64_t request_bytes(MPI_Count count, MPI_Datatype datatype)
{
    MPI_Count size;
    uint64_t bytes;

    if (datatype == MPI_BYTE && count > 0) /* what libraries use: not worth a question */
        return count;
    if (count <= 0 || datatype == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0 ||
        __builtin_mul_overflow((uint64_t)count, (uint64_t)size, &bytes))
        return 0;
    return bytes;
}

/** Where the operation starts: the "Offset" of its begin. Shared pointers are never asked. */
static bool start_byte(const struct mpiot_call *call, MPI_File fh, MPI_Offset offset,
                       uint64_t *byte)
{
    switch (mpiot_operations[call->op].pointer) {
    case MPIOT_POINTER_EXPLICIT:
        return mpiot_view_byte(call->file, fh, offset, byte);
    case MPIOT_POINTER_INDIVIDUAL:
        return mpiot_view_position(call->file, fh, byte);
    case MPIOT_POINTER_SHARED:
    case MPIOT_POINTER_NONE:
        break;
    }
    return false;
}

static enum mpiot_io_mode mode_of(enum mpiot_op op)
{
    switch (mpiot_operations[op].direction) {
    case MPIOT_DIRECTION_READ:
        return MPIOT_IO_READ;
    case MPIOT_DIRECTION_WRITE:
        return MPIOT_IO_WRITE;
    case MPIOT_DIRECTION_FLUSH:
    case MPIOT_DIRECTION_NONE:
        break;
    }
    return MPIOT_IO_FLUSH;
}

static unsigned flags_of(enum mpiot_op op)
{
    unsigned flags = mpiot_operations[op].collective ? MPIOT_IO_COLLECTIVE : 0;
    return mpiot_operations[op].phase == MPIOT_PHASE_WHOLE ? flags : flags | MPIOT_IO_NON_BLOCKING;
}

/** Admits a data access and finds its file; false if it is passed through. */
static bool admit_access(struct mpiot_call *call, MPI_File fh)
{
    if (!mpiot_call_admit(call))
        return false;
    call->file = mpiot_file_find(call->thread, fh);
    if (mpiot_session_is_paused() || (call->file && !call->file->handle)) {
        mpiot_call_dismiss(call);
        return false;
    }
    return true;
}

/** Writes the begin of an operation on the call's file, its start in "Offset" if it is known. */
static void record_begin(const struct mpiot_call *call, uint64_t matching_id, uint64_t bytes,
                         bool has_offset, uint64_t offset)
{
    if (has_offset)
        mpiot_event_attribute_offset(call->thread->location, offset);
    mpiot_event_io_begin(call->thread->location, call->time, call->file->handle->reference,
                         mode_of(call->op), flags_of(call->op), bytes, matching_id);
}

/** Opens region and operation of a blocking call. */
static void begin_blocking(struct mpiot_call *call, bool has_offset, uint64_t offset)
{
    if (!mpiot_call_open_region(call, true) || !call->file)
        return;
    struct mpiot_frame *frame = mpiot_call_frame(call);
    frame->has_operation = true;
    frame->handle = call->file->handle->reference;
    frame->matching_id =
        atomic_fetch_add_explicit(&call->file->handle->next_matching_id, 1, memory_order_relaxed);
    record_begin(call, frame->matching_id, call->bytes_request, has_offset, offset);
}

void mpiot_transfer_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset, MPI_Count count,
                          MPI_Datatype datatype)
{
    uint64_t byte = 0;

    if (!admit_access(call, fh))
        return;
    bool has_offset = call->file && start_byte(call, fh, offset, &byte);
    call->bytes_request = request_bytes(count, datatype);
    begin_blocking(call, has_offset, byte);
    errno = call->saved_errno;
}

void mpiot_transfer_end(struct mpiot_call *call, int rc, const MPI_Status *status)
{
    uint64_t bytes = 0;

    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    const struct mpiot_frame *frame = mpiot_call_frame(call);
    if (frame->has_operation) {
        /* After a failure the status is garbage. */
        if (rc == MPI_SUCCESS && !mpiot_status_bytes(status, call->bytes_request, &bytes))
            mpiot_event_attribute_uint64(call->thread->location, MPIOT_ATTRIBUTE_BYTES_UNKNOWN, 1);
        mpiot_event_io_complete(call->thread->location, now, frame->handle, bytes,
                                frame->matching_id);
    }
    mpiot_call_close_region(call, now, rc);
}

void mpiot_sync_begin(struct mpiot_call *call, MPI_File fh)
{
    if (!admit_access(call, fh))
        return;
    begin_blocking(call, false, 0);
    errno = call->saved_errno;
}

void mpiot_sync_end(struct mpiot_call *call, int rc)
{
    /* Nothing was requested, so that no status is read. */
    mpiot_transfer_end(call, rc, MPI_STATUS_IGNORE);
}

void mpiot_start_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset, MPI_Count count,
                       MPI_Datatype datatype)
{
    if (!admit_access(call, fh))
        return;
    call->has_offset = call->file && start_byte(call, fh, offset, &call->offset);
    call->bytes_request = request_bytes(count, datatype);
    mpiot_call_open_region(call, true);
    errno = call->saved_errno;
}

/**
 * The records of an operation that has been started: its begin is as of the time before the call,
 * but written only now that it is known to have begun at all.
 */
static struct mpiot_io *record_start(const struct mpiot_call *call, uint64_t now)
{
    struct mpiot_io *io = mpiot_io_begin(call->thread, call->file, call->bytes_request);
    if (!io)
        return NULL;
    record_begin(call, io->matching_id, io->bytes_request, call->has_offset, call->offset);
    mpiot_event_io_issued(call->thread->location, now, io->handle, io->matching_id);
    return io;
}

void mpiot_start_end(struct mpiot_call *call, int rc, const MPI_Request *request)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    if (rc == MPI_SUCCESS && call->file) {
        struct mpiot_io *io = record_start(call, now);
        if (io && *request != MPI_REQUEST_NULL)
            mpiot_io_set_request(io, *request);
    }
    mpiot_call_close_region(call, now, rc);
}

void mpiot_split_start_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset,
                             MPI_Count count, MPI_Datatype datatype)
{
    mpiot_start_begin(call, fh, offset, count, datatype);
}

void mpiot_split_start_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    if (rc == MPI_SUCCESS && call->file)
        call->file->split = record_start(call, now);
    mpiot_call_close_region(call, now, rc);
}

void mpiot_split_finish_begin(struct mpiot_call *call, MPI_File fh)
{
    if (!mpiot_call_admit(call))
        return;
    call->file = mpiot_file_find(call->thread, fh);
    call->io = call->file ? call->file->split : NULL;
    /* While paused only what began before is still recorded. */
    if ((call->file && !call->file->handle) || (mpiot_session_is_paused() && !call->io)) {
        mpiot_call_dismiss(call);
        return;
    }
    mpiot_call_open_region(call, true);
    errno = call->saved_errno;
}

void mpiot_split_finish_end(struct mpiot_call *call, int rc, const MPI_Status *status)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    if (call->io) {
        if (rc == MPI_SUCCESS)
            mpiot_io_record_complete(call->thread, call->io, now, status);
        else
            mpiot_io_record_failure(call->thread, call->io, now, rc);
        call->file->split = NULL;
        mpiot_io_end(call->thread, call->io);
    }
    mpiot_call_close_region(call, now, rc);
}
