/* SPDX-License-Identifier: BSD-3-Clause */
/* Nesting of regions: Enter, Leave, and the records CallingContext* (OTF2, CallingContext). */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/check_events.h"
#include "tools/check_report.h"

static struct {
    bool has_plain, has_context, told_mixed;
} state;

/** `region 3 "main"`, `context 3 "main"`; malloc'ed. */
static char *describe(enum mpiot_kind kind, uint64_t id)
{
    const struct mpiot_def *context = mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, id);
    bool is_region = kind == MPIOT_KIND_REGION;
    const char *name =
        mpiot_defs_name(MPIOT_KIND_REGION, is_region || !context ? id : context->context.region);

    return mpiot_text("%s %" PRIu64 " \"%s\"", is_region ? "region" : "context", id, name);
}

/** The archive's enters and leaves must all be of one kind. */
static void note_kind(const struct mpiot_event *event, enum mpiot_kind kind)
{
    *(kind == MPIOT_KIND_REGION ? &state.has_plain : &state.has_context) = true;
    if (state.has_plain && state.has_context && !state.told_mixed) {
        mpiot_event_problem(event, "",
                            "Enter and Leave are mixed with records of calling contexts");
        state.told_mixed = true;
    }
}

static void enter(const struct mpiot_event *event, enum mpiot_kind kind, uint64_t id)
{
    struct mpiot_location *location = event->location;

    note_kind(event, kind);
    location->regions = mpiot_grow(location->regions, location->depth, &location->depth_capacity,
                                   sizeof *location->regions);
    location->regions[location->depth++] = (struct mpiot_open_region){id, event->time};
}

/** Pops the region; one that is further below takes those above it along, so that one is told. */
static void leave(const struct mpiot_event *event, enum mpiot_kind kind, uint64_t id)
{
    struct mpiot_location *location = event->location;
    size_t depth = location->depth;

    note_kind(event, kind);
    if (depth > 0 && location->regions[depth - 1].id == id) {
        location->depth--;
        return;
    }
    if (!mpiot_event_need(event, kind, id))
        return;
    char *left = describe(kind, id);
    if (depth == 0) {
        mpiot_event_problem(event, left, "nothing is entered");
    } else {
        char *entered = describe(kind, location->regions[depth - 1].id);
        mpiot_event_problem(event, left, "%s was entered last, at time %" PRIu64, entered,
                            location->regions[depth - 1].time);
        free(entered);
    }
    free(left);
    while (depth > 0 && location->regions[depth - 1].id != id)
        depth--;
    if (depth > 0)
        location->depth = depth - 1;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "Enter")) {
        mpiot_event_need(&event, MPIOT_KIND_REGION, region);
        enter(&event, MPIOT_KIND_REGION, region);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "Leave"))
        leave(&event, MPIOT_KIND_REGION, region);
    return OTF2_CALLBACK_SUCCESS;
}

/** The context `steps` above, UNDEFINED where the path ends before that. */
static uint64_t above(uint64_t context, uint64_t steps)
{
    const struct mpiot_def *def;

    while (steps-- > 0 && (def = mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, context)))
        context = def->context.parent;
    return mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, context) ? context
                                                                : OTF2_UNDEFINED_CALLING_CONTEXT;
}

static uint32_t depth_of(uint64_t context)
{
    const struct mpiot_def *def = mpiot_defs_find(MPIOT_KIND_CALLING_CONTEXT, context);
    return def ? def->context.depth : 0;
}

/** Whether `context` is on the path from `other` to the root; UNDEFINED is on every one. */
static bool is_on_path(uint64_t context, uint64_t other)
{
    uint32_t depth = depth_of(context), other_depth = depth_of(other);
    return depth <= other_depth &&
           above(other, other_depth - depth) == (depth ? context : OTF2_UNDEFINED_CALLING_CONTEXT);
}

/**
 * The unwind distance counts from the context to a node that was in the previous context too, and
 * does not reach beyond the parent of the region entered last.
 */
static void check_distance(const struct mpiot_event *event, OTF2_CallingContextRef context,
                           uint32_t distance)
{
    const struct mpiot_location *location = event->location;
    uint64_t kept = above(context, distance ? distance - 1 : 0);
    const char *problem = NULL;

    if (distance > 0 && distance - 1 > depth_of(context))
        problem = "is longer than the path";
    else if (distance == 0 ? context != location->context : !is_on_path(kept, location->context))
        problem = "leads to a context that is not part of the one before";
    else if (location->depth > 0 && !state.has_plain &&
             !is_on_path(above(location->regions[location->depth - 1].id, 1), kept))
        problem = "leads beyond the region entered last";
    if (!problem)
        return;
    char *about = describe(MPIOT_KIND_CALLING_CONTEXT, context);
    mpiot_event_problem(event, about, "unwind distance %" PRIu32 " %s", distance, problem);
    free(about);
}

static OTF2_CallbackCode on_context_enter(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context, uint32_t distance)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "CallingContextEnter")) {
        if (mpiot_event_need(&event, MPIOT_KIND_CALLING_CONTEXT, context))
            check_distance(&event, context, distance);
        enter(&event, MPIOT_KIND_CALLING_CONTEXT, context);
        event.location->context = context;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context_leave(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                          OTF2_AttributeList *attributes,
                                          OTF2_CallingContextRef context)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "CallingContextLeave")) {
        leave(&event, MPIOT_KIND_CALLING_CONTEXT, context);
        event.location->context = above(context, 1);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context_sample(OTF2_LocationRef id, OTF2_TimeStamp time, void *user,
                                           OTF2_AttributeList *attributes,
                                           OTF2_CallingContextRef context, uint32_t distance,
                                           OTF2_InterruptGeneratorRef generator)
{
    struct mpiot_event event;

    (void)user;
    if (mpiot_event_start(&event, id, time, attributes, "CallingContextSample")) {
        note_kind(&event, MPIOT_KIND_CALLING_CONTEXT);
        if (mpiot_event_need(&event, MPIOT_KIND_CALLING_CONTEXT, context))
            check_distance(&event, context, distance);
        mpiot_event_need(&event, MPIOT_KIND_INTERRUPT_GENERATOR, generator);
        event.location->context = context;
    }
    return OTF2_CALLBACK_SUCCESS;
}

void mpiot_check_regions_end(const struct mpiot_location *location)
{
    enum mpiot_kind kind = state.has_context ? MPIOT_KIND_CALLING_CONTEXT : MPIOT_KIND_REGION;

    for (size_t i = location->depth; i > 0; i--) {
        const struct mpiot_open_region *region = &location->regions[i - 1];
        struct mpiot_event event = {(struct mpiot_location *)location, region->time,
                                    state.has_context ? "CallingContextEnter" : "Enter"};
        char *about = describe(kind, region->id);
        mpiot_event_problem(&event, about, "not left by the end of the trace");
        free(about);
    }
}

void mpiot_check_regions_set(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_context_sample);
}
