/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/location.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace/clock.h"
#include "trace/events.h"
#include "trace/journal.h"
#include "trace/trace.h"

static struct {
    pthread_mutex_t lock;
    OTF2_Archive *archive;
    int world_rank;
    uint32_t root_region, root_context;
    uint32_t count;
    struct mpiot_location *first, **last;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

void mpiot_locations_start(OTF2_Archive *archive, int world_rank, uint32_t root_region,
                           uint32_t root_context)
{
    state.archive = archive;
    state.world_rank = world_rank;
    state.count = 0;
    state.first = NULL;
    state.last = &state.first;
    state.root_region = root_region;
    state.root_context = root_context;
}

/** OTF2 wants it said once per process which program runs (OTF2_Events.h, ProgramBegin). */
static void program_begin(struct mpiot_location *location, uint64_t time)
{
    uint32_t name = mpiot_define_string(program_invocation_name);
    if (OTF2_EvtWriter_ProgramBegin(location->writer, NULL, time, name, 0, NULL) != OTF2_SUCCESS)
        mpiot_trace_stop("cannot write an event");
}

struct mpiot_location *mpiot_location_create(uint64_t time)
{
    struct mpiot_location *location = calloc(1, sizeof *location);
    if (!location)
        return NULL;
    location->offset_attribute = MPIOT_UNDEFINED;
    location->attributes = OTF2_AttributeList_New();
    if (!location->attributes)
        goto free_location;

    pthread_mutex_lock(&state.lock);
    if (mpiot_trace_is_off())
        goto unlock;
    location->thread = state.count;
    location->id = (uint64_t)location->thread << 32 | (uint32_t)state.world_rank;
    location->writer = OTF2_Archive_GetEvtWriter(state.archive, location->id);
    if (!location->writer)
        goto unlock;
    state.count++;
    *state.last = location;
    state.last = &location->next;
    /* Under the lock: the journal's readers rely on the order of the threads' numbers. */
    struct mpiot_journal_location row = {location->id, location->thread, time};
    mpiot_journal_append(MPIOT_JOURNAL_LOCATION, &row.id, sizeof row / sizeof row.id);
    pthread_mutex_unlock(&state.lock);

    location->first_time = location->last_time = time;
    if (location->thread == 0)
        program_begin(location, time);
    if (state.root_context == MPIOT_UNDEFINED)
        mpiot_event_enter(location, time, state.root_region);
    else
        mpiot_event_context_enter(location, time, state.root_context, 2);
    return location;

unlock:
    pthread_mutex_unlock(&state.lock);
    OTF2_AttributeList_Delete(location->attributes);
free_location:
    free(location);
    return NULL;
}

void mpiot_locations_end(OTF2_Archive *archive)
{
    /* No record of the process may be later than ProgramEnd (OTF2_EvtWriter.h). */
    uint64_t end = mpiot_clock_now();
    for (struct mpiot_location *location = state.first; location; location = location->next)
        if (location->last_time > end)
            end = location->last_time;

    for (struct mpiot_location *location = state.first; location; location = location->next) {
        if (state.root_context == MPIOT_UNDEFINED)
            mpiot_event_leave(location, end, state.root_region);
        else
            mpiot_event_context_leave(location, end, state.root_context);
        if (location->thread == 0)
            OTF2_EvtWriter_ProgramEnd(location->writer, NULL, end, OTF2_UNDEFINED_INT64);
        OTF2_EvtWriter_GetNumberOfEvents(location->writer, &location->event_count);
        OTF2_Archive_CloseEvtWriter(archive, location->writer);
        location->writer = NULL;
    }
}

int mpiot_locations_list(struct mpiot_writeout_location **list, size_t *count)
{
    *count = 0;
    *list = malloc((state.count ? state.count : 1) * sizeof **list);
    if (!*list)
        return -ENOMEM;
    for (struct mpiot_location *location = state.first; location; location = location->next)
        (*list)[(*count)++] = (struct mpiot_writeout_location){location->id, location->thread,
                                                               location->event_count};
    return 0;
}

struct mpiot_location *mpiot_locations(void)
{
    return state.first;
}

void mpiot_locations_release(void)
{
    while (state.first) {
        struct mpiot_location *next = state.first->next;
        OTF2_AttributeList_Delete(state.first->attributes);
        free(state.first);
        state.first = next;
    }
}
