/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion calls: MPI-4.1, 3.7.3 to 3.7.6 and 3.8.4, as far as they concern I/O requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/config.h"
#include "record/io.h"
#include "record/thread.h"
#include "trace/events.h"

/** What a completion call says of one of its I/O requests. */
enum outcome {
    OUTCOME_PENDING,   /**< nothing, or that it is not complete */
    OUTCOME_COMPLETED,
    OUTCOME_FAILED,
};

/** Collects the I/O requests among those passed into the thread's scratch. */
static bool find_requests(struct mpiot_call *call, int count, const MPI_Request *requests)
{
    struct mpiot_thread *thread = call->thread;

    for (int i = 0; i < count; i++) {
        struct mpiot_io *io = requests[i] == MPI_REQUEST_NULL ? NULL : mpiot_io_find(requests[i]);
        if (!io)
            continue;
        if (!mpiot_thread_reserve_found(thread, call->found + 1))
            return false;
        thread->found[thread->found_count + call->found++] =
            (struct mpiot_found){.io = io, .index = i};
    }
    return call->found > 0;
}

void mpiot_complete_begin(struct mpiot_call *call, int count, const MPI_Request *requests)
{
    if (!mpiot_call_admit(call))
        return;
    if (!requests || !find_requests(call, count, requests)) {
        mpiot_call_dismiss(call);
        return;
    }
    /* Most tests leave no record: their region is entered once it is known that this one does. */
    if (mpiot_call_open_region(call, mpiot_operations[call->op].waits))
        call->thread->found_count += call->found;
    errno = call->saved_errno;
}

MPI_Status *mpiot_statuses(struct mpiot_call *call, int count, MPI_Status *statuses)
{
    if (!call->thread || statuses != MPI_STATUSES_IGNORE)
        return statuses;
    struct mpiot_thread *thread = call->thread;
    if (count > thread->status_capacity) {
        MPI_Status *grown = realloc(thread->statuses, count * sizeof *grown);
        if (!grown)
            return statuses;
        thread->statuses = grown;
        thread->status_capacity = count;
    }
    memset(thread->statuses, 0, count * sizeof *thread->statuses);
    return thread->statuses;
}

/** A request seen to be incomplete: only the first time is an event by default. */
static void record_test(struct mpiot_call *call, struct mpiot_io *io, uint64_t now)
{
    if (io->completed)
        return;
    if (io->tests++ > 0 && !mpiot_config()->test_events_all)
        return;
    mpiot_call_enter(call);
    mpiot_event_io_test(call->thread->location, now, io->handle, io->matching_id);
}

/** A request seen to be complete: an event unless Request_get_status has seen it before. */
static void record_completion(struct mpiot_call *call, struct mpiot_io *io, uint64_t now,
                              enum outcome outcome, int rc, const MPI_Status *status)
{
    mpiot_call_enter(call);
    if (!io->completed && outcome == OUTCOME_COMPLETED)
        mpiot_io_record_complete(call->thread, io, now, status);
    else if (!io->completed)
        mpiot_io_record_failure(call->thread, io, now, rc);
    if (mpiot_operations[call->op].keeps)
        io->completed = true;
    else
        mpiot_io_end(call->thread, io);
}

/** The requests found by this call. */
static struct mpiot_found *found_of(const struct mpiot_call *call)
{
    return call->thread->found + mpiot_call_frame(call)->scratch;
}

static bool is_in_status(int rc)
{
    int class = MPI_SUCCESS;
    return rc != MPI_SUCCESS && PMPI_Error_class(rc, &class) == MPI_SUCCESS &&
           class == MPI_ERR_IN_STATUS;
}

/**
 * Outcome for a request that the call says is done. `error` becomes the request's own error: the
 * status has it where a call on many requests failed for some (MPI-4.1, 3.7.5); a call on one
 * returns it, and has freed the request unless it did not even look at it.
 */
static enum outcome outcome_of(int rc, const MPI_Request *request, const MPI_Status *status,
                               int *error)
{
    if (rc == MPI_SUCCESS)
        return OUTCOME_COMPLETED;
    if (is_in_status(rc)) {
        int class = MPI_SUCCESS;
        *error = status->MPI_ERROR;
        PMPI_Error_class(*error, &class);
        return class == MPI_SUCCESS       ? OUTCOME_COMPLETED
               : class == MPI_ERR_PENDING ? OUTCOME_PENDING
                                          : OUTCOME_FAILED;
    }
    *error = rc;
    return *request == MPI_REQUEST_NULL ? OUTCOME_FAILED : OUTCOME_PENDING;
}

/** A call that failed is a region, though it has said nothing of its I/O requests. */
static void close_region(struct mpiot_call *call, uint64_t now, int rc)
{
    if (rc != MPI_SUCCESS)
        mpiot_call_enter(call);
    mpiot_call_close_region(call, now, rc);
}

void mpiot_complete_all_end(struct mpiot_call *call, int rc, int flag, const MPI_Request *requests,
                            const MPI_Status *statuses)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    const struct mpiot_found *found = found_of(call);

    for (int i = 0; i < call->found; i++) {
        int index = found[i].index, error = MPI_SUCCESS;
        enum outcome outcome =
            flag || rc != MPI_SUCCESS
                ? outcome_of(rc, &requests[index], &statuses[index], &error)
                : OUTCOME_PENDING;
        if (outcome != OUTCOME_PENDING)
            record_completion(call, found[i].io, now, outcome, error, &statuses[index]);
        else if (rc == MPI_SUCCESS)
            record_test(call, found[i].io, now);
    }
    close_region(call, now, rc);
}

/** Position of a request in the index array of a call, or -1. */
static int position_of(int index, int outcount, const int *indices)
{
    for (int k = 0; k < outcount; k++)
        if (indices[k] == index)
            return k;
    return -1;
}

void mpiot_complete_some_end(struct mpiot_call *call, int rc, int outcount, const int *indices,
                             const MPI_Request *requests, const MPI_Status *statuses)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    const struct mpiot_found *found = found_of(call);
    /* Any other error may have left outcount and indices as they were: not even set. */
    bool is_told = rc == MPI_SUCCESS || is_in_status(rc);

    for (int i = 0; i < call->found; i++) {
        int error = MPI_SUCCESS;
        int k = is_told ? position_of(found[i].index, outcount, indices) : 0;
        enum outcome outcome =
            k < 0 ? OUTCOME_PENDING
                  : outcome_of(rc, &requests[found[i].index], &statuses[k], &error);
        if (outcome != OUTCOME_PENDING)
            record_completion(call, found[i].io, now, outcome, error, &statuses[k]);
        else if (rc == MPI_SUCCESS && !mpiot_operations[call->op].waits)
            record_test(call, found[i].io, now);
    }
    close_region(call, now, rc);
}

/** Opens the region of a call on one request, if it is an I/O request. */
static void begin_on_request(struct mpiot_call *call, MPI_Request request)
{
    if (!mpiot_call_admit(call))
        return;
    call->io = request == MPI_REQUEST_NULL ? NULL : mpiot_io_find(request);
    if (!call->io) {
        mpiot_call_dismiss(call);
        return;
    }
    mpiot_call_open_region(call, true);
    errno = call->saved_errno;
}

void mpiot_request_free_begin(struct mpiot_call *call, MPI_Request request)
{
    begin_on_request(call, request);
}

void mpiot_request_free_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    /* The operation goes on; that it ends is seen by nobody any more. */
    if (rc == MPI_SUCCESS && call->io->completed)
        mpiot_io_end(call->thread, call->io);
    else if (rc == MPI_SUCCESS)
        mpiot_io_drop_request(call->io);
    mpiot_call_close_region(call, now, rc);
}

void mpiot_cancel_begin(struct mpiot_call *call, MPI_Request request)
{
    begin_on_request(call, request);
}

void mpiot_cancel_end(struct mpiot_call *call, int rc)
{
    uint64_t now = mpiot_call_return(call);
    if (!now)
        return;
    if (rc == MPI_SUCCESS)
        call->io->cancel_requested = true;
    mpiot_call_close_region(call, now, rc);
}
