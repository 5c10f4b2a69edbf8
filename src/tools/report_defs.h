/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The archive's global definitions, as far as the report needs them (OTF2_GlobalDefWriter.h).
 *
 * An archive may lack what it refers to: each lookup of something that is not defined gives NULL,
 * and for names "". Pointers stay good once the definitions have been read.
 */
#ifndef MPIOT_TOOLS_REPORT_DEFS_H
#define MPIOT_TOOLS_REPORT_DEFS_H

#include "tools/archive.h"

/** Index of what there is none of: a call path in an archive without them, ... */
#define MPIOT_NONE UINT32_MAX

/** Attributes of events that the report knows, by name; the type must be the one here. */
enum mpiot_known {
    MPIOT_KNOWN_OFFSET, /**< UINT64, where nothing else is said */
    MPIOT_KNOWN_NOT_OBSERVED,
    MPIOT_KNOWN_UNFINISHED,
    MPIOT_KNOWN_UNSUCCESSFUL_TESTS,
    MPIOT_KNOWN_FILETYPE_SIZE,
    MPIOT_KNOWN_FILETYPE_EXTENT, /**< INT64 */
    MPIOT_KNOWN_ERROR_CLASS,     /**< string */
    MPIOT_KNOWN_ERROR,
    MPIOT_KNOWN_PATH,
    MPIOT_KNOWN_HINT, /**< "MPI hint: ..." */
    MPIOT_KNOWN_NONE,
};

struct mpiot_def_string {
    uint64_t id;
    char *text;
};

struct mpiot_def_attribute {
    uint64_t id;
    OTF2_StringRef name;
    OTF2_Type type;
    enum mpiot_known known;
};

struct mpiot_def_region {
    uint64_t id;
    OTF2_StringRef name;
    OTF2_RegionRole role;
    bool may_be_call; /**< an I/O call if it does I/O itself, or by its role: report_call.c */
    bool is_io;       /**< an I/O call by its role */
    uint32_t call;    /**< index of the report's row, MPIOT_NONE before it is needed */
};

struct mpiot_def_source {
    uint64_t id;
    OTF2_StringRef file;
    uint32_t line;
};

struct mpiot_def_context {
    uint64_t id;
    OTF2_RegionRef region;
    OTF2_SourceCodeLocationRef source;
    OTF2_CallingContextRef parent;
    uint32_t site; /**< index of the report's row, MPIOT_NONE before it is needed */
};

struct mpiot_def_group {
    uint64_t id;
    OTF2_StringRef name;
    OTF2_LocationGroupType type;
    uint32_t rank; /**< index of the report's rank, MPIOT_NONE if it is left out */
};

struct mpiot_def_location {
    uint64_t id;
    OTF2_StringRef name;
    OTF2_LocationGroupRef group;
    uint64_t events;
};

struct mpiot_def_file {
    uint64_t id;
    OTF2_StringRef name;
    uint32_t row; /**< index of the report's first file for it, MPIOT_NONE before it is needed */
};

struct mpiot_def_property {
    uint64_t id; /**< the file; several have the same */
    OTF2_StringRef name, value;
};

struct mpiot_def_paradigm {
    uint64_t id;
    OTF2_StringRef name;
};

struct mpiot_def_comm {
    uint64_t id;
    OTF2_GroupRef group;
};

struct mpiot_def_members {
    uint64_t id;
    OTF2_GroupType type;
};

struct mpiot_def_handle {
    uint64_t id;
    OTF2_StringRef name;
    OTF2_IoFileRef file;
    OTF2_IoParadigmRef paradigm;
    bool is_shared; /**< its operations are comparable among ranks: a communicator, not SELF */
    OTF2_CommRef comm;
    uint32_t row; /**< index of the report's file, MPIOT_NONE before it is needed */
};

enum mpiot_def_table {
    MPIOT_DEF_STRINGS,
    MPIOT_DEF_ATTRIBUTES,
    MPIOT_DEF_REGIONS,
    MPIOT_DEF_SOURCES,
    MPIOT_DEF_CONTEXTS,
    MPIOT_DEF_GROUPS, /**< of locations */
    MPIOT_DEF_LOCATIONS,
    MPIOT_DEF_FILES,
    MPIOT_DEF_PROPERTIES,
    MPIOT_DEF_PARADIGMS,
    MPIOT_DEF_COMMS,
    MPIOT_DEF_MEMBERS, /**< groups, of communicators above all */
    MPIOT_DEF_HANDLES,
    MPIOT_DEF_TABLES,
};

/** ClockProperties; resolution is 1 if the archive has none. */
struct mpiot_def_clock {
    uint64_t resolution, begin, length;
};

extern struct mpiot_def_clock mpiot_def_clock;

/** Reads all global definitions; 0, or a negative errno after printing why. */
int mpiot_report_read_definitions(struct mpiot_archive *archive);

/** A row by identifier: a pointer to the table's struct, or NULL. */
void *mpiot_def_find(enum mpiot_def_table table, uint64_t id);

/** All rows in the order of their identifiers: an array of the table's struct. */
void *mpiot_def_all(enum mpiot_def_table table, size_t *count);

/** A string's text, "" if it is not defined. */
const char *mpiot_def_text(OTF2_StringRef string);

#endif
