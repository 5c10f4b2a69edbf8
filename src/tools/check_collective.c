/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check_collective.h"

#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "tools/check_report.h"

static const char *const names[MPIOT_COLLECTIVES] = {
    [MPIOT_COLLECTIVE_READ] = "collective reads",
    [MPIOT_COLLECTIVE_WRITE] = "collective writes",
    [MPIOT_COLLECTIVE_FLUSH] = "collective flushes",
    [MPIOT_COLLECTIVE_CREATE] = "IoCreateHandle records",
    [MPIOT_COLLECTIVE_DESTROY] = "IoDestroyHandle records",
    [MPIOT_COLLECTIVE_DUPLICATE] = "IoDuplicateHandle records",
};

struct key {
    uint64_t comm, process; /**< no padding: the bytes are hashed */
};

/** What one process did on one communicator. */
struct part {
    struct key key;
    uint64_t counts[MPIOT_COLLECTIVES];
    bool is_member;
    UT_hash_handle hh;
};

static struct {
    struct part *parts;
} state;

static struct part *find(OTF2_CommRef comm, OTF2_LocationGroupRef process)
{
    struct key key = {comm, process};
    struct part *part;

    HASH_FIND(hh, state.parts, &key, sizeof key, part);
    return part;
}

void mpiot_check_collective_count(OTF2_CommRef comm, const struct mpiot_process *process,
                                  enum mpiot_collective what)
{
    if (comm == OTF2_UNDEFINED_COMM)
        return;
    struct part *part = find(comm, process->group);
    if (!part) {
        part = mpiot_resize(NULL, sizeof *part);
        *part = (struct part){.key = {comm, process->group}};
        HASH_ADD(hh, state.parts, key, sizeof part->key, part);
    }
    part->counts[what]++;
}

/** The process that a member of a communicator's group is; UNDEFINED if that is not defined. */
static OTF2_LocationGroupRef process_of(const struct mpiot_def *all, uint64_t member)
{
    const struct mpiot_def *location =
        member < all->group.count ? mpiot_defs_find(MPIOT_KIND_LOCATION, all->group.members[member])
                                  : NULL;
    return location ? location->location.group : OTF2_UNDEFINED_LOCATION_GROUP;
}

/** Each member against the first. */
static void check_member(const struct mpiot_def *comm, OTF2_LocationGroupRef first,
                         OTF2_LocationGroupRef member, bool told[])
{
    const struct part *first_part = find(comm->id, first);
    struct part *part = find(comm->id, member);

    if (part)
        part->is_member = true;
    for (int what = 0; what < MPIOT_COLLECTIVES; what++) {
        uint64_t expected = first_part ? first_part->counts[what] : 0;
        uint64_t count = part ? part->counts[what] : 0;
        if (count == expected || told[what])
            continue;
        mpiot_def_problem(MPIOT_KIND_COMM, comm->id,
                          "%" PRIu64 " %s by \"%s\", but %" PRIu64 " by \"%s\"", expected,
                          names[what], mpiot_defs_name(MPIOT_KIND_LOCATION_GROUP, first), count,
                          mpiot_defs_name(MPIOT_KIND_LOCATION_GROUP, member));
        told[what] = true; /* of a thousand members that differ, one will do */
    }
}

/** The group of a communicator whose members can be compared, or NULL. */
static const struct mpiot_def *comparable_group(OTF2_CommRef id)
{
    const struct mpiot_def *comm = mpiot_defs_find(MPIOT_KIND_COMM, id);
    const struct mpiot_def *group =
        comm ? mpiot_defs_find(MPIOT_KIND_GROUP, comm->comm.group) : NULL;

    return group && group->group.type == OTF2_GROUP_TYPE_COMM_GROUP &&
                   mpiot_defs_comm_locations(group->group.paradigm)
               ? group
               : NULL;
}

static void check_comm(const struct mpiot_def *comm)
{
    const struct mpiot_def *group = comparable_group(comm->id);
    bool told[MPIOT_COLLECTIVES] = {false};

    if (!group)
        return;
    const struct mpiot_def *all = mpiot_defs_comm_locations(group->group.paradigm);
    for (uint32_t i = 0; i < group->group.count; i++)
        check_member(comm, process_of(all, group->group.members[0]),
                     process_of(all, group->group.members[i]), told);
}

void mpiot_check_collective_end(void)
{
    size_t count;
    const struct mpiot_def *comms = mpiot_defs_all(MPIOT_KIND_COMM, &count);

    for (size_t i = 0; i < count; i++)
        check_comm(&comms[i]);
    for (const struct part *part = state.parts; part; part = part->hh.next)
        if (!part->is_member && comparable_group(part->key.comm))
            mpiot_def_problem(MPIOT_KIND_COMM, part->key.comm,
                              "\"%s\" is not a member, but takes part in its collectives",
                              mpiot_defs_name(MPIOT_KIND_LOCATION_GROUP, part->key.process));
}
