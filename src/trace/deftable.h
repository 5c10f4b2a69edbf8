/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tables of definitions, told apart by content.
 *
 * A definition is a row of 64-bit words whose meaning a static schema gives: references to other
 * definitions, plain values, and (strings, group members) a tail of any length. Two definitions
 * with equal keys are one, so that merging the tables of two processes is: translate each row's
 * references, intern it. The same code serves the end of a run, mpiotrace-recover and the
 * unification benchmark; it knows neither MPI nor OTF2.
 *
 * References are indices, dense from 0 in order of definition; MPIOT_DEF_NONE means none. A row
 * refers only to rows defined before it.
 *
 * Threads: the caller locks. Functions that allocate return a negative errno on failure and leave
 * the table as it was.
 */
#ifndef MPIOT_TRACE_DEFTABLE_H
#define MPIOT_TRACE_DEFTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MPIOT_DEF_NONE UINT64_MAX

/** Kinds, in an order in which references point backwards. Comments give the words of a row. */
enum mpiot_def_kind {
    MPIOT_DEF_STRING,           /**< length in bytes, then the bytes, zero-padded */
    MPIOT_DEF_ATTRIBUTE,        /**< name, description, OTF2 type */
    MPIOT_DEF_SYSTEM_TREE_NODE, /**< name, class name, parent, OTF2 domain */
    MPIOT_DEF_REGION,           /**< name, canonical name, role, paradigm, file, line */
    MPIOT_DEF_GROUP,            /**< OTF2 group type, then (first rank, count) runs */
    MPIOT_DEF_COMM,             /**< identity (key), name, group */
    MPIOT_DEF_IO_FILE,          /**< path, scope */
    MPIOT_DEF_IO_FILE_PROPERTY, /**< file, name (key: both), value */
    MPIOT_DEF_IO_HANDLE,        /**< name, file, communicator, instance */
    MPIOT_DEF_SOURCE_LOCATION,  /**< file, line */
    MPIOT_DEF_MODULE,           /**< path of an object file, its build-id */
    MPIOT_DEF_FRAME,            /**< module, address in it: a place in the code */
    MPIOT_DEF_CALLING_CONTEXT,  /**< region, or none and the frame, or none; parent */
    MPIOT_DEF_KINDS,
};

/** One definition. */
struct mpiot_def {
    const uint64_t *words;
    uint32_t count;
};

struct mpiot_deftable;

int mpiot_deftable_create(struct mpiot_deftable **table);
void mpiot_deftable_destroy(struct mpiot_deftable *table);

/**
 * The index of the definition with this key, defining it if need be; `*is_new` (may be NULL) tells
 * which. Words outside the key are those of the first that defined it.
 */
int mpiot_deftable_intern(struct mpiot_deftable *table, enum mpiot_def_kind kind,
                          const uint64_t *words, uint32_t count, bool *is_new, uint64_t *index);

/** Interns a string of `length` bytes. */
int mpiot_deftable_intern_string(struct mpiot_deftable *table, const char *string, size_t length,
                                 bool *is_new, uint64_t *index);

uint64_t mpiot_deftable_count(const struct mpiot_deftable *table, enum mpiot_def_kind kind);
struct mpiot_def mpiot_deftable_get(const struct mpiot_deftable *table, enum mpiot_def_kind kind,
                                    uint64_t index);

/** The bytes of string `index`, terminated. */
const char *mpiot_deftable_string(const struct mpiot_deftable *table, uint64_t index);

/** Indices of one table in another, per kind. */
struct mpiot_defmap {
    uint64_t *index[MPIOT_DEF_KINDS];
    uint64_t count[MPIOT_DEF_KINDS];
};

void mpiot_defmap_release(struct mpiot_defmap *map);

/**
 * Serialised form, the same on disk and between processes: per definition, in an order in which
 * references point backwards, a header word (kind << 32 | number of words) and its words. The
 * result is malloc'ed.
 */
int mpiot_deftable_pack(const struct mpiot_deftable *table, uint64_t **words, size_t *count);

/**
 * Merges a packed table; `map` (indices of the packed table in this one) is the caller's to
 * release. -EINVAL if the words are not a packed table: nothing is trusted.
 */
int mpiot_deftable_merge(struct mpiot_deftable *table, const uint64_t *words, size_t count,
                         struct mpiot_defmap *map);

#endif
