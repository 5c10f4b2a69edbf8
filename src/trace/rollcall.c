/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/rollcall.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/config.h"

enum {
    FANOUT = 32,
    /* MPI_Init synchronises in practice: what is waited for is the scheduling of late ranks. */
    TIMEOUT_SECONDS = 15,
    /* Receives may stay posted while the program runs: a tag that no program thinks of. */
    TAG_BELOW_LAST = 24611,
};

/** Seconds between looks at messages, and at names, which a server of the whole job answers. */
static const double first_pause = 20e-6, last_pause = 5e-3;
static const double first_interval = 1e-3, last_interval = 2;

static struct {
    int rank, size, tag;
    int child_count;
    bool published;
    MPI_Request reports[FANOUT]; /**< of the children */
    MPI_Request answer;          /**< the parent's */
} roll = {.answer = MPI_REQUEST_NULL};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/** Names are the job's, not the world's: a spawned world must not find its parents'. */
static const char *name_of(const char *what, int rank, char name[256])
{
    const char *job = mpiot_config()->job_id;
    snprintf(name, 256, "mpiotrace/%s/%s/%d", job ? job : "", what, rank);
    return name;
}

static int publish(const char *name)
{
    char value[16];
    snprintf(value, sizeof value, "%d", roll.rank);
    return PMPI_Publish_name(name, MPI_INFO_NULL, value) == MPI_SUCCESS ? 0 : -ENOTSUP;
}

static void unpublish(const char *name)
{
    PMPI_Unpublish_name(name, MPI_INFO_NULL, "");
}

/** The rank that published `name`; -ENOENT: nobody has. */
static int look_up(const char *name, int *rank)
{
    char value[MPI_MAX_PORT_NAME];
    int class = MPI_SUCCESS;
    int rc = PMPI_Lookup_name(name, MPI_INFO_NULL, value);

    if (rc != MPI_SUCCESS) {
        PMPI_Error_class(rc, &class);
        return class == MPI_ERR_NAME ? -ENOENT : -ENOTSUP;
    }
    *rank = atoi(value);
    return 0;
}

static int parent(void)
{
    return (roll.rank - 1) / FANOUT;
}

static int child(int i)
{
    return roll.rank * FANOUT + 1 + i;
}

/** Posts all receives; a rank with children can then be found. */
static int attend(void)
{
    char name[256];

    if (roll.rank > 0 && PMPI_Irecv(NULL, 0, MPI_BYTE, parent(), roll.tag, MPI_COMM_WORLD,
                                    &roll.answer) != MPI_SUCCESS)
        return -EIO;
    for (; roll.child_count < FANOUT && child(roll.child_count) < roll.size; roll.child_count++)
        if (PMPI_Irecv(NULL, 0, MPI_BYTE, child(roll.child_count), roll.tag, MPI_COMM_WORLD,
                       &roll.reports[roll.child_count]) != MPI_SUCCESS)
            return -EIO;
    if (roll.child_count == 0)
        return 0;
    roll.published = true;
    return publish(name_of("here", roll.rank, name));
}

/**
 * Tells the others not to wait; `*first` if nobody had before. Names may be published twice (Open
 * MPI) or not (MPICH): whoever is found under the name was first.
 */
static void give_up(bool *first)
{
    char name[256];
    int rank;

    name_of("alone", 0, name);
    *first = look_up(name, &rank) != 0;
    if (!*first)
        return;
    publish(name);
    *first = roll.rank == (look_up(name, &rank) == 0 ? rank : 0);
}

/** Rank 0 has said "all": tells the subtree. */
static int pass_on(void)
{
    MPI_Request sends[FANOUT];
    MPI_Status statuses[FANOUT];

    for (int i = 0; i < roll.child_count; i++)
        if (PMPI_Isend(NULL, 0, MPI_BYTE, child(i), roll.tag, MPI_COMM_WORLD, &sends[i]) !=
            MPI_SUCCESS)
            return -EIO;
    return PMPI_Waitall(roll.child_count, sends, statuses) == MPI_SUCCESS ? 0 : -EIO;
}

/** What a rank knows while it waits. */
struct progress {
    int complete;       /**< all children have reported */
    bool reported;      /**< this rank has, to its parent */
    int all;            /**< rank 0's word is here */
    double next_lookup; /**< when to ask the name service next */
    double interval;    /**< and how long to leave it in peace then */
};

/** Reports to the parent as soon as it is found; asks meanwhile whether somebody has given up. */
static int ask(struct progress *progress)
{
    char name[256];
    int rank, error;

    progress->next_lookup = seconds() + progress->interval;
    if (progress->interval < last_interval)
        progress->interval *= 2;

    if (progress->complete && !progress->reported) {
        error = look_up(name_of("here", parent(), name), &rank);
        if (!error) {
            /* Does not block: the receive has been posted. */
            progress->reported = true;
            int rc = PMPI_Send(NULL, 0, MPI_BYTE, parent(), roll.tag, MPI_COMM_WORLD);
            return rc == MPI_SUCCESS ? 0 : -EIO;
        }
        if (error != -ENOENT)
            return error;
    }
    error = look_up(name_of("alone", 0, name), &rank);
    return error == -ENOENT ? 0 : error ? error : -ETIMEDOUT;
}

static int wait_for_all(void)
{
    double now = seconds(), deadline = now + TIMEOUT_SECONDS, pause = first_pause;
    MPI_Status statuses[FANOUT];
    struct progress progress = {.next_lookup = now + first_interval, .interval = first_interval};

    for (;; now = seconds()) {
        if (!progress.complete) {
            PMPI_Testall(roll.child_count, roll.reports, &progress.complete, statuses);
            if (progress.complete)
                progress.next_lookup = now;
        }
        if (progress.reported)
            PMPI_Test(&roll.answer, &progress.all, MPI_STATUS_IGNORE);
        if (progress.all || (progress.complete && roll.rank == 0))
            return 0;
        int error = now >= progress.next_lookup ? ask(&progress) : 0;
        if (error)
            return error;
        if (!progress.reported && now > deadline)
            return -ETIMEDOUT;
        nanosleep(&(struct timespec){.tv_nsec = pause * 1e9}, NULL);
        if (pause < last_pause)
            pause *= 2;
    }
}

/** Names that are not there raise errors, of whichever of the two the MPI library thinks right. */
static void silence(MPI_Comm comm, MPI_Errhandler *handler)
{
    PMPI_Comm_get_errhandler(comm, handler);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

static void unsilence(MPI_Comm comm, MPI_Errhandler *handler)
{
    PMPI_Comm_set_errhandler(comm, *handler);
    PMPI_Errhandler_free(handler);
}

static int call_roll(bool willing, bool *first)
{
    char name[256];
    int error = willing ? attend() : -ECANCELED;

    if (!error)
        error = wait_for_all();
    if (!error)
        error = pass_on();
    if (error)
        give_up(first);
    if (roll.published)
        unpublish(name_of("here", roll.rank, name));
    return error;
}

static void take_back(MPI_Request *receive)
{
    if (*receive == MPI_REQUEST_NULL)
        return;
    PMPI_Cancel(receive);
    PMPI_Wait(receive, MPI_STATUS_IGNORE);
}

int mpiot_rollcall(bool willing, bool *first)
{
    MPI_Errhandler of_world, of_self;
    int *tag_ub, known;

    PMPI_Comm_rank(MPI_COMM_WORLD, &roll.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &roll.size);
    *first = roll.rank == 0;
    if (!mpiot_config()->name_service)
        return -ENOTSUP;
    for (int i = 0; i < FANOUT; i++)
        roll.reports[i] = MPI_REQUEST_NULL;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &known);
    roll.tag = (known ? *tag_ub : 32767) - TAG_BELOW_LAST;

    silence(MPI_COMM_WORLD, &of_world);
    silence(MPI_COMM_SELF, &of_self);
    int error = call_roll(willing, first);
    unsilence(MPI_COMM_SELF, &of_self);
    unsilence(MPI_COMM_WORLD, &of_world);
    return error;
}

void mpiot_rollcall_end(void)
{
    take_back(&roll.answer);
    for (int i = 0; i < roll.child_count; i++)
        take_back(&roll.reports[i]);
}
