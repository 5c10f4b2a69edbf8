/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_collective.h"

#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_events.h"

/** So many collective operations are compared among ranks, and no more: a bound of memory. */
enum { MOST_COMPARED = 1 << 20 };

/** One collective operation on a handle: when its ranks began it. */
struct meeting {
    uint64_t last;    /**< arrival */
    uint64_t earlier; /**< sum of the ticks by which the others came before the last */
    uint32_t ranks;   /**< so far */
    uint32_t last_rank;
};

/** A handle's collective operations, in their order, which is the same on all ranks. */
struct mpiot_meetings {
    uint32_t handle, file;
    uint32_t rank; /**< whose operations are counted */
    size_t next;   /**< index of its next one */
    struct meeting *meetings;
    size_t count, capacity;
    UT_hash_handle hh;
};

static struct {
    struct mpiot_meetings *handles; /**< hash */
    size_t compared;
} state;

static struct mpiot_meetings *meetings_of(uint32_t handle, uint32_t file)
{
    struct mpiot_meetings *meetings;

    HASH_FIND(hh, state.handles, &handle, sizeof handle, meetings);
    if (!meetings) {
        meetings = mpiot_resize(NULL, sizeof *meetings);
        *meetings = (struct mpiot_meetings){.handle = handle, .file = file, .rank = MPIOT_NONE};
        HASH_ADD(hh, state.handles, handle, sizeof handle, meetings);
    }
    if (meetings->rank != mpiot_walk.rank_index) {
        meetings->rank = mpiot_walk.rank_index;
        meetings->next = 0;
    }
    return meetings;
}

void mpiot_collective_begin(uint32_t handle, uint32_t file, uint64_t time, bool is_selected)
{
    struct mpiot_meetings *meetings = meetings_of(handle, file);

    if (meetings->next == meetings->count) {
        if (state.compared == MOST_COMPARED)
            return;
        state.compared++;
        meetings->meetings = mpiot_grow(meetings->meetings, meetings->count, &meetings->capacity,
                                        sizeof *meetings->meetings);
        meetings->meetings[meetings->count++] = (struct meeting){.last_rank = MPIOT_NONE};
    }
    struct meeting *meeting = &meetings->meetings[meetings->next++];
    if (!is_selected)
        return;
    if (time > meeting->last || meeting->ranks == 0) {
        meeting->earlier += meeting->ranks * (time - meeting->last);
        meeting->last = time;
        meeting->last_rank = mpiot_walk.rank_index;
    } else {
        meeting->earlier += meeting->last - time;
    }
    meeting->ranks++;
}

/** What one rank came last in. */
struct blame {
    uint64_t operations, ticks;
};

static void add(struct mpiot_lateness *late, struct blame *blames,
                const struct mpiot_meetings *meetings)
{
    for (size_t i = 0; i < meetings->count; i++) {
        const struct meeting *meeting = &meetings->meetings[i];
        if (meeting->ranks < 2)
            continue;
        late->operations++;
        late->ticks += meeting->earlier;
        blames[meeting->last_rank].operations++;
        blames[meeting->last_rank].ticks += meeting->earlier;
    }
}

struct mpiot_lateness mpiot_collective_lateness(uint32_t file)
{
    struct mpiot_lateness late = {0};
    struct blame *blames = mpiot_resize(NULL, (mpiot_model.rank_count + 1) * sizeof *blames);

    for (size_t i = 0; i <= mpiot_model.rank_count; i++)
        blames[i] = (struct blame){0};
    for (const struct mpiot_meetings *meetings = state.handles; meetings;
         meetings = meetings->hh.next)
        if (meetings->file == file)
            add(&late, blames, meetings);
    for (uint32_t i = 0; i < mpiot_model.rank_count; i++)
        if (blames[i].ticks > blames[late.latest].ticks)
            late.latest = i;
    late.latest_operations = blames[late.latest].operations;
    free(blames);
    return late;
}
