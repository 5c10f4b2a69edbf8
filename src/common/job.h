/* SPDX-License-Identifier: BSD-3-Clause */
/** What a job is called, where its launcher does not say so in the environment. */
#ifndef MPIOT_COMMON_JOB_H
#define MPIOT_COMMON_JOB_H

/**
 * An identifier of a job that MPICH's Hydra has started, the same for all ranks of one
 * MPI_COMM_WORLD on all nodes, malloc'ed; NULL if it cannot be told. `pmi_fd` is the rank's
 * connection to Hydra.
 */
char *mpiot_job_of_hydra(int pmi_fd);

#endif
