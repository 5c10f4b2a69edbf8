/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Communicators that files are opened on: who they are, and what their members agree on.
 *
 * Two communicators are the same if MPI says so, not if their groups are equal. Each is given an
 * identity at its first successful open, which is kept as an attribute of the communicator, not
 * copied to duplicates. Where members trace into one archive, the first one's word goes: identity,
 * path and instance of each open come from there, sent on the program's communicator (the open is
 * collective, so the message finds all members at the same place in their order of collectives).
 * If it has members of another MPI_COMM_WORLD, those of this one agree among themselves.
 */
#ifndef MPIOT_RECORD_COMMUNICATOR_H
#define MPIOT_RECORD_COMMUNICATOR_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct mpiot_communicator {
    int rank, size;
    bool agrees;           /**< members share an archive and talk about opens */
    bool leads;            /**< its word goes; true where nobody agrees */
    MPI_Comm compatriots;  /**< those who agree; MPI_COMM_NULL: all or none */
    bool spans_nodes;
    uint32_t reference;    /**< the Comm definition; MPIOT_UNDEFINED before the first agreement */
};

/** What rank 0 tells the members of a communicator at each open. */
struct mpiot_agreement {
    char identity[48];
    char name[MPI_MAX_OBJECT_NAME];
    uint32_t instance;
    char path[PATH_MAX];
};

/** `joint`: this process shares an archive with its whole MPI_COMM_WORLD. */
void mpiot_communicators_start(bool joint);

/**
 * What is known of `comm`, made at its first use; NULL without memory. Collective over `comm` the
 * first time, where its members agree.
 */
struct mpiot_communicator *mpiot_communicator_get(MPI_Comm comm);

/** Defines the communicator where that has not been done, with a new identity; who leads does. */
void mpiot_communicator_propose(struct mpiot_communicator *communicator, MPI_Comm comm,
                                struct mpiot_agreement *agreement);

/** The leader's agreement to all; nothing to do where members do not agree. Collective. */
void mpiot_communicator_broadcast(const struct mpiot_communicator *communicator, MPI_Comm comm,
                                  struct mpiot_agreement *agreement);

/** Defines the communicator by an agreement where that has not been done. */
void mpiot_communicator_define(struct mpiot_communicator *communicator, MPI_Comm comm,
                               const struct mpiot_agreement *agreement);

#endif
