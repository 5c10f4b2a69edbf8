/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "record/callpath.h"
#include "record/error.h"
#include "record/forward.h"
#include "record/io.h"
#include "record/session.h"
#include "trace/events.h"
#include "trace/trace.h"

enum { INITIAL_FRAMES = 8, INITIAL_FOUND = 64 };

_Thread_local struct mpiot_thread *mpiot_thread_known;
static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

/** Region of each operation, reference + 1; 0: not yet defined. */
static _Atomic uint32_t regions[MPIOT_OP_COUNT];

static void thread_release(void *pointer)
{
    struct mpiot_thread *thread = pointer;

    mpiot_thread_known = NULL;
    while (thread->free_ios) {
        struct mpiot_io *next = thread->free_ios->next;
        free(thread->free_ios);
        thread->free_ios = next;
    }
    mpiot_callpaths_release(thread->callpaths);
    free(thread->frames);
    free(thread->found);
    free(thread->statuses);
    free(thread);
}

static void make_exit_key(void)
{
    pthread_key_create(&exit_key, thread_release);
}

static struct mpiot_thread *thread_create(void)
{
    struct mpiot_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->cached_fh = MPI_FILE_NULL;
    thread->frames = malloc(INITIAL_FRAMES * sizeof *thread->frames);
    thread->found = malloc(INITIAL_FOUND * sizeof *thread->found);
    if (!thread->frames || !thread->found)
        goto release;
    thread->frame_capacity = INITIAL_FRAMES;
    thread->found_capacity = INITIAL_FOUND;
    mpiot_clock_begin(&thread->clock);
    thread->location = mpiot_location_create(mpiot_clock_read(&thread->clock));
    if (!thread->location)
        goto release;
    if (mpiot_trace_root_context() != MPIOT_UNDEFINED &&
        !(thread->callpaths = mpiot_callpaths_create()))
        goto release;
    pthread_once(&exit_key_once, make_exit_key);
    pthread_setspecific(exit_key, thread);
    return thread;

release:
    thread_release(thread);
    return NULL;
}

struct mpiot_thread *mpiot_thread_make(void)
{
    return mpiot_thread_known = thread_create();
}

bool mpiot_thread_reserve_found(struct mpiot_thread *thread, unsigned count)
{
    unsigned needed = thread->found_count + count, capacity = thread->found_capacity;

    if (needed <= capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    struct mpiot_found *grown = realloc(thread->found, capacity * sizeof *grown);
    if (!grown)
        return false;
    thread->found = grown;
    thread->found_capacity = capacity;
    return true;
}

/** The trace has not begun, is over, or is short of room. */
static __attribute__((noinline)) bool is_recorded_all_the_same(void)
{
    if (mpiot_trace_is_off())
        return mpiot_session_start_late();
    struct mpiot_thread *thread = mpiot_thread_self();
    return thread && mpiot_trace_admits(thread->location);
}

bool mpiot_call_admit(struct mpiot_call *call)
{
    call->saved_errno = errno;
    call->forwarded = mpiot_forward_consume(call);
    if (!call->forwarded &&
        (__builtin_expect(mpiot_trace_is_on(), 1) || is_recorded_all_the_same()))
        call->thread = mpiot_thread_self();
    if (call->thread)
        return true;
    mpiot_call_dismiss(call);
    return false;
}

void mpiot_call_dismiss(struct mpiot_call *call)
{
    call->thread = NULL;
    errno = call->saved_errno;
}

static uint32_t define_region(enum mpiot_op op)
{
    const struct mpiot_operation *operation = &mpiot_operations[op];
    bool moves_data = operation->shape == MPIOT_SHAPE_TRANSFER ||
                      operation->shape == MPIOT_SHAPE_SYNC ||
                      operation->shape == MPIOT_SHAPE_COMPLETE;
    uint32_t region = mpiot_define_region(
        operation->name, moves_data ? MPIOT_ROLE_FILE_IO : MPIOT_ROLE_FILE_IO_METADATA);
    atomic_store_explicit(&regions[op], region + 1, memory_order_relaxed);
    return region;
}

static inline uint32_t region_of(enum mpiot_op op)
{
    uint32_t known = atomic_load_explicit(&regions[op], memory_order_relaxed);
    return __builtin_expect(known != 0, 1) ? known - 1 : define_region(op);
}

/** Writes the Leave of an open region, if its Enter is written. */
static void leave(struct mpiot_thread *thread, const struct mpiot_frame *frame, uint64_t time)
{
    if (!thread->callpaths) {
        mpiot_event_leave(thread->location, time, region_of(frame->op));
    } else {
        mpiot_event_context_leave(thread->location, time, frame->path->context);
        mpiot_callpath_leave(thread->callpaths, frame->path);
    }
}

/** Ends the innermost region of a call that will never return. */
static void abandon_innermost(struct mpiot_thread *thread, uint64_t time)
{
    struct mpiot_frame *frame = &thread->frames[--thread->depth];

    thread->found_count = frame->scratch;
    if (frame->has_operation) {
        mpiot_event_attribute_uint64(thread->location, MPIOT_ATTRIBUTE_ABANDONED, 1);
        mpiot_event_io_complete(thread->location, time, frame->handle, 0, frame->matching_id);
    }
    if (frame->entered) {
        mpiot_event_attribute_uint64(thread->location, MPIOT_ATTRIBUTE_ABANDONED, 1);
        leave(thread, frame, time);
    }
}

/** Enters a region by its call path; the one around it, if any, has been entered. */
static void enter_path(struct mpiot_thread *thread, struct mpiot_frame *frame)
{
    struct mpiot_frame *outer = frame > thread->frames ? frame - 1 : NULL;
    struct mpiot_callpath_call call = {frame->return_address, frame->address,
                                       region_of(frame->op)};
    struct mpiot_callpath_call outer_call = {outer ? outer->return_address : NULL, NULL, 0};

    frame->path = mpiot_callpath_find(thread->callpaths, &call, outer ? &outer_call : NULL,
                                      outer ? outer->path : NULL);
    frame->entered = frame->path != NULL;
    if (frame->entered)
        mpiot_event_context_enter(thread->location, frame->time, frame->path->context,
                                  mpiot_callpath_enter(thread->callpaths, frame->path));
}

static void enter(struct mpiot_thread *thread, struct mpiot_frame *frame)
{
    if (frame->entered)
        return;
    if (thread->callpaths) {
        enter_path(thread, frame);
        return;
    }
    frame->entered = true;
    mpiot_event_enter(thread->location, frame->time, region_of(frame->op));
}

bool mpiot_call_open_region(struct mpiot_call *call, bool enter_now)
{
    struct mpiot_thread *thread = call->thread;

    call->time = mpiot_clock_read(&thread->clock);
    while (thread->depth > 0 &&
           (uintptr_t)call->frame >= (uintptr_t)thread->frames[thread->depth - 1].address)
        abandon_innermost(thread, call->time);
    for (unsigned i = 0; i < thread->depth; i++)
        enter(thread, &thread->frames[i]);

    if (thread->depth == thread->frame_capacity) {
        struct mpiot_frame *grown =
            realloc(thread->frames, 2 * thread->frame_capacity * sizeof *grown);
        if (!grown) {
            mpiot_call_dismiss(call);
            return false;
        }
        thread->frames = grown;
        thread->frame_capacity *= 2;
    }
    call->depth = thread->depth++;
    thread->frames[call->depth] = (struct mpiot_frame){.address = call->frame,
                                                       .op = call->op,
                                                       .time = call->time,
                                                       .scratch = thread->found_count,
                                                       .return_address = call->return_address};
    if (enter_now)
        enter(thread, &thread->frames[call->depth]);
    return true;
}

void mpiot_call_enter(struct mpiot_call *call)
{
    enter(call->thread, mpiot_call_frame(call));
}

uint64_t mpiot_call_return(struct mpiot_call *call)
{
    call->saved_errno = errno;
    if (!call->thread)
        return 0;
    uint64_t now = mpiot_clock_read(&call->thread->clock);
    while (call->thread->depth > call->depth + 1)
        abandon_innermost(call->thread, now);
    return now;
}

void mpiot_call_close_region(struct mpiot_call *call, uint64_t time, int rc)
{
    struct mpiot_thread *thread = call->thread;
    struct mpiot_frame *frame = mpiot_call_frame(call);

    if (frame->entered) {
        if (rc != MPI_SUCCESS)
            mpiot_error_attributes(thread->location, rc);
        leave(thread, frame, time);
    }
    thread->found_count = frame->scratch;
    thread->depth = call->depth;
    errno = call->saved_errno;
}
