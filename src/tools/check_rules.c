/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_Definitions.h; OTF2 documentation, "Known OTF2 I/O paradigms". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check_defs.h"
#include "trace/paradigm.h"

/** A paradigm that OTF2 knows must be defined as OTF2 says. */
static void check_paradigm(const struct mpiot_def *def)
{
    const char *identification = mpiot_defs_name(MPIOT_KIND_IO_PARADIGM, def->id);
    const struct mpiot_paradigm *known = mpiot_paradigms;
    const struct mpiot_paradigm *end = mpiot_paradigms + MPIOT_PARADIGM_COUNT;

    while (known < end && strcmp(known->identification, identification) != 0)
        known++;
    if (known == end)
        return;
    bool parallel = def->paradigm.class == OTF2_IO_PARADIGM_CLASS_PARALLEL;
    if (known->paradigm_class == MPIOT_PARADIGM_PARALLEL && !parallel)
        mpiot_def_problem(MPIOT_KIND_IO_PARADIGM, def->id, "its class must be PARALLEL");
    if (known->paradigm_class == MPIOT_PARADIGM_SERIAL && parallel)
        mpiot_def_problem(MPIOT_KIND_IO_PARADIGM, def->id, "its class must be SERIAL");
    if (def->paradigm.flags != known->flags)
        mpiot_def_problem(MPIOT_KIND_IO_PARADIGM, def->id,
                          "its flags are %" PRIu32 ", they must be %" PRIu32, def->paradigm.flags,
                          known->flags);
}

static int compare_members(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void check_unique_members(const struct mpiot_def *def)
{
    size_t size = def->group.count * sizeof *def->group.members;
    uint64_t *sorted = mpiot_resize(NULL, size + 1);

    memcpy(sorted, def->group.members, size);
    qsort(sorted, def->group.count, sizeof *sorted, compare_members);
    for (uint32_t i = 1; i < def->group.count; i++)
        if (sorted[i] == sorted[i - 1])
            mpiot_def_problem(MPIOT_KIND_GROUP, def->id, "member %" PRIu64 " is there twice",
                              sorted[i]);
    free(sorted);
}

/** Indices must be within the list of the paradigm's locations. */
static void check_indices(const struct mpiot_def *def, const struct mpiot_def *all)
{
    for (uint32_t i = 0; i < def->group.count; i++)
        if (def->group.members[i] >= all->group.count)
            mpiot_def_problem(MPIOT_KIND_GROUP, def->id,
                              "member %" PRIu64 " is no index into the %" PRIu32
                              " members of COMM_LOCATIONS",
                              def->group.members[i], all->group.count);
}

const struct mpiot_def *mpiot_defs_comm_locations(OTF2_Paradigm paradigm)
{
    size_t count;
    const struct mpiot_def *groups = mpiot_defs_all(MPIOT_KIND_GROUP, &count);

    for (size_t i = 0; i < count; i++)
        if (groups[i].group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
            groups[i].group.paradigm == paradigm)
            return &groups[i];
    return NULL;
}

static void check_groups(void)
{
    bool has_self[UINT8_MAX + 1] = {false};
    size_t count;
    const struct mpiot_def *groups = mpiot_defs_all(MPIOT_KIND_GROUP, &count);

    for (const struct mpiot_def *def = groups; def < groups + count; def++) {
        const struct mpiot_def *all = mpiot_defs_comm_locations(def->group.paradigm);
        switch (def->group.type) {
        case OTF2_GROUP_TYPE_COMM_LOCATIONS:
            check_unique_members(def);
            if (def != all)
                mpiot_def_problem(MPIOT_KIND_GROUP, def->id,
                                  "a second COMM_LOCATIONS of its paradigm, after Group %" PRIu64,
                                  all->id);
            break;
        case OTF2_GROUP_TYPE_COMM_GROUP:
            check_unique_members(def);
            if (all)
                check_indices(def, all);
            break;
        case OTF2_GROUP_TYPE_COMM_SELF:
            if (has_self[def->group.paradigm])
                mpiot_def_problem(MPIOT_KIND_GROUP, def->id, "a second COMM_SELF of its paradigm");
            has_self[def->group.paradigm] = true;
            break;
        default:
            break;
        }
    }
}

static void check_comm(const struct mpiot_def *def)
{
    const struct mpiot_def *group = mpiot_defs_find(MPIOT_KIND_GROUP, def->comm.group);

    if (group && group->group.type != OTF2_GROUP_TYPE_COMM_GROUP &&
        group->group.type != OTF2_GROUP_TYPE_COMM_SELF)
        mpiot_def_problem(MPIOT_KIND_COMM, def->id,
                          "Group %" PRIu64 " is neither a COMM_GROUP nor a COMM_SELF", group->id);
}

static void check_handle(const struct mpiot_def *def)
{
    const struct mpiot_def *paradigm =
        mpiot_defs_find(MPIOT_KIND_IO_PARADIGM, def->handle.paradigm);

    if (paradigm && paradigm->paradigm.class == OTF2_IO_PARADIGM_CLASS_SERIAL &&
        def->handle.comm != OTF2_UNDEFINED_COMM)
        mpiot_def_problem(MPIOT_KIND_IO_HANDLE, def->id,
                          "has a communicator, but \"%s\" is a serial paradigm",
                          mpiot_defs_name(MPIOT_KIND_IO_PARADIGM, paradigm->id));
}

static void check_pre_created(const struct mpiot_def *def)
{
    const struct mpiot_def *handle = mpiot_defs_find(MPIOT_KIND_IO_HANDLE, def->id);

    if (handle && !(handle->handle.flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED))
        mpiot_def_problem(MPIOT_KIND_IO_HANDLE, def->id,
                          "has an IoPreCreatedHandleState, but not the flag PRE_CREATED");
}

/** Computes the depths of a context and those above it, each once; cuts a circle. */
static void measure_context(struct mpiot_def *def, size_t count)
{
    uint32_t steps = 0, depth;
    struct mpiot_def *at = def;

    while (at && at->context.depth == 0 && steps <= count) {
        steps++;
        at = mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, at->context.parent);
    }
    if (steps > count) {
        mpiot_def_problem(MPIOT_KIND_CALLING_CONTEXT, def->id, "its parents form a circle");
        def->context.parent = OTF2_UNDEFINED_CALLING_CONTEXT;
        def->context.depth = 1;
        return;
    }
    depth = at ? at->context.depth + steps : steps;
    for (at = def; steps > 0; steps--) {
        at->context.depth = depth--;
        at = mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, at->context.parent);
    }
}

static void check_each(enum mpiot_kind kind, void (*check)(const struct mpiot_def *def))
{
    size_t count;
    const struct mpiot_def *defs = mpiot_defs_all(kind, &count);

    for (size_t i = 0; i < count; i++)
        check(&defs[i]);
}

void mpiot_check_rules(void)
{
    size_t count;
    struct mpiot_def *contexts = mpiot_defs_all(MPIOT_KIND_CALLING_CONTEXT, &count);

    for (size_t i = 0; i < count; i++)
        measure_context(&contexts[i], count);
    if (!mpiot_defs_find(MPIOT_KIND_CLOCK_PROPERTIES, 0))
        mpiot_def_problem(MPIOT_KIND_CLOCK_PROPERTIES, 0, "not defined");
    check_each(MPIOT_KIND_IO_PARADIGM, check_paradigm);
    check_groups();
    check_each(MPIOT_KIND_COMM, check_comm);
    check_each(MPIOT_KIND_IO_HANDLE, check_handle);
    check_each(MPIOT_KIND_PRE_CREATED_STATE, check_pre_created);
}
