/* SPDX-License-Identifier: BSD-3-Clause */
/** The archive's global definitions (OTF2_GlobalDefReaderCallbacks.h), as the checks need them. */
#ifndef MPIOT_TOOLS_CHECK_DEFS_H
#define MPIOT_TOOLS_CHECK_DEFS_H

#include "tools/archive.h"
#include "tools/check.h"

enum mpiot_kind {
    MPIOT_KIND_STRING,
    MPIOT_KIND_ATTRIBUTE,
    MPIOT_KIND_SYSTEM_TREE_NODE,
    MPIOT_KIND_LOCATION_GROUP,
    MPIOT_KIND_LOCATION,
    MPIOT_KIND_REGION,
    MPIOT_KIND_CALLSITE,
    MPIOT_KIND_CALLPATH,
    MPIOT_KIND_GROUP,
    MPIOT_KIND_METRIC_MEMBER,
    MPIOT_KIND_METRIC,
    MPIOT_KIND_COMM,
    MPIOT_KIND_PARAMETER,
    MPIOT_KIND_RMA_WIN,
    MPIOT_KIND_CART_DIMENSION,
    MPIOT_KIND_CART_TOPOLOGY,
    MPIOT_KIND_SOURCE_LOCATION,
    MPIOT_KIND_CALLING_CONTEXT,
    MPIOT_KIND_INTERRUPT_GENERATOR,
    MPIOT_KIND_PARADIGM,
    MPIOT_KIND_IO_PARADIGM,
    MPIOT_KIND_IO_FILE,
    MPIOT_KIND_IO_FILE_PROPERTY, /**< identifier: file << 32 | name */
    MPIOT_KIND_IO_HANDLE,
    MPIOT_KIND_PRE_CREATED_STATE, /**< identifier: its handle */
    MPIOT_KIND_CLOCK_PROPERTIES,  /**< identifier: 0 */
    MPIOT_KINDS,
};

/** One definition. */
struct mpiot_def {
    uint64_t id;
    OTF2_StringRef name; /**< undefined where the kind has none */
    union {              /* by kind */
        char *string;
        OTF2_Type type; /**< attribute */
        struct {
            OTF2_LocationGroupRef group;
            uint64_t events;
        } location;
        struct {
            OTF2_GroupType type;
            OTF2_Paradigm paradigm;
            uint32_t count;
            uint64_t *members;
        } group;
        struct {
            OTF2_GroupRef group; /**< undefined: an inter-communicator */
        } comm;
        struct {
            OTF2_RegionRef region;
            OTF2_CallingContextRef parent;
            uint32_t depth; /**< contexts from it to the root, both included: check_rules.c */
        } context;
        struct {
            OTF2_IoParadigmClass class;
            OTF2_IoParadigmFlag flags;
        } paradigm;
        struct {
            OTF2_IoFileRef file;
            OTF2_IoParadigmRef paradigm;
            OTF2_IoHandleFlag flags;
            OTF2_CommRef comm;
        } handle;
        struct {
            OTF2_TimeStamp begin, end;
        } clock;
    };
};

/** "String", "IoHandle", ...: as the definition record is called. */
const char *mpiot_kind_name(enum mpiot_kind kind);

/** The kind that a value of this type refers to; MPIOT_KINDS: it is no reference. */
enum mpiot_kind mpiot_kind_of_type(OTF2_Type type);

/** The reference in a value whose type is one. */
uint64_t mpiot_reference_of_value(OTF2_Type type, OTF2_AttributeValue value);

/** Adds a definition; the pointer is good until the next one of its kind is added. */
struct mpiot_def *mpiot_defs_add(enum mpiot_kind kind, uint64_t id, OTF2_StringRef name);

/** Notes that `field` of a definition refers to another, which must be defined. */
void mpiot_defs_need(enum mpiot_kind from_kind, uint64_t from, const char *field,
                     enum mpiot_kind to_kind, uint64_t to);

/** The same for a reference that may be undefined; those are 32 bits wide. */
void mpiot_defs_allow(enum mpiot_kind from_kind, uint64_t from, const char *field,
                      enum mpiot_kind to_kind, uint32_t to);

/** The same for a value, whose type may be one that refers. */
void mpiot_defs_need_value(enum mpiot_kind from_kind, uint64_t from, const char *field,
                           OTF2_Type type, OTF2_AttributeValue value);

/** Notes what a property of a definition refers to: its owner, its name, its value. */
void mpiot_defs_property(enum mpiot_kind kind, uint64_t owner, OTF2_StringRef name, OTF2_Type type,
                         OTF2_AttributeValue value);

/** All definitions have been added: reports what is there twice, and what is not there. */
void mpiot_defs_seal(void);

/** NULL: not defined; before the tables are sealed also: not where it is looked for first. */
struct mpiot_def *mpiot_defs_find(enum mpiot_kind kind, uint64_t id);

/** All definitions of a kind, in order of their identifiers. */
struct mpiot_def *mpiot_defs_all(enum mpiot_kind kind, size_t *count);

/** The group that lists all locations of a paradigm, or NULL; members of its others are indices. */
const struct mpiot_def *mpiot_defs_comm_locations(OTF2_Paradigm paradigm);

/** Name of a definition, "" if it has none. */
const char *mpiot_defs_name(enum mpiot_kind kind, uint64_t id);

/** Sets the callbacks of check_defs_io.c. */
void mpiot_check_definitions_io(OTF2_GlobalDefReaderCallbacks *callbacks);

/** Reads all global definitions and checks them; 0 or a negative errno. */
int mpiot_check_definitions(struct mpiot_archive *archive);

/** Checks read definitions against what OTF2 says of their contents (check_rules.c). */
void mpiot_check_rules(void);

/** Reports a problem of a definition, printf-like. */
void mpiot_def_problem(enum mpiot_kind kind, uint64_t id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
