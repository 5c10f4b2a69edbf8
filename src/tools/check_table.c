/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check_defs.h"
#include "tools/check_report.h"

static const char *const names[MPIOT_KINDS] = {
    [MPIOT_KIND_STRING] = "String",
    [MPIOT_KIND_ATTRIBUTE] = "Attribute",
    [MPIOT_KIND_SYSTEM_TREE_NODE] = "SystemTreeNode",
    [MPIOT_KIND_LOCATION_GROUP] = "LocationGroup",
    [MPIOT_KIND_LOCATION] = "Location",
    [MPIOT_KIND_REGION] = "Region",
    [MPIOT_KIND_CALLSITE] = "Callsite",
    [MPIOT_KIND_CALLPATH] = "Callpath",
    [MPIOT_KIND_GROUP] = "Group",
    [MPIOT_KIND_METRIC_MEMBER] = "MetricMember",
    [MPIOT_KIND_METRIC] = "Metric",
    [MPIOT_KIND_COMM] = "Comm",
    [MPIOT_KIND_PARAMETER] = "Parameter",
    [MPIOT_KIND_RMA_WIN] = "RmaWin",
    [MPIOT_KIND_CART_DIMENSION] = "CartDimension",
    [MPIOT_KIND_CART_TOPOLOGY] = "CartTopology",
    [MPIOT_KIND_SOURCE_LOCATION] = "SourceCodeLocation",
    [MPIOT_KIND_CALLING_CONTEXT] = "CallingContext",
    [MPIOT_KIND_INTERRUPT_GENERATOR] = "InterruptGenerator",
    [MPIOT_KIND_PARADIGM] = "Paradigm",
    [MPIOT_KIND_IO_PARADIGM] = "IoParadigm",
    [MPIOT_KIND_IO_FILE] = "IoFile",
    [MPIOT_KIND_IO_FILE_PROPERTY] = "IoFileProperty",
    [MPIOT_KIND_IO_HANDLE] = "IoHandle",
    [MPIOT_KIND_PRE_CREATED_STATE] = "IoPreCreatedHandleState",
    [MPIOT_KIND_CLOCK_PROPERTIES] = "ClockProperties",
};

struct table {
    struct mpiot_def *rows;
    size_t count, capacity;
    bool unsorted; /**< some row's identifier is not above that of the row before it */
};

/** A reference to a definition that comes later, if at all: OTF2 leaves their order free. */
struct reference {
    uint64_t from, to;
    const char *field; /**< of the definition that refers */
    enum mpiot_kind from_kind, to_kind;
};

static struct {
    struct table tables[MPIOT_KINDS];
    struct reference *references;
    size_t reference_count, reference_capacity;
    bool sealed;
} state;

const char *mpiot_kind_name(enum mpiot_kind kind)
{
    return names[kind];
}

enum mpiot_kind mpiot_kind_of_type(OTF2_Type type)
{
    switch (type) {
    case OTF2_TYPE_STRING:
        return MPIOT_KIND_STRING;
    case OTF2_TYPE_ATTRIBUTE:
        return MPIOT_KIND_ATTRIBUTE;
    case OTF2_TYPE_LOCATION:
        return MPIOT_KIND_LOCATION;
    case OTF2_TYPE_REGION:
        return MPIOT_KIND_REGION;
    case OTF2_TYPE_GROUP:
        return MPIOT_KIND_GROUP;
    case OTF2_TYPE_METRIC:
        return MPIOT_KIND_METRIC;
    case OTF2_TYPE_COMM:
        return MPIOT_KIND_COMM;
    case OTF2_TYPE_PARAMETER:
        return MPIOT_KIND_PARAMETER;
    case OTF2_TYPE_RMA_WIN:
        return MPIOT_KIND_RMA_WIN;
    case OTF2_TYPE_SOURCE_CODE_LOCATION:
        return MPIOT_KIND_SOURCE_LOCATION;
    case OTF2_TYPE_CALLING_CONTEXT:
        return MPIOT_KIND_CALLING_CONTEXT;
    case OTF2_TYPE_INTERRUPT_GENERATOR:
        return MPIOT_KIND_INTERRUPT_GENERATOR;
    case OTF2_TYPE_IO_FILE:
        return MPIOT_KIND_IO_FILE;
    case OTF2_TYPE_IO_HANDLE:
        return MPIOT_KIND_IO_HANDLE;
    case OTF2_TYPE_LOCATION_GROUP:
        return MPIOT_KIND_LOCATION_GROUP;
    default:
        return MPIOT_KINDS;
    }
}

uint64_t mpiot_reference_of_value(OTF2_Type type, OTF2_AttributeValue value)
{
    /* Only locations have references of 64 bits; all others share the union's 32-bit members. */
    return type == OTF2_TYPE_LOCATION ? value.locationRef : value.stringRef;
}

struct mpiot_def *mpiot_defs_add(enum mpiot_kind kind, uint64_t id, OTF2_StringRef name)
{
    struct table *table = &state.tables[kind];

    table->rows = mpiot_grow(table->rows, table->count, &table->capacity, sizeof *table->rows);
    if (table->count > 0 && table->rows[table->count - 1].id >= id)
        table->unsorted = true;
    struct mpiot_def *row = &table->rows[table->count++];
    memset(row, 0, sizeof *row);
    row->id = id;
    row->name = name;
    return row;
}

void mpiot_defs_need(enum mpiot_kind from_kind, uint64_t from, const char *field,
                     enum mpiot_kind to_kind, uint64_t to)
{
    if (mpiot_defs_find(to_kind, to))
        return;
    state.references = mpiot_grow(state.references, state.reference_count,
                                  &state.reference_capacity, sizeof *state.references);
    state.references[state.reference_count++] =
        (struct reference){from, to, field, from_kind, to_kind};
}

void mpiot_defs_allow(enum mpiot_kind from_kind, uint64_t from, const char *field,
                      enum mpiot_kind to_kind, uint32_t to)
{
    if (to != OTF2_UNDEFINED_UINT32)
        mpiot_defs_need(from_kind, from, field, to_kind, to);
}

void mpiot_defs_need_value(enum mpiot_kind from_kind, uint64_t from, const char *field,
                           OTF2_Type type, OTF2_AttributeValue value)
{
    enum mpiot_kind kind = mpiot_kind_of_type(type);

    if (kind != MPIOT_KINDS)
        mpiot_defs_need(from_kind, from, field, kind, mpiot_reference_of_value(type, value));
}

void mpiot_defs_property(enum mpiot_kind kind, uint64_t owner, OTF2_StringRef name, OTF2_Type type,
                         OTF2_AttributeValue value)
{
    mpiot_defs_need(kind, owner, "property", kind, owner);
    mpiot_defs_need(kind, owner, "property name", MPIOT_KIND_STRING, name);
    mpiot_defs_need_value(kind, owner, "property value", type, value);
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left = ((const struct mpiot_def *)a)->id, right = ((const struct mpiot_def *)b)->id;
    return (left > right) - (left < right);
}

void mpiot_defs_seal(void)
{
    for (int kind = 0; kind < MPIOT_KINDS; kind++)
        if (state.tables[kind].unsorted)
            qsort(state.tables[kind].rows, state.tables[kind].count, sizeof(struct mpiot_def),
                  compare_ids);
    state.sealed = true;

    for (int kind = 0; kind < MPIOT_KINDS; kind++) {
        const struct table *table = &state.tables[kind];
        for (size_t i = 1; table->unsorted && i < table->count; i++)
            if (table->rows[i].id == table->rows[i - 1].id)
                mpiot_def_problem(kind, table->rows[i].id, "defined twice");
    }
    for (size_t i = 0; i < state.reference_count; i++) {
        const struct reference *reference = &state.references[i];
        if (!mpiot_defs_find(reference->to_kind, reference->to))
            mpiot_def_problem(reference->from_kind, reference->from,
                              "%s: %s %" PRIu64 " is not defined", reference->field,
                              names[reference->to_kind], reference->to);
    }
}

struct mpiot_def *mpiot_defs_find(enum mpiot_kind kind, uint64_t id)
{
    struct table *table = &state.tables[kind];

    /* Writers number most kinds from 0 without gaps. */
    if (id < table->count && table->rows[id].id == id)
        return &table->rows[id];
    if (!state.sealed || table->count == 0)
        return NULL;
    return bsearch(&(struct mpiot_def){.id = id}, table->rows, table->count, sizeof *table->rows,
                   compare_ids);
}

struct mpiot_def *mpiot_defs_all(enum mpiot_kind kind, size_t *count)
{
    *count = state.tables[kind].count;
    return state.tables[kind].rows;
}

const char *mpiot_defs_name(enum mpiot_kind kind, uint64_t id)
{
    const struct mpiot_def *def = mpiot_defs_find(kind, id);
    const struct mpiot_def *string = NULL;

    if (kind == MPIOT_KIND_STRING)
        string = def;
    else if (def)
        string = mpiot_defs_find(MPIOT_KIND_STRING, def->name);
    return string ? string->string : "";
}

/** "IoHandle 3 \"f.dat\""; malloc'ed. */
static char *describe(enum mpiot_kind kind, uint64_t id)
{
    const char *name = mpiot_defs_name(kind, id);

    if (kind == MPIOT_KIND_IO_FILE_PROPERTY)
        return mpiot_text("%s \"%s\" of IoFile %" PRIu64 " \"%s\"", names[kind], name, id >> 32,
                          mpiot_defs_name(MPIOT_KIND_IO_FILE, id >> 32));
    if (*name && kind != MPIOT_KIND_STRING)
        return mpiot_text("%s %" PRIu64 " \"%s\"", names[kind], id, name);
    return mpiot_text("%s %" PRIu64, names[kind], id);
}

void mpiot_def_problem(enum mpiot_kind kind, uint64_t id, const char *format, ...)
{
    char *record = describe(kind, id);
    va_list arguments;

    va_start(arguments, format);
    mpiot_check_report_problem_list(&(struct mpiot_where){.record = record}, format, arguments);
    va_end(arguments);
    free(record);
}
