/* SPDX-License-Identifier: BSD-3-Clause */
/* From unified definitions to OTF2's records. OTF2_GlobalDefWriter.h, OTF2_DefWriter.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/archive.h"
#include "trace/clock.h"
#include "trace/frames.h"
#include "trace/paradigm.h"

/** Group 0 is the list of all processes; the groups of the table follow. */
enum { GROUP_LOCATIONS = 0, FIRST_GROUP = 1 };

/** Kinds that event records refer to. */
static const struct {
    enum mpiot_def_kind kind;
    OTF2_MappingType mapping;
} mapped[] = {
    {MPIOT_DEF_STRING, OTF2_MAPPING_STRING},
    {MPIOT_DEF_ATTRIBUTE, OTF2_MAPPING_ATTRIBUTE},
    {MPIOT_DEF_REGION, OTF2_MAPPING_REGION},
    {MPIOT_DEF_COMM, OTF2_MAPPING_COMM},
    {MPIOT_DEF_IO_FILE, OTF2_MAPPING_IO_FILE},
    {MPIOT_DEF_IO_HANDLE, OTF2_MAPPING_IO_HANDLE},
    {MPIOT_DEF_CALLING_CONTEXT, OTF2_MAPPING_CALLING_CONTEXT},
};

/** A packed process: the words of mpiot_writeout_process; its locations follow. */
struct process {
    uint64_t world_rank, node, location_count;
};

static OTF2_ErrorCode write_maps(OTF2_DefWriter *writer, const struct mpiot_defmap *map)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (size_t i = 0; i < sizeof mapped / sizeof *mapped && !error; i++) {
        enum mpiot_def_kind kind = mapped[i].kind;
        /* No map stands for the identity, and for no definitions. */
        OTF2_IdMap *ids =
            OTF2_IdMap_CreateFromUint64Array(map->count[kind], map->index[kind], true);
        if (!ids)
            continue;
        error = OTF2_DefWriter_WriteMappingTable(writer, mapped[i].mapping, ids);
        OTF2_IdMap_Free(ids);
    }
    return error;
}

int mpiot_writeout_local(OTF2_Archive *archive, const struct mpiot_writeout_location *locations,
                         size_t count, const struct mpiot_defmap *map,
                         const struct mpiot_clock_offset *clock)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (size_t i = 0; i < count && !error; i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, locations[i].id);
        error = writer ? write_maps(writer, map) : OTF2_ERROR_FILE_CAN_NOT_OPEN;
        for (int end = 0; clock && end < 2 && !error; end++)
            error = OTF2_DefWriter_WriteClockOffset(writer, clock[end].time, clock[end].offset, 0);
        if (writer && !error)
            error = OTF2_Archive_CloseDefWriter(archive, writer);
    }
    return error ? -EIO : 0;
}

int mpiot_writeout_process(uint64_t world_rank, uint64_t node,
                           const struct mpiot_writeout_location *locations, size_t location_count,
                           uint64_t **words, size_t *count)
{
    struct process process = {world_rank, node, location_count};
    size_t size = sizeof process + location_count * sizeof *locations;

    *words = malloc(size);
    if (!*words)
        return -ENOMEM;
    *count = size / sizeof **words;
    memcpy(*words, &process, sizeof process);
    memcpy((char *)*words + sizeof process, locations, location_count * sizeof *locations);
    return 0;
}

/** A string the unified table may not have yet. */
static OTF2_StringRef string(struct mpiot_deftable *table, const char *text)
{
    uint64_t index = OTF2_UNDEFINED_STRING;
    mpiot_deftable_intern_string(table, text, strlen(text), NULL, &index);
    return index;
}

/** References of the table are 64 bits, those of OTF2 32. */
static uint32_t narrow(uint64_t index)
{
    return index == MPIOT_DEF_NONE ? OTF2_UNDEFINED_UINT32 : (uint32_t)index;
}

/** Words of a packed process behind its header. */
static const struct mpiot_writeout_location *locations_of(const struct process *process)
{
    return (const struct mpiot_writeout_location *)(process + 1);
}

static const struct process *next_process(const struct process *process)
{
    return (const struct process *)(locations_of(process) + process->location_count);
}

/** Calls `visit` for each process of the run, in order of rank. */
static OTF2_ErrorCode for_each_process(const struct mpiot_writeout *run,
                                       OTF2_ErrorCode (*visit)(OTF2_GlobalDefWriter *,
                                                               const struct mpiot_writeout *,
                                                               const struct process *, uint32_t),
                                       OTF2_GlobalDefWriter *writer)
{
    const struct process *process = (const void *)run->processes;
    const void *end = run->processes + run->word_count;
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (uint32_t i = 0; (const void *)process < end && !error; i++) {
        error = visit(writer, run, process, i);
        process = next_process(process);
    }
    return error;
}

/** "MPI Rank 3", "Thread 1": interned before any string is written. */
static OTF2_StringRef process_name(const struct mpiot_writeout *run, const struct process *process)
{
    char name[32];
    snprintf(name, sizeof name, "MPI Rank %llu", (unsigned long long)process->world_rank);
    return string(run->unified, name);
}

static OTF2_StringRef thread_name(const struct mpiot_writeout *run, uint64_t thread)
{
    char name[32] = "Master thread";
    if (thread > 0)
        snprintf(name, sizeof name, "Thread %llu", (unsigned long long)thread);
    return string(run->unified, name);
}

static OTF2_ErrorCode intern_names(OTF2_GlobalDefWriter *writer, const struct mpiot_writeout *run,
                                   const struct process *process, uint32_t index)
{
    (void)writer, (void)index;
    process_name(run, process);
    for (uint64_t i = 0; i < process->location_count; i++)
        thread_name(run, locations_of(process)[i].thread);
    return OTF2_SUCCESS;
}

static OTF2_ErrorCode write_process(OTF2_GlobalDefWriter *writer, const struct mpiot_writeout *run,
                                    const struct process *process, uint32_t index)
{
    OTF2_ErrorCode error = OTF2_GlobalDefWriter_WriteLocationGroup(
        writer, index, process_name(run, process), OTF2_LOCATION_GROUP_TYPE_PROCESS, process->node,
        OTF2_UNDEFINED_LOCATION_GROUP);

    for (uint64_t i = 0; i < process->location_count && !error; i++) {
        const struct mpiot_writeout_location *location = &locations_of(process)[i];
        error = OTF2_GlobalDefWriter_WriteLocation(
            writer, location->id, thread_name(run, location->thread), OTF2_LOCATION_TYPE_CPU_THREAD,
            location->event_count, index);
    }
    return error;
}

/** Rank in MPI_COMM_WORLD -> index among the processes of this archive, for group members. */
struct members {
    uint64_t count;
    uint64_t *locations; /**< master location of each process */
    uint64_t *ranks;     /**< world rank of each process, ascending */
};

static int members_collect(const struct mpiot_writeout *run, struct members *members)
{
    const void *end = run->processes + run->word_count;
    size_t most = run->word_count / (sizeof(struct process) / sizeof(uint64_t));

    members->count = 0;
    members->locations = malloc(2 * most * sizeof *members->locations);
    if (!members->locations)
        return -ENOMEM;
    members->ranks = members->locations + most;
    for (const struct process *process = (const void *)run->processes; (const void *)process < end;
         process = next_process(process)) {
        members->locations[members->count] = locations_of(process)[0].id;
        members->ranks[members->count++] = process->world_rank;
    }
    return 0;
}

/** Index of a world rank among the processes; in an archive of the whole world it is the rank. */
static bool find_member(const struct members *all, uint64_t rank, uint64_t *index)
{
    if (rank < all->count && all->ranks[rank] == rank) {
        *index = rank;
        return true;
    }
    for (*index = 0; *index < all->count; ++*index)
        if (all->ranks[*index] == rank)
            return true;
    return false;
}

/** Indices of those members of the group's runs that are in this archive, in the group's order. */
static uint32_t group_members(const struct mpiot_def *def, const struct members *all, uint64_t *out)
{
    uint32_t n = 0;

    for (uint32_t w = 1; w + 1 < def->count; w += 2)
        for (uint64_t rank = def->words[w]; rank < def->words[w] + def->words[w + 1]; rank++)
            if (find_member(all, rank, &out[n]))
                n++;
    return n;
}

static OTF2_ErrorCode write_groups(OTF2_GlobalDefWriter *writer, const struct mpiot_writeout *run)
{
    struct members all;
    OTF2_StringRef unnamed = string(run->unified, "");
    if (members_collect(run, &all) != 0)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    uint64_t *chosen = malloc((all.count + 1) * sizeof *chosen);
    OTF2_ErrorCode error = chosen ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED;

    if (!error)
        error = OTF2_GlobalDefWriter_WriteGroup(writer, GROUP_LOCATIONS, unnamed,
                                                OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, all.count, all.locations);
    for (uint64_t i = 0; i < mpiot_deftable_count(run->unified, MPIOT_DEF_GROUP) && !error; i++) {
        struct mpiot_def def = mpiot_deftable_get(run->unified, MPIOT_DEF_GROUP, i);
        OTF2_GroupType type = def.words[0];
        uint32_t n = 0;
        if (type == OTF2_GROUP_TYPE_COMM_GROUP && def.count == 1) {
            for (; n < all.count; n++)
                chosen[n] = n;
        } else if (type == OTF2_GROUP_TYPE_COMM_GROUP) {
            n = group_members(&def, &all, chosen);
        }
        error = OTF2_GlobalDefWriter_WriteGroup(writer, FIRST_GROUP + i, unnamed, type,
                                                OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, chosen);
    }
    free(chosen);
    free(all.locations);
    return error;
}

/** The global definitions being written. */
struct output {
    OTF2_GlobalDefWriter *writer;
    struct mpiot_deftable *table;
    OTF2_StringRef unnamed;
    struct mpiot_frame_names frames;
};

/** A node of the tree of call paths: of a region, or of a frame, which has a region by now. */
static OTF2_ErrorCode write_context(const struct output *out, uint64_t i, const uint64_t *w)
{
    uint64_t region = w[0], location = MPIOT_DEF_NONE;

    if (w[1] != MPIOT_DEF_NONE) {
        region = out->frames.regions[w[1]];
        location = out->frames.locations[w[1]];
    }
    return OTF2_GlobalDefWriter_WriteCallingContext(out->writer, i, narrow(region),
                                                    narrow(location), narrow(w[2]));
}

/** Writes one row of the unified table; groups have a function of their own. */
static OTF2_ErrorCode write_def(const struct output *out, enum mpiot_def_kind kind, uint64_t i)
{
    OTF2_GlobalDefWriter *writer = out->writer;
    const uint64_t *w = mpiot_deftable_get(out->table, kind, i).words;
    OTF2_AttributeValue value;

    switch (kind) {
    case MPIOT_DEF_STRING:
        return OTF2_GlobalDefWriter_WriteString(writer, i, mpiot_deftable_string(out->table, i));
    case MPIOT_DEF_ATTRIBUTE:
        return OTF2_GlobalDefWriter_WriteAttribute(writer, i, w[0], w[1], w[2]);
    case MPIOT_DEF_SYSTEM_TREE_NODE: {
        OTF2_ErrorCode error =
            OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, i, w[0], w[1], narrow(w[2]));
        return error ? error : OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, i, w[3]);
    }
    case MPIOT_DEF_REGION:
        return OTF2_GlobalDefWriter_WriteRegion(writer, i, w[0], w[1], out->unnamed, w[2], w[3],
                                                OTF2_REGION_FLAG_NONE, narrow(w[4]), w[5], 0);
    case MPIOT_DEF_COMM:
        return OTF2_GlobalDefWriter_WriteComm(writer, i, w[1], FIRST_GROUP + w[2],
                                              OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    case MPIOT_DEF_IO_FILE:
        return OTF2_GlobalDefWriter_WriteIoRegularFile(writer, i, w[0], w[1]);
    case MPIOT_DEF_IO_FILE_PROPERTY:
        value.stringRef = w[2];
        return OTF2_GlobalDefWriter_WriteIoFileProperty(writer, w[0], w[1], OTF2_TYPE_STRING,
                                                        value);
    case MPIOT_DEF_IO_HANDLE:
        return OTF2_GlobalDefWriter_WriteIoHandle(writer, i, w[0], w[1], MPIOT_PARADIGM_MPI_IO,
                                                  OTF2_IO_HANDLE_FLAG_NONE, w[2],
                                                  OTF2_UNDEFINED_IO_HANDLE);
    case MPIOT_DEF_SOURCE_LOCATION:
        return OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer, i, w[0], w[1]);
    case MPIOT_DEF_CALLING_CONTEXT:
        return write_context(out, i, w);
    case MPIOT_DEF_GROUP:
    case MPIOT_DEF_MODULE:
    case MPIOT_DEF_FRAME:
    case MPIOT_DEF_KINDS:
        break;
    }
    return OTF2_ERROR_INVALID_ARGUMENT;
}

static OTF2_ErrorCode write_defs(const struct output *out, enum mpiot_def_kind kind)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;
    for (uint64_t i = 0; i < mpiot_deftable_count(out->table, kind) && !error; i++)
        error = write_def(out, kind, i);
    return error;
}

static OTF2_ErrorCode write_paradigms(OTF2_GlobalDefWriter *writer,
                                      const struct mpiot_writeout *run)
{
    const struct mpiot_paradigm *mpi_io = &mpiot_paradigms[MPIOT_PARADIGM_MPI_IO];
    OTF2_StringRef name = string(run->unified, mpi_io->identification);
    OTF2_IoParadigmProperty property = OTF2_IO_PARADIGM_PROPERTY_VERSION;
    OTF2_Type type = OTF2_TYPE_STRING;
    OTF2_AttributeValue version = {.stringRef = string(run->unified, run->mpi_library)};

    OTF2_ErrorCode error = OTF2_GlobalDefWriter_WriteParadigm(
        writer, OTF2_PARADIGM_MPI, string(run->unified, "MPI"), OTF2_PARADIGM_CLASS_PROCESS);
    if (!error)
        error = OTF2_GlobalDefWriter_WriteIoParadigm(
            writer, MPIOT_PARADIGM_MPI_IO, name, name,
            mpi_io->paradigm_class == MPIOT_PARADIGM_SERIAL ? OTF2_IO_PARADIGM_CLASS_SERIAL
                                                            : OTF2_IO_PARADIGM_CLASS_PARALLEL,
            mpi_io->flags, 1, &property, &type, &version);
    return error;
}

/** Every string must be in the table before the first is written. */
static int intern_all(struct output *out, const struct mpiot_writeout *run)
{
    out->unnamed = string(out->table, "");
    string(out->table, mpiot_paradigms[MPIOT_PARADIGM_MPI_IO].identification);
    string(out->table, run->mpi_library);
    string(out->table, "MPI");
    for_each_process(run, intern_names, NULL);
    return mpiot_frames_name(out->table, &out->frames);
}

/** In an order in which what a record refers to has been written. */
static OTF2_ErrorCode write_all(const struct output *out, const struct mpiot_writeout *run)
{
    static const enum mpiot_def_kind after_groups[] = {
        MPIOT_DEF_COMM,      MPIOT_DEF_IO_FILE,         MPIOT_DEF_IO_FILE_PROPERTY,
        MPIOT_DEF_IO_HANDLE, MPIOT_DEF_SOURCE_LOCATION, MPIOT_DEF_CALLING_CONTEXT,
    };
    OTF2_ErrorCode error = OTF2_GlobalDefWriter_WriteClockProperties(
        out->writer, MPIOT_CLOCK_RESOLUTION, run->begin, run->end - run->begin + 1, run->realtime);

    if (!error)
        error = write_defs(out, MPIOT_DEF_STRING);
    if (!error)
        error = write_paradigms(out->writer, run);
    if (!error)
        error = write_defs(out, MPIOT_DEF_ATTRIBUTE);
    if (!error)
        error = write_defs(out, MPIOT_DEF_SYSTEM_TREE_NODE);
    if (!error)
        error = for_each_process(run, write_process, out->writer);
    if (!error)
        error = write_defs(out, MPIOT_DEF_REGION);
    if (!error)
        error = write_groups(out->writer, run);
    for (size_t i = 0; i < sizeof after_groups / sizeof *after_groups && !error; i++)
        error = write_defs(out, after_groups[i]);
    return error;
}

int mpiot_writeout_global(OTF2_Archive *archive, const struct mpiot_writeout *run)
{
    struct output out = {.writer = OTF2_Archive_GetGlobalDefWriter(archive),
                         .table = run->unified};
    if (!out.writer)
        return -EIO;

    int error = intern_all(&out, run);
    if (!error && write_all(&out, run) != OTF2_SUCCESS)
        error = -EIO;
    mpiot_frames_release(&out.frames);
    if (!error && OTF2_Archive_CloseGlobalDefWriter(archive, out.writer) != OTF2_SUCCESS)
        error = -EIO;
    return error;
}
