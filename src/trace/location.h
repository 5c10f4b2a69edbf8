/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Locations, as the modules of src/trace share them; the record layer sees an opaque type.
 *
 * OTF2 documentation: OTF2_EvtWriter.h, "Location" in OTF2_GlobalDefWriter.h.
 */
#ifndef MPIOT_TRACE_LOCATION_H
#define MPIOT_TRACE_LOCATION_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/archive.h"

struct mpiot_location {
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes; /**< of the record written next */
    bool has_attributes;            /**< there are any */
    uint32_t offset_attribute;      /**< reference of "Offset", or MPIOT_UNDEFINED */
    uint64_t last_time;
    uint64_t first_time;
    OTF2_LocationRef id;  /**< thread index << 32 | rank */
    uint32_t thread;      /**< 0 is the thread that made the first location */
    uint64_t event_count; /**< known once the location has ended */
    struct mpiot_location *next;
};

/**
 * Before the first location: whose they are, where they write, and what stands for the program: a
 * region, and a calling context or MPIOT_UNDEFINED.
 */
void mpiot_locations_start(OTF2_Archive *archive, int world_rank, uint32_t root_region,
                           uint32_t root_context);

/** Leaves the root region of all locations, ProgramEnd included, and closes their writers. */
void mpiot_locations_end(OTF2_Archive *archive);

/** What the archive says of them, once they have ended; `list` is malloc'ed. */
int mpiot_locations_list(struct mpiot_writeout_location **list, size_t *count);

/** All locations of the process, in order of thread index; valid until the release. */
struct mpiot_location *mpiot_locations(void);
void mpiot_locations_release(void);

#endif
