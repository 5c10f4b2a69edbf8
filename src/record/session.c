/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/session.h"

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "common/config.h"
#include "common/log.h"
#include "record/communicator.h"
#include "record/file.h"
#include "record/io.h"
#include "record/thread.h"
#include "trace/clock.h"
#include "trace/comm.h"
#include "trace/events.h"
#include "trace/rollcall.h"
#include "trace/trace.h"

enum phase {
    PHASE_IDLE,     /**< not started */
    PHASE_STARTING, /**< by one thread; others pass through meanwhile */
    PHASE_RUNNING,
    PHASE_OVER, /**< ended, failed to start, or a forked child */
};

static struct {
    _Atomic int phase;
    _Atomic bool paused;
    bool joint;
} state;

/** A child shares no buffer with its parent (trace/buffer.c), and must write no file of its. */
static void forked(void)
{
    atomic_store(&state.phase, PHASE_OVER);
    atomic_store(&mpiot_trace_state, MPIOT_TRACE_OFF);
}

/** A file that the program has never closed. */
static void end_file(struct mpiot_file *file, void *argument)
{
    struct mpiot_thread *thread = argument;
    uint64_t now = mpiot_clock_read(&thread->clock);

    if (!file->handle)
        return;
    mpiot_io_end_all(thread, file, now);
    mpiot_event_io_destroy_handle(thread->location, now, file->handle->reference);
}

/**
 * Runs inside MPI_Finalize. MPI deletes attributes of MPI_COMM_SELF before anything else and in
 * reverse order of their setting (MPI-4.1, 11.2.4); ours was the first set, so that libraries which
 * close their files there (HDF5 does) have done so.
 */
static int end(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    int saved_errno = errno;
    (void)comm, (void)keyval, (void)attribute, (void)extra;

    if (atomic_load(&state.phase) != PHASE_RUNNING)
        return MPI_SUCCESS;
    struct mpiot_thread *thread = mpiot_thread_self();
    if (thread)
        mpiot_files_visit(end_file, thread);
    atomic_store(&state.phase, PHASE_OVER);
    mpiot_trace_end();
    mpiot_comm_leave();
    mpiot_rollcall_end();
    state.joint = false;
    errno = saved_errno;
    return MPI_SUCCESS;
}

static void arrange_end(void)
{
    int keyval;

    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    PMPI_Comm_free_keyval(&keyval); /* lasts until the attribute is deleted */
}

/** In MPICH, programs other than the first of a job know that it has several. */
static bool is_later_program(void)
{
    int *number, known;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &known);
    return known && *number > 0;
}

/** Whether all ranks of MPI_COMM_WORLD trace into one archive; makes the tool's communicator. */
static bool join(bool may_communicate)
{
    enum mpiot_archive_mode mode = mpiot_config()->archive;
    bool first;

    if (!may_communicate || mode == MPIOT_ARCHIVE_RANK)
        return false;
    /* In a job of several programs some may not be traced, and would be waited for. */
    if (mode == MPIOT_ARCHIVE_AUTO && mpiot_config()->app_contexts > 1)
        return false;
    int error = mpiot_comm_join(mode == MPIOT_ARCHIVE_JOB || !is_later_program(), &first);
    if (error && error != -ECANCELED && first)
        mpiot_log_error("%s: each traced rank writes its own archive",
                        error == -ETIMEDOUT
                            ? "not all ranks load mpiotrace (is LD_PRELOAD passed on to all nodes?)"
                        : error == -ENOTSUP
                            ? "without MPI's name service nobody knows whether all ranks load "
                              "mpiotrace (MPIOTRACE_ARCHIVE=job says that they do)"
                            : "no communicator for the tracer");
    return error == 0;
}

static bool start(bool may_communicate)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    struct mpiot_trace_identity identity = {.mpi_library = version};
    int length;

    PMPI_Comm_rank(MPI_COMM_WORLD, &identity.world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &identity.world_size);
    mpiot_log_set_rank(identity.world_rank);
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';

    state.joint = identity.joint = join(may_communicate);
    mpiot_files_start();
    mpiot_ios_start();
    if (mpiot_trace_start(&identity) != 0) {
        mpiot_comm_leave();
        state.joint = false;
        return false;
    }
    state.joint = mpiot_trace_is_joint();
    mpiot_communicators_start(state.joint);
    pthread_atfork(NULL, NULL, forked);
    arrange_end();
    return true;
}

/** One thread starts; false: another does or has, or it failed. */
static bool start_once(bool may_communicate)
{
    int expected = PHASE_IDLE;

    if (mpiot_config()->disable ||
        !atomic_compare_exchange_strong(&state.phase, &expected, PHASE_STARTING))
        return false;
    bool started = start(may_communicate);
    atomic_store(&state.phase, started ? PHASE_RUNNING : PHASE_OVER);
    if (started)
        mpiot_thread_self();
    return started;
}

void mpiot_session_start(void)
{
    int saved_errno = errno;
    start_once(true);
    errno = saved_errno;
}

bool mpiot_session_start_late(void)
{
    int initialized = 0, finalized = 0;

    if (atomic_load_explicit(&state.phase, memory_order_relaxed) != PHASE_IDLE)
        return false;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (!initialized || finalized || !start_once(false))
        return false;
    mpiot_log_error("MPI_Init did not come through mpiotrace: this rank writes its own archive");
    return true;
}

void mpiot_session_pause(void)
{
    atomic_store(&state.paused, true);
    mpiot_trace_mark(MPIOT_MARK_PAUSED);
}

void mpiot_session_resume(void)
{
    atomic_store(&state.paused, false);
}

bool mpiot_session_is_paused(void)
{
    return atomic_load_explicit(&state.paused, memory_order_relaxed);
}

bool mpiot_session_is_joint(void)
{
    return state.joint;
}
