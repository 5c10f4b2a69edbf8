/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The recorder: what one MPI call means.
 *
 * A wrapper, in whatever language, does four things: it describes its call, tells the recorder
 * before the MPI library runs, calls the MPI library, and tells the recorder the outcome:
 *
 *     struct mpiot_call call;
 *     mpiot_call_init(&call, MPIOT_OP_FILE_WRITE_AT);
 *     mpiot_transfer_begin(&call, fh, offset, count, datatype);
 *     status = mpiot_status(&call, status);
 *     int rc = PMPI_File_write_at(fh, offset, buf, count, datatype, status);
 *     mpiot_transfer_end(&call, rc, status);
 *     return rc;
 *
 * Contract of all functions here:
 *  - handles are C handles; a Fortran wrapper converts what it passes here and nothing else;
 *  - any thread may call; a begin and its end run on the same thread; begins and ends nest;
 *  - nothing is returned that the wrapper must check: a call that is not recorded (tracing off,
 *    path excluded, ...) has call.thread == NULL after its begin, and its end does nothing;
 *  - errno is as the caller left it after a begin, and as the MPI library left it after an end;
 *  - only PMPI_ names are called, never with a tool lock held;
 *  - arguments are those the caller passed, also where they are wrong: they are validated by the
 *    MPI library, and looked at here only as far as that is safe;
 *  - `rc` is the MPI error code that the procedure returned.
 */
#ifndef MPIOT_RECORD_RECORD_H
#define MPIOT_RECORD_RECORD_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/forward.h"
#include "record/operation.h"

struct mpiot_thread;
struct mpiot_file;
struct mpiot_io;

/** One call in progress; lives in the wrapper's frame. Fields are the recorder's own. */
struct mpiot_call {
    struct mpiot_thread *thread; /**< who records; NULL: this call is not recorded */
    const void *frame;           /**< stack address of the wrapper: tells abandoned calls apart */
    const void *return_address;  /**< in the caller of the MPI procedure */
    enum mpiot_op op;
    int saved_errno;
    unsigned depth;          /**< of the call's region on the thread's stack of open ones */
    uint64_t time;           /**< clock ticks before the call */
    struct mpiot_file *file; /**< the open file the call is on, or NULL */
    struct mpiot_io *io;     /**< the operation that a split end, cancel or free concerns */
    uint64_t bytes_request;  /**< data access */
    bool has_offset;         /**< i-calls and split begins: `offset` is known */
    uint64_t offset;         /**< absolute byte where the operation starts */
    const char *filename;    /**< open and delete: as passed */
    bool excluded;           /**< open: not recorded because of its path */
    bool forwarded;          /**< the inner C call of a Fortran call */
    char *path;              /**< delete: the file it names; malloc'ed */
    MPI_Comm comm;           /**< open */
    int amode;               /**< open */
    int found;               /**< completion calls: number of I/O requests among those passed */
    MPI_Status own_status;   /**< stands in for an ignored one */
    struct mpiot_announcement outer; /**< Fortran: the announcement that this one hides */
};

/**
 * Describes a call of `op`; inlined into the wrapper, whose frame it looks at. Field by field, and
 * not those that are set before they are read: clearing the whole would cost 10 ns a call.
 */
static inline __attribute__((always_inline)) void mpiot_call_init(struct mpiot_call *call,
                                                                  enum mpiot_op op)
{
    call->thread = NULL;
    call->frame = __builtin_frame_address(0);
    call->return_address = __builtin_return_address(0);
    call->op = op;
    call->file = NULL;
    call->io = NULL;
    call->bytes_request = 0;
    call->has_offset = false;
    call->filename = NULL;
    call->excluded = false;
    call->forwarded = false;
    call->path = NULL;
    call->found = 0;
}

/* Calls that are recorded as a region and nothing else. `fh` may be MPI_FILE_NULL. */
void mpiot_region_begin(struct mpiot_call *call, MPI_File fh);
void mpiot_region_end(struct mpiot_call *call, int rc);

/* MPI-4.1, 14.2.1 to 14.2.3. `filename` is terminated; a Fortran name has been trimmed. */
void mpiot_open_begin(struct mpiot_call *call, MPI_Comm comm, const char *filename, int amode);
void mpiot_open_end(struct mpiot_call *call, int rc, MPI_File fh);
void mpiot_close_begin(struct mpiot_call *call, MPI_File fh);
void mpiot_close_end(struct mpiot_call *call, int rc);
void mpiot_delete_begin(struct mpiot_call *call, const char *filename);
void mpiot_delete_end(struct mpiot_call *call, int rc);

/* MPI-4.1, 14.4.3 and 14.4.4; begun with mpiot_region_begin. */
void mpiot_seek_end(struct mpiot_call *call, int rc, MPI_Offset offset, int whence);

/* MPI-4.1, 14.3; begun with mpiot_region_begin. `datarep` is terminated and trimmed. */
void mpiot_view_end(struct mpiot_call *call, int rc, MPI_Offset disp, MPI_Datatype etype,
                    MPI_Datatype filetype, const char *datarep);

/* Procedures whose one argument is an attribute of the leave; begun with mpiot_region_begin. */
void mpiot_setting_end(struct mpiot_call *call, int rc, int64_t value);
void mpiot_info_end(struct mpiot_call *call, int rc, MPI_Info info);

/* MPI-4.1, 14.6.1 */
void mpiot_sync_begin(struct mpiot_call *call, MPI_File fh);
void mpiot_sync_end(struct mpiot_call *call, int rc);

/* Blocking data access. `offset` in etypes, 0 where the procedure has none. */
void mpiot_transfer_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset, MPI_Count count,
                          MPI_Datatype datatype);
void mpiot_transfer_end(struct mpiot_call *call, int rc, const MPI_Status *status);

/* Non-blocking data access: `request` is what the procedure stored, read only if rc is success. */
void mpiot_start_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset, MPI_Count count,
                       MPI_Datatype datatype);
void mpiot_start_end(struct mpiot_call *call, int rc, const MPI_Request *request);

/* Split collectives (MPI-4.1, 14.4.5): the _begin procedure, then the _end procedure. */
void mpiot_split_start_begin(struct mpiot_call *call, MPI_File fh, MPI_Offset offset,
                             MPI_Count count, MPI_Datatype datatype);
void mpiot_split_start_end(struct mpiot_call *call, int rc);
void mpiot_split_finish_begin(struct mpiot_call *call, MPI_File fh);
void mpiot_split_finish_end(struct mpiot_call *call, int rc, const MPI_Status *status);

/**
 * Completion calls (MPI-4.1, 3.7.3 to 3.7.5). Recorded only if an I/O request is among `requests`.
 * mpiot_complete_begin reads `count` handles and keeps no pointer to them.
 */
void mpiot_complete_begin(struct mpiot_call *call, int count, const MPI_Request *requests);

/**
 * Wait, Test, Waitall, Testall, Request_get_status(_all): `flag` as returned (true for Wait*),
 * `requests` and `statuses` as they are after the call.
 */
void mpiot_complete_all_end(struct mpiot_call *call, int rc, int flag, const MPI_Request *requests,
                            const MPI_Status *statuses);

/**
 * Waitany, Testany, Waitsome, Testsome, Request_get_status_any/_some: `outcount` indices, counted
 * from 0, and `statuses` in the order of `indices`. For the *any calls: one index if one was
 * returned, else none. MPI_UNDEFINED as outcount is none. After an error other than
 * MPI_ERR_IN_STATUS neither outcount nor indices are read.
 */
void mpiot_complete_some_end(struct mpiot_call *call, int rc, int outcount, const int *indices,
                             const MPI_Request *requests, const MPI_Status *statuses);

void mpiot_request_free_begin(struct mpiot_call *call, MPI_Request request);
void mpiot_request_free_end(struct mpiot_call *call, int rc);
void mpiot_cancel_begin(struct mpiot_call *call, MPI_Request request);
void mpiot_cancel_end(struct mpiot_call *call, int rc);

/** Number of I/O requests begun and not yet seen to complete, in this process. */
extern _Atomic int mpiot_requests_pending;

/** Whether a completion call need look at its requests at all: one relaxed atomic load. */
static inline bool mpiot_request_is_pending(void)
{
    return atomic_load_explicit(&mpiot_requests_pending, memory_order_relaxed) != 0;
}

/**
 * The status to pass down: the caller's, or, where the caller ignores it and the call is recorded,
 * a zeroed one of our own (after a failure both MPI libraries leave garbage in it).
 */
static inline MPI_Status *mpiot_status(struct mpiot_call *call, MPI_Status *status)
{
    if (!call->thread || status != MPI_STATUS_IGNORE)
        return status;
    memset(&call->own_status, 0, sizeof call->own_status);
    return &call->own_status;
}

/** The same for an array of `count`; the memory is the thread's and lasts until the end. */
MPI_Status *mpiot_statuses(struct mpiot_call *call, int count, MPI_Status *statuses);

#endif
