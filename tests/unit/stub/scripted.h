/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An MPI layer that says about non-blocking I/O what a test wants it to say, for what neither Open
 * MPI nor MPICH do: cancelled I/O requests, operations that fail after they have started, tests
 * that fail for sure.
 *
 * The program defines the PMPI_ procedures itself, so that the tracer's wrappers call these and not
 * the MPI library's (link with -rdynamic). Only requests that PMPI_File_iwrite_at below has made
 * are scripted; all others, the tracer's own among them, go to the MPI library.
 */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "../../trace/testing.h"

enum { SLOTS = 64 };

/** What becomes of a request. */
static struct slot {
    int done;
    int rc;          /**< MPI_SUCCESS, or the error it ends with */
    MPI_Count bytes; /**< in its status */
    int cancelled;   /**< the flag in its status: whatever the test wants */
} slots[SLOTS];
static int started;

static MPI_Request request_of(int slot)
{
#ifdef OPEN_MPI
    return (MPI_Request)&slots[slot];
#else
    return 0x7e000000 + slot;
#endif
}

/** The slot of a scripted request, NULL for any other. */
static struct slot *slot_of(MPI_Request request)
{
    for (int i = 0; i < started; i++)
        if (request == request_of(i))
            return &slots[i];
    return NULL;
}

/** Scripts: the request completes with `bytes`, fails with `rc`, or completes as cancelled. */
static inline void completes(MPI_Request request, MPI_Count bytes)
{
    *slot_of(request) = (struct slot){.done = 1, .bytes = bytes};
}

static inline void fails(MPI_Request request, int rc)
{
    *slot_of(request) = (struct slot){.done = 1, .rc = rc, .bytes = 0x123456789abc};
}

static inline void completes_cancelled(MPI_Request request, int flag)
{
    *slot_of(request) = (struct slot){.done = 1, .cancelled = flag};
}

/** A write of `bytes` bytes that is pending until the test says otherwise. */
static inline MPI_Request start(MPI_File fh, int bytes)
{
    static char data[64];
    MPI_Request request;
    MUST(MPI_File_iwrite_at(fh, 0, data, bytes, MPI_BYTE, &request));
    return request;
}

static MPI_Status *const NOWHERE = MPI_STATUS_IGNORE;

static void fill(const struct slot *slot, MPI_Status *status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    PMPI_Status_set_elements_x(status, MPI_BYTE, slot->bytes);
    PMPI_Status_set_cancelled(status, slot->cancelled);
}

static int finish(MPI_Request *request, MPI_Status *status)
{
    struct slot *slot = slot_of(*request);
    fill(slot, status);
    *request = MPI_REQUEST_NULL;
    return slot->rc;
}

/** What the MPI library does with requests that are not scripted. */
#define LIBRARY(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                        MPI_Datatype datatype, MPI_Request *request)
{
    (void)fh, (void)offset, (void)buf, (void)count, (void)datatype;
    REQUIRE(started < SLOTS);
    *request = request_of(started++);
    return MPI_SUCCESS;
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return slot_of(*request) ? finish(request, status) : LIBRARY(PMPI_Wait)(request, status);
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct slot *slot = slot_of(*request);
    if (!slot)
        return LIBRARY(PMPI_Test)(request, flag, status);
    *flag = slot->done;
    return *flag ? finish(request, status) : MPI_SUCCESS;
}

int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct slot *slot = slot_of(request);
    if (!slot)
        return LIBRARY(PMPI_Request_get_status)(request, flag, status);
    *flag = slot->done;
    if (*flag)
        fill(slot, status);
    return MPI_SUCCESS;
}

int PMPI_Cancel(MPI_Request *request)
{
    return slot_of(*request) ? MPI_SUCCESS : LIBRARY(PMPI_Cancel)(request);
}

int PMPI_Request_free(MPI_Request *request)
{
    if (!slot_of(*request))
        return LIBRARY(PMPI_Request_free)(request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/** Waits for all that are done; MPI_ERR_IN_STATUS if one failed, with an error in each status. */
int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    int failed = 0;
    for (int i = 0; i < count; i++)
        failed |= slot_of(requests[i]) && slot_of(requests[i])->rc != MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        MPI_Status *status = statuses == MPI_STATUSES_IGNORE ? NOWHERE : &statuses[i];
        struct slot *slot = slot_of(requests[i]);
        int rc = MPI_ERR_PENDING;
        if (!slot || slot->done)
            rc = PMPI_Wait(&requests[i], status);
        if (failed && status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = rc;
    }
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int PMPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    *flag = 1;
    for (int i = 0; i < count; i++)
        *flag &= !slot_of(requests[i]) || slot_of(requests[i])->done;
    return *flag ? PMPI_Waitall(count, requests, statuses) : MPI_SUCCESS;
}

int PMPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    *index = MPI_UNDEFINED;
    *flag = 0;
    for (int i = 0; i < count; i++) {
        struct slot *slot = slot_of(requests[i]);
        if (slot && slot->done) {
            *index = i;
            *flag = 1;
            return finish(&requests[i], status);
        }
    }
    return MPI_SUCCESS;
}

int PMPI_Testsome(int count, MPI_Request requests[], int *outcount, int indices[],
                  MPI_Status statuses[])
{
    int failed = 0;
    *outcount = 0;
    for (int i = 0; i < count; i++) {
        struct slot *slot = slot_of(requests[i]);
        if (!slot || !slot->done)
            continue;
        MPI_Status *status =
            statuses == MPI_STATUSES_IGNORE ? NOWHERE : &statuses[*outcount];
        int rc = finish(&requests[i], status);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = rc;
        failed |= rc != MPI_SUCCESS;
        indices[(*outcount)++] = i;
    }
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

#endif
