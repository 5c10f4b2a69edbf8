/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/comm.h"

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "common/config.h"
#include "trace/rollcall.h"

enum { TAG_UNIFY = 1 };

static struct {
    MPI_Comm comm;
    int rank, size;
} world = {.comm = MPI_COMM_NULL, .rank = 0, .size = 1};

static int result(int rc)
{
    return rc == MPI_SUCCESS ? 0 : -EIO;
}

int mpiot_comm_join(bool willing, bool *first)
{
    MPI_Comm comm;

    *first = true;
    PMPI_Comm_size(MPI_COMM_WORLD, &world.size);
    if (world.size == 1)
        return 0;
    world.size = 1;
    int error = mpiot_rollcall(willing, first);
    if (error == -ENOTSUP && mpiot_config()->archive == MPIOT_ARCHIVE_JOB)
        error = 0; /* the user's word */
    if (error)
        return error;
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS)
        return -EIO;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &world.rank);
    PMPI_Comm_size(comm, &world.size);
    world.comm = comm;
    return 0;
}

void mpiot_comm_leave(void)
{
    if (world.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&world.comm);
    world.rank = 0;
    world.size = 1;
}

int mpiot_comm_rank(void)
{
    return world.rank;
}

int mpiot_comm_size(void)
{
    return world.size;
}

static int reduce(uint64_t *value, MPI_Op op)
{
    if (world.size == 1)
        return 0;
    return result(PMPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_UINT64_T, op, world.comm));
}

int mpiot_comm_max(uint64_t *value)
{
    return reduce(value, MPI_MAX);
}

int mpiot_comm_min(uint64_t *value)
{
    return reduce(value, MPI_MIN);
}

int mpiot_comm_broadcast(void *bytes, size_t size)
{
    if (world.size == 1)
        return 0;
    return result(PMPI_Bcast(bytes, size, MPI_BYTE, 0, world.comm));
}

int mpiot_comm_send(int to, const uint64_t *words, size_t count)
{
    if (count > INT_MAX)
        return -EOVERFLOW;
    return result(PMPI_Send(words, count, MPI_UINT64_T, to, TAG_UNIFY, world.comm));
}

int mpiot_comm_receive(int from, uint64_t **words, size_t *count)
{
    MPI_Status status;
    int n;

    if (PMPI_Probe(from, TAG_UNIFY, world.comm, &status) != MPI_SUCCESS)
        return -EIO;
    PMPI_Get_count(&status, MPI_UINT64_T, &n);
    *words = malloc((n ? n : 1) * sizeof **words);
    if (!*words)
        return -ENOMEM;
    *count = n;
    int rc = PMPI_Recv(*words, n, MPI_UINT64_T, from, TAG_UNIFY, world.comm, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
        free(*words);
    return result(rc);
}

int mpiot_comm_gather(const uint64_t *words, size_t count, uint64_t **all, size_t *total)
{
    int n = count, size = world.size, error = -ENOMEM;
    int *counts = NULL, *displacements = NULL;

    *all = NULL;
    *total = 0;
    if (world.rank == 0) {
        counts = malloc(size * sizeof *counts);
        displacements = malloc(size * sizeof *displacements);
        if (!counts || !displacements)
            goto free_counts;
    }
    if (size == 1) {
        counts[0] = n;
    } else {
        error = result(PMPI_Gather(&n, 1, MPI_INT, counts, 1, MPI_INT, 0, world.comm));
        if (error)
            goto free_counts;
    }
    if (world.rank == 0) {
        for (int i = 0; i < size; i++) {
            displacements[i] = *total;
            *total += counts[i];
        }
        *all = malloc((*total ? *total : 1) * sizeof **all);
        if (!*all) {
            error = -ENOMEM;
            goto free_counts;
        }
    }
    if (size == 1) {
        for (int i = 0; i < n; i++)
            (*all)[i] = words[i];
        error = 0;
    } else {
        error = result(PMPI_Gatherv(words, n, MPI_UINT64_T, *all, counts, displacements,
                                    MPI_UINT64_T, 0, world.comm));
    }

free_counts:
    free(counts);
    free(displacements);
    return error;
}
