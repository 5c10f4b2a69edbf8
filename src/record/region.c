/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that move no data: regions, and what some of them leave behind. */
#include <errno.h>

#include "record/file.h"
#include "record/hints.h"
#include "record/session.h"
#include "record/thread.h"
#include "trace/events.h"

void mpiot_region_begin(struct mpiot_call *call, MPI_File fh)
{
    if (!mpiot_call_admit(call))
        return;
    call->file = mpiot_file_find(call->thread, fh);
    if (mpiot_session_is_paused() || (call->file && !call->file->handle)) {
        mpiot_call_dismiss(call);
        return;
    }
    mpiot_call_open_region(call, true);
    errno = call->saved_errno;
}

void mpiot_region_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);
    if (now)
        mpiot_call_close_region(call, now, rc);
}

static enum mpiot_io_seek seek_option(int whence)
{
    return whence == MPI_SEEK_SET   ? MPIOT_SEEK_FROM_START
           : whence == MPI_SEEK_CUR ? MPIOT_SEEK_FROM_CURRENT
                                    : MPIOT_SEEK_FROM_END;
}

/** The absolute byte that the pointer of a seek has after it. */
static bool pointer_byte(const struct mpiot_file *file, bool shared, uint64_t *byte)
{
    MPI_File fh = mpiot_file_fh(file);
    MPI_Offset position;

    if (!shared)
        return mpiot_view_position(file, fh, byte);
    return !file->sequential && PMPI_File_get_position_shared(fh, &position) == MPI_SUCCESS &&
           mpiot_view_byte(file, fh, position, byte);
}

static void record_seek(const struct mpiot_call *call, uint64_t now, MPI_Offset offset, int whence)
{
    const struct mpiot_file *file = call->file;
    bool shared = mpiot_operations[call->op].pointer == MPIOT_POINTER_SHARED;
    uint64_t byte = 0;
    int64_t request;

    if (whence == MPI_SEEK_SET) {
        if (!mpiot_view_byte(file, mpiot_file_fh(file), offset, &byte))
            return;
        request = (int64_t)byte;
    } else {
        if (!pointer_byte(file, shared, &byte))
            return;
        request = offset * file->view.etype_size;
    }
    mpiot_event_io_seek(call->thread->location, now, file->handle->reference, request,
                        seek_option(whence), byte);
}

void mpiot_seek_end(struct mpiot_call *call, int rc, MPI_Offset offset, int whence)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    if (rc == MPI_SUCCESS && call->file)
        record_seek(call, now, offset, whence);
    mpiot_call_close_region(call, now, rc);
}

static void record_view(const struct mpiot_call *call, uint64_t now, bool moves,
                        const char *datarep)
{
    struct mpiot_location *location = call->thread->location;
    const struct mpiot_view *view = &call->file->view;

    /* Open MPI takes negative displacements, which no IoSeek can express. */
    if (moves && view->disp >= 0)
        mpiot_event_io_seek(location, now, call->file->handle->reference, view->disp,
                            MPIOT_SEEK_FROM_START, view->disp);
    mpiot_event_attribute_int64(location, MPIOT_ATTRIBUTE_DISPLACEMENT, view->disp);
    mpiot_event_attribute_uint64(location, MPIOT_ATTRIBUTE_ETYPE_SIZE, view->etype_size);
    mpiot_event_attribute_uint64(location, MPIOT_ATTRIBUTE_FILETYPE_SIZE, view->filetype_size);
    mpiot_event_attribute_int64(location, MPIOT_ATTRIBUTE_FILETYPE_EXTENT, view->filetype_extent);
    mpiot_event_attribute_string(location, MPIOT_ATTRIBUTE_DATAREP, datarep);
}

void mpiot_view_end(struct mpiot_call *call, int rc, MPI_Offset disp, MPI_Datatype etype,
                    MPI_Datatype filetype, const char *datarep)
{
    uint64_t now = mpiot_call_return(call);
    bool recorded = now != 0;

    /* Also while paused: later offsets go through this view. */
    if (rc == MPI_SUCCESS && call->file)
        call->file->view = mpiot_view_make(disp, etype, filetype, datarep);
    if (recorded) {
        if (rc == MPI_SUCCESS && call->file)
            record_view(call, now, disp != MPI_DISPLACEMENT_CURRENT, datarep);
        mpiot_call_close_region(call, now, rc);
    }
    errno = call->saved_errno;
}

static enum mpiot_attribute setting_attribute(enum mpiot_op op)
{
    return op == MPIOT_OP_FILE_SET_ATOMICITY ? MPIOT_ATTRIBUTE_ATOMICITY : MPIOT_ATTRIBUTE_SIZE;
}

void mpiot_setting_end(struct mpiot_call *call, int rc, int64_t value)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    mpiot_event_attribute_int64(call->thread->location, setting_attribute(call->op), value);
    mpiot_call_close_region(call, now, rc);
}

void mpiot_info_end(struct mpiot_call *call, int rc, MPI_Info info)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    /* An info that the procedure has refused may be no info at all. */
    if (rc == MPI_SUCCESS)
        mpiot_hints_add_attributes(call->thread->location, info);
    mpiot_call_close_region(call, now, rc);
}
