/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * This process's definitions: what events refer to.
 *
 * Each function returns the local reference of a definition, making it on first use; equal
 * arguments give equal references. Any thread may call; the lock is the module's own and is not
 * held across any call out of it. On failure (no memory) the trace is stopped and
 * MPIOT_UNDEFINED returned, which events accept.
 *
 * References are 32 bits, as in OTF2's definition records.
 */
#ifndef MPIOT_TRACE_DEFINITIONS_H
#define MPIOT_TRACE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPIOT_UNDEFINED UINT32_MAX

/** What a region does (OTF2_RegionRole). */
enum mpiot_role {
    MPIOT_ROLE_PROGRAM,          /**< the root of every location: ARTIFICIAL */
    MPIOT_ROLE_FILE_IO,          /**< moves or awaits data */
    MPIOT_ROLE_FILE_IO_METADATA, /**< everything else on files */
};

/** The attributes events carry; names, types and descriptions are in definitions.c. */
enum mpiot_attribute {
    MPIOT_ATTRIBUTE_OFFSET,
    MPIOT_ATTRIBUTE_ERROR_CLASS,
    MPIOT_ATTRIBUTE_ERROR,
    MPIOT_ATTRIBUTE_PATH,
    MPIOT_ATTRIBUTE_DISPLACEMENT,
    MPIOT_ATTRIBUTE_ETYPE_SIZE,
    MPIOT_ATTRIBUTE_FILETYPE_SIZE,
    MPIOT_ATTRIBUTE_FILETYPE_EXTENT,
    MPIOT_ATTRIBUTE_DATAREP,
    MPIOT_ATTRIBUTE_SIZE,
    MPIOT_ATTRIBUTE_ATOMICITY,
    MPIOT_ATTRIBUTE_UNSUCCESSFUL_TESTS,
    MPIOT_ATTRIBUTE_NOT_OBSERVED,
    MPIOT_ATTRIBUTE_BYTES_UNKNOWN,
    MPIOT_ATTRIBUTE_ABANDONED,
    MPIOT_ATTRIBUTE_COUNT,
};

struct mpiot_deftable;

int mpiot_definitions_start(void);
void mpiot_definitions_end(void);

/** The table itself; for the end of the run, when no other thread records any more. */
struct mpiot_deftable *mpiot_definitions_table(void);

uint32_t mpiot_define_string(const char *string);
uint32_t mpiot_define_attribute(enum mpiot_attribute attribute);

/** A string attribute with a name of its own ("MPI hint: cb_nodes"). */
uint32_t mpiot_define_string_attribute(const char *name);

uint32_t mpiot_define_region(const char *name, enum mpiot_role role);

/** A loaded object, by the path of its file and its build-id. */
uint32_t mpiot_define_module(const char *path, const char *build_id);

/** A place in an object's code, as the object's file counts addresses. */
uint32_t mpiot_define_frame(uint32_t module, uint64_t address);

/** A node of the tree of call paths: of a region or of a frame, the other one undefined. */
uint32_t mpiot_define_context(uint32_t region, uint32_t frame, uint32_t parent);

/** The node this process runs on, and the machine that all nodes of the job make up. */
uint32_t mpiot_define_node(void);
uint32_t mpiot_define_machine(void);

/** Which OTF2 group the members of a communicator make. */
enum mpiot_group {
    MPIOT_GROUP_WORLD, /**< all of this MPI_COMM_WORLD, in its order */
    MPIOT_GROUP_SELF,  /**< one member */
    MPIOT_GROUP_RANKS, /**< those given, as ranks in MPI_COMM_WORLD */
};

/**
 * A communicator. `identity` is equal on all its members and nowhere else; `name` is for readers.
 * `ranks` is read for MPIOT_GROUP_RANKS only.
 */
uint32_t mpiot_define_comm(const char *identity, const char *name, enum mpiot_group group,
                           const int *ranks, int count);

/** A file by absolute path; visible on this node only, or on the whole machine. */
uint32_t mpiot_define_io_file(const char *path, bool node_local);

/** First definition of a (file, name) wins: OTF2 allows one property of a name per file. */
void mpiot_define_io_file_property(uint32_t file, const char *name, const char *value);

/** `instance` tells handles open on the same file and communicator at the same time apart. */
uint32_t mpiot_define_io_handle(const char *path, uint32_t file, uint32_t comm, uint32_t instance);

#endif
