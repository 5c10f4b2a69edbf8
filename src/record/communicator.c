/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/communicator.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "common/node.h"
#include "trace/definitions.h"

static struct {
    bool joint;
    int keyval;
    uint64_t random;          /**< of this process: first half of the identities it gives */
    _Atomic uint32_t counter; /**< second half */
} state = {.keyval = MPI_KEYVAL_INVALID};

static int release(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    struct mpiot_communicator *communicator = attribute;
    (void)comm, (void)keyval, (void)extra;

    if (communicator->compatriots != MPI_COMM_NULL)
        PMPI_Comm_free(&communicator->compatriots);
    free(communicator);
    return MPI_SUCCESS;
}

void mpiot_communicators_start(bool joint)
{
    state.joint = joint;
    if (getrandom(&state.random, sizeof state.random, 0) != sizeof state.random)
        state.random = (uintptr_t)&state ^ (uint64_t)time(NULL);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, release, &state.keyval, NULL);
}

/**
 * The tool's collectives run on the program's communicator, since only there their order with the
 * program's own is given; an error in them must still not reach the program's handler.
 */
static MPI_Errhandler silence(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(comm, &handler);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return handler;
}

static void unsilence(MPI_Comm comm, MPI_Errhandler handler)
{
    PMPI_Comm_set_errhandler(comm, handler);
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
}

/** World ranks of the members; members outside this world are left out, and `*outsiders` set. */
static int *world_ranks(MPI_Comm comm, int size, int *count, bool *outsiders)
{
    MPI_Group group, world;
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    if (!ranks)
        return NULL;

    int *translated = ranks + size;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, ranks, world, translated);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);

    *count = 0;
    for (int i = 0; i < size; i++)
        if (translated[i] != MPI_UNDEFINED)
            ranks[(*count)++] = translated[i];
    *outsiders = *count < size;
    return ranks;
}

/**
 * A communicator of those members that are of this world, all of which share its archive; members
 * of others may not be traced, and know nothing of the tool's messages. MPI_COMM_NULL: there are no
 * outsiders, or no other member of this world.
 */
static MPI_Comm find_compatriots(MPI_Comm comm, int size, bool *outsiders)
{
    enum { TAG = 1 }; /* of a space of its own (MPI-4.1, 7.4.2) */
    MPI_Comm compatriots = MPI_COMM_NULL;
    MPI_Group world, group;
    int count;

    int *ranks = world_ranks(comm, size, &count, outsiders);
    if (ranks && *outsiders && count > 1) {
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
        PMPI_Group_incl(world, count, ranks, &group);
        MPI_Errhandler handler = silence(MPI_COMM_WORLD);
        if (PMPI_Comm_create_group(MPI_COMM_WORLD, group, TAG, &compatriots) == MPI_SUCCESS)
            PMPI_Comm_set_errhandler(compatriots, MPI_ERRORS_RETURN);
        unsilence(MPI_COMM_WORLD, handler);
        PMPI_Group_free(&group);
        PMPI_Group_free(&world);
    }
    free(ranks);
    return compatriots;
}

static bool spans_nodes(MPI_Comm comm)
{
    uint64_t hash = mpiot_node_hash(), extremes[2] = {hash, ~hash};

    MPI_Errhandler handler = silence(comm);
    PMPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_UINT64_T, MPI_MAX, comm);
    unsilence(comm, handler);
    return extremes[0] != ~extremes[1];
}

/** In an archive that members share, they agree on what is opened. */
static void agree_from_now_on(struct mpiot_communicator *communicator, MPI_Comm comm)
{
    bool outsiders = true;
    int rank = communicator->rank;

    communicator->compatriots = find_compatriots(comm, communicator->size, &outsiders);
    communicator->agrees = !outsiders || communicator->compatriots != MPI_COMM_NULL;
    if (!communicator->agrees)
        return;
    if (outsiders)
        PMPI_Comm_rank(communicator->compatriots, &rank);
    communicator->leads = rank == 0;
    communicator->spans_nodes = spans_nodes(outsiders ? communicator->compatriots : comm);
}

struct mpiot_communicator *mpiot_communicator_get(MPI_Comm comm)
{
    struct mpiot_communicator *communicator;
    int known = 0;

    PMPI_Comm_get_attr(comm, state.keyval, &communicator, &known);
    if (known)
        return communicator;

    communicator = calloc(1, sizeof *communicator);
    if (!communicator)
        return NULL;
    communicator->reference = MPIOT_UNDEFINED;
    communicator->compatriots = MPI_COMM_NULL;
    communicator->leads = true;
    PMPI_Comm_rank(comm, &communicator->rank);
    PMPI_Comm_size(comm, &communicator->size);
    if (state.joint && communicator->size > 1)
        agree_from_now_on(communicator, comm);
    PMPI_Comm_set_attr(comm, state.keyval, communicator);
    return communicator;
}

static bool is_same(MPI_Comm a, MPI_Comm b)
{
    int result;
    return PMPI_Comm_compare(a, b, &result) == MPI_SUCCESS && result == MPI_IDENT;
}

void mpiot_communicator_propose(struct mpiot_communicator *communicator, MPI_Comm comm,
                                struct mpiot_agreement *agreement)
{
    int length = 0;

    if (communicator->reference != MPIOT_UNDEFINED)
        return;
    if (is_same(comm, MPI_COMM_WORLD) || is_same(comm, MPI_COMM_SELF)) {
        const char *name = is_same(comm, MPI_COMM_SELF) ? "MPI_COMM_SELF" : "MPI_COMM_WORLD";
        snprintf(agreement->identity, sizeof agreement->identity, "%s", name);
        snprintf(agreement->name, sizeof agreement->name, "%s", name);
        return;
    }
    uint32_t number = atomic_fetch_add(&state.counter, 1) + 1;
    snprintf(agreement->identity, sizeof agreement->identity, "%016" PRIx64 "-%" PRIu32,
             state.random, number);
    PMPI_Comm_get_name(comm, agreement->name, &length);
    /* Open MPI names communicators by itself: "MPI COMMUNICATOR 3 DUP FROM 0". */
    if (length == 0 || strncmp(agreement->name, "MPI COMMUNICATOR ", 17) == 0)
        snprintf(agreement->name, sizeof agreement->name, "MPI communicator %" PRIu32, number);
}

void mpiot_communicator_broadcast(const struct mpiot_communicator *communicator, MPI_Comm comm,
                                  struct mpiot_agreement *agreement)
{
    if (!communicator->agrees)
        return;
    if (communicator->compatriots != MPI_COMM_NULL)
        comm = communicator->compatriots;
    MPI_Errhandler handler = silence(comm);
    PMPI_Bcast(agreement, sizeof *agreement, MPI_BYTE, 0, comm);
    unsilence(comm, handler);
}

static uint32_t define(const struct mpiot_communicator *communicator, MPI_Comm comm,
                       const struct mpiot_agreement *agreement)
{
    int relation = MPI_UNEQUAL, count = 0;
    bool outsiders;

    if (communicator->size == 1)
        return mpiot_define_comm(agreement->identity, agreement->name, MPIOT_GROUP_SELF, NULL, 0);
    PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    if (relation == MPI_IDENT || relation == MPI_CONGRUENT)
        return mpiot_define_comm(agreement->identity, agreement->name, MPIOT_GROUP_WORLD, NULL, 0);

    int *ranks = world_ranks(comm, communicator->size, &count, &outsiders);
    if (!ranks)
        return MPIOT_UNDEFINED;
    uint32_t reference =
        mpiot_define_comm(agreement->identity, agreement->name, MPIOT_GROUP_RANKS, ranks, count);
    free(ranks);
    return reference;
}

void mpiot_communicator_define(struct mpiot_communicator *communicator, MPI_Comm comm,
                               const struct mpiot_agreement *agreement)
{
    /* No lock: opens on one communicator are collective, hence one at a time. */
    if (communicator->reference == MPIOT_UNDEFINED)
        communicator->reference = define(communicator, comm, agreement);
}
