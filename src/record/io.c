/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/io.h"

#include <stdlib.h>
#include <string.h>

#include "record/error.h"
#include "record/file.h"
#include "record/thread.h"
#include "trace/events.h"

_Atomic int mpiot_requests_pending;

static struct mpiot_handle_map requests;

/** MPICH's requests are integers, Open MPI's pointers. */
static uintptr_t key_of(MPI_Request request)
{
    return (uintptr_t)request;
}

void mpiot_ios_start(void)
{
    mpiot_handle_map_init(&requests);
}

static struct mpiot_io *allocate(struct mpiot_thread *thread)
{
    struct mpiot_io *io = thread->free_ios;

    if (!io)
        return calloc(1, sizeof *io);
    thread->free_ios = io->next;
    memset(io, 0, sizeof *io);
    return io;
}

struct mpiot_io *mpiot_io_begin(struct mpiot_thread *thread, struct mpiot_file *file,
                                uint64_t bytes_request)
{
    struct mpiot_io *io = allocate(thread);
    if (!io)
        return NULL;
    io->file = file;
    io->handle = file->handle->reference;
    io->matching_id =
        atomic_fetch_add_explicit(&file->handle->next_matching_id, 1, memory_order_relaxed);
    io->bytes_request = bytes_request;

    pthread_mutex_lock(&file->lock);
    io->next = file->operations;
    if (io->next)
        io->next->previous = io;
    file->operations = io;
    pthread_mutex_unlock(&file->lock);
    return io;
}

void mpiot_io_set_request(struct mpiot_io *io, MPI_Request request)
{
    io->has_request = true;
    mpiot_handle_map_add(&requests, &io->node, key_of(request));
    atomic_fetch_add_explicit(&mpiot_requests_pending, 1, memory_order_relaxed);
}

struct mpiot_io *mpiot_io_find(MPI_Request request)
{
    /* The node is the first member. */
    return (struct mpiot_io *)mpiot_handle_map_find(&requests, key_of(request));
}

void mpiot_io_drop_request(struct mpiot_io *io)
{
    if (!io->has_request)
        return;
    io->has_request = false;
    mpiot_handle_map_remove(&requests, &io->node);
    atomic_fetch_sub_explicit(&mpiot_requests_pending, 1, memory_order_relaxed);
}

bool mpiot_status_bytes(const MPI_Status *status, uint64_t bytes_request, uint64_t *bytes)
{
    MPI_Count elements = MPI_UNDEFINED;

    *bytes = 0;
    if (bytes_request == 0)
        return true;
    if (PMPI_Get_elements_x(status, MPI_BYTE, &elements) != MPI_SUCCESS || elements < 0 ||
        (uint64_t)elements > bytes_request)
        return false;
    *bytes = elements;
    return true;
}

static void record_end(struct mpiot_thread *thread, struct mpiot_io *io, uint64_t time,
                       uint64_t bytes)
{
    if (io->tests > 0)
        mpiot_event_attribute_uint64(thread->location, MPIOT_ATTRIBUTE_UNSUCCESSFUL_TESTS,
                                     io->tests);
    mpiot_event_io_complete(thread->location, time, io->handle, bytes, io->matching_id);
}

void mpiot_io_record_complete(struct mpiot_thread *thread, struct mpiot_io *io, uint64_t time,
                              const MPI_Status *status)
{
    uint64_t bytes;
    int cancelled = 0;

    /* Open MPI leaves garbage in the cancelled flag of I/O requests: only 1, and only if asked. */
    if (io->cancel_requested && PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS &&
        cancelled == 1) {
        mpiot_event_io_cancelled(thread->location, time, io->handle, io->matching_id);
        return;
    }
    if (!mpiot_status_bytes(status, io->bytes_request, &bytes))
        mpiot_event_attribute_uint64(thread->location, MPIOT_ATTRIBUTE_BYTES_UNKNOWN, 1);
    record_end(thread, io, time, bytes);
}

void mpiot_io_record_failure(struct mpiot_thread *thread, struct mpiot_io *io, uint64_t time,
                             int rc)
{
    mpiot_error_attributes(thread->location, rc);
    record_end(thread, io, time, 0);
}

void mpiot_io_end(struct mpiot_thread *thread, struct mpiot_io *io)
{
    struct mpiot_file *file = io->file;

    mpiot_io_drop_request(io);
    pthread_mutex_lock(&file->lock);
    if (io->previous)
        io->previous->next = io->next;
    else
        file->operations = io->next;
    if (io->next)
        io->next->previous = io->previous;
    pthread_mutex_unlock(&file->lock);

    io->next = thread->free_ios;
    thread->free_ios = io;
}

void mpiot_io_end_all(struct mpiot_thread *thread, struct mpiot_file *file, uint64_t time)
{
    /* The list has the newest first; records are easier to read in order of their beginning. */
    struct mpiot_io *io = file->operations;
    while (io && io->next)
        io = io->next;
    while (io) {
        struct mpiot_io *previous = io->previous;
        if (!io->completed) {
            mpiot_event_attribute_uint64(thread->location, MPIOT_ATTRIBUTE_NOT_OBSERVED, 1);
            record_end(thread, io, time, 0);
        }
        mpiot_io_end(thread, io);
        io = previous;
    }
    file->split = NULL;
}
