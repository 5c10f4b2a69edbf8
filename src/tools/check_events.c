/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_GlobalEvtReaderCallbacks.h; OTF2_EvtWriter.h for what records mean. */
#include "tools/check_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "tools/check_collective.h"
#include "tools/check_report.h"

static struct {
    struct mpiot_location *locations; /**< in order of identifiers, as their definitions */
    size_t location_count;
    struct mpiot_process *processes; /**< in the order of the location groups */
    size_t process_count;
    struct mpiot_location *last; /**< whose event came last: the next is mostly its, too */
    OTF2_TimeStamp clock_begin, clock_end;
} state;

void mpiot_event_problem(const struct mpiot_event *event, const char *about, const char *format,
                         ...)
{
    char *record = mpiot_text(*about ? "%s(%s)" : "%s%s", event->record, about);
    const struct mpiot_where where = {
        .record = record, .has_time = true, .location = event->location->id, .time = event->time};
    va_list arguments;

    va_start(arguments, format);
    mpiot_check_report_problem_list(&where, format, arguments);
    va_end(arguments);
    free(record);
}

const struct mpiot_def *mpiot_event_need(const struct mpiot_event *event, enum mpiot_kind kind,
                                         uint64_t id)
{
    const struct mpiot_def *def = mpiot_defs_find(kind, id);

    if (!def)
        mpiot_event_problem(event, "", "%s %" PRIu64 " is not defined", mpiot_kind_name(kind), id);
    return def;
}

/** Attributes are defined, have the type that they are defined with, and refer to definitions. */
static void check_attributes(const struct mpiot_event *event, const OTF2_AttributeList *attributes)
{
    uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);

    for (uint32_t i = 0; i < count; i++) {
        OTF2_AttributeRef attribute;
        OTF2_Type type;
        OTF2_AttributeValue value;
        OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute, &type, &value);

        const struct mpiot_def *def = mpiot_event_need(event, MPIOT_KIND_ATTRIBUTE, attribute);
        if (def && def->type != type)
            mpiot_event_problem(
                event, "", "attribute %" PRIu32 " \"%s\" has type %u, but is defined with %u",
                attribute, mpiot_defs_name(MPIOT_KIND_ATTRIBUTE, attribute), type, def->type);
        enum mpiot_kind kind = mpiot_kind_of_type(type);
        if (kind != MPIOT_KINDS)
            mpiot_event_need(event, kind, mpiot_reference_of_value(type, value));
    }
}

static void check_time(const struct mpiot_event *event)
{
    struct mpiot_location *location = event->location;
    struct mpiot_process *process = location->process;

    if (event->time < location->last_time)
        mpiot_event_problem(event, "", "earlier than the record before it, of time %" PRIu64,
                            location->last_time);
    location->last_time = event->time;
    if ((event->time < state.clock_begin || event->time > state.clock_end) &&
        !location->told_outside_clock) {
        mpiot_event_problem(event, "", "outside ClockProperties' times, %" PRIu64 " to %" PRIu64,
                            state.clock_begin, state.clock_end);
        location->told_outside_clock = true;
    }
    if (!process->has_events || event->time < process->first_time)
        process->first_time = event->time;
    process->has_events = true;
    if (process->has_ended && event->time > process->end_time && !process->told_late) {
        mpiot_event_problem(event, "", "later than the process's ProgramEnd, of time %" PRIu64,
                            process->end_time);
        process->told_late = true;
    }
}

bool mpiot_event_start(struct mpiot_event *event, OTF2_LocationRef id, OTF2_TimeStamp time,
                       const OTF2_AttributeList *attributes, const char *record)
{
    if (!state.last || state.last->id != id) {
        const struct mpiot_def *def = mpiot_defs_find(MPIOT_KIND_LOCATION, id);
        size_t count;
        if (!def)
            return false; /* cannot be: only defined locations are read */
        state.last = &state.locations[def - mpiot_defs_all(MPIOT_KIND_LOCATION, &count)];
    }
    *event = (struct mpiot_event){state.last, time, record};
    event->location->events++;
    mpiot_check_totals.events++;
    check_time(event);
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0)
        check_attributes(event, attributes);
    return true;
}

/** A location and its process, unless the group that should be it is not defined. */
static void make_location(struct mpiot_location *location, const struct mpiot_def *def)
{
    const struct mpiot_def *group = mpiot_defs_find(MPIOT_KIND_LOCATION_GROUP, def->location.group);
    size_t count;

    *location = (struct mpiot_location){.id = def->id,
                                        .events_defined = def->location.events,
                                        .context = OTF2_UNDEFINED_CALLING_CONTEXT};
    /* The last process stands for all groups that are not defined. */
    location->process =
        &state.processes[group ? (size_t)(group - mpiot_defs_all(MPIOT_KIND_LOCATION_GROUP, &count))
                               : state.process_count - 1];
    location->next_of_process = location->process->locations;
    location->process->locations = location;
}

static void make_state(void)
{
    size_t count;
    const struct mpiot_def *groups = mpiot_defs_all(MPIOT_KIND_LOCATION_GROUP, &count);

    state.process_count = count + 1;
    state.processes = mpiot_resize(NULL, state.process_count * sizeof *state.processes);
    for (size_t i = 0; i < state.process_count; i++)
        state.processes[i] = (struct mpiot_process){.group = OTF2_UNDEFINED_LOCATION_GROUP};
    for (size_t i = 0; i < count; i++)
        state.processes[i].group = (OTF2_LocationGroupRef)groups[i].id;

    const struct mpiot_def *locations = mpiot_defs_all(MPIOT_KIND_LOCATION, &state.location_count);
    state.locations = mpiot_resize(NULL, (state.location_count + 1) * sizeof *state.locations);
    for (size_t i = 0; i < state.location_count; i++)
        make_location(&state.locations[i], &locations[i]);

    const struct mpiot_def *clock = mpiot_defs_find(MPIOT_KIND_CLOCK_PROPERTIES, 0);
    state.clock_begin = clock ? clock->clock.begin : 0;
    state.clock_end = clock ? clock->clock.end : UINT64_MAX;
}

/** What should be over, or there, at the end of a location or process. */
static void check_end(void)
{
    for (size_t i = 0; i < state.location_count; i++) {
        const struct mpiot_location *location = &state.locations[i];
        if (location->events != location->events_defined)
            mpiot_def_problem(MPIOT_KIND_LOCATION, location->id,
                              "has %" PRIu64 " events, %" PRIu64 " by its definition",
                              location->events, location->events_defined);
        if (!mpiot_check_archive.partial)
            mpiot_check_regions_end(location);
    }
    for (size_t i = 0; i < state.process_count && !mpiot_check_archive.partial; i++) {
        const struct mpiot_process *process = &state.processes[i];
        mpiot_check_operations_end(process);
        if (process->has_begun != process->has_ended)
            mpiot_def_problem(MPIOT_KIND_LOCATION_GROUP, process->group, "%s",
                              process->has_begun ? "has a ProgramBegin, but no ProgramEnd"
                                                 : "has a ProgramEnd, but no ProgramBegin");
    }
    if (!mpiot_check_archive.incomplete)
        mpiot_check_collective_end();
}

int mpiot_check_events(struct mpiot_archive *archive)
{
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    uint64_t read;

    if (!callbacks)
        return -ENOMEM;
    make_state();
    mpiot_check_records_set(callbacks);
    mpiot_check_regions_set(callbacks);
    mpiot_check_io_set(callbacks);
    mpiot_check_operations_set(callbacks);

    OTF2_LocationRef *ids = mpiot_resize(NULL, (state.location_count + 1) * sizeof *ids);
    for (size_t i = 0; i < state.location_count; i++)
        ids[i] = state.locations[i].id;
    int error =
        mpiot_archive_read_events(archive, ids, state.location_count, callbacks, NULL, &read);
    free(ids);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
    if (!error)
        check_end();
    return error;
}
