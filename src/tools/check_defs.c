/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_GlobalDefReaderCallbacks.h: one callback per definition record. */
#include "tools/check_defs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/check_report.h"

static struct {
    bool has_comm_locations[UINT8_MAX + 1]; /**< by paradigm: its COMM_LOCATIONS has been read */
} state;

/** Adds a definition that must have a name. */
static struct mpiot_def *add_named(enum mpiot_kind kind, uint64_t id, OTF2_StringRef name)
{
    mpiot_defs_need(kind, id, "name", MPIOT_KIND_STRING, name);
    return mpiot_defs_add(kind, id, name);
}

static OTF2_CallbackCode on_clock_properties(void *user, uint64_t resolution, uint64_t begin,
                                             uint64_t length, uint64_t realtime)
{
    (void)user, (void)realtime;
    struct mpiot_def *def = mpiot_defs_add(MPIOT_KIND_CLOCK_PROPERTIES, 0, OTF2_UNDEFINED_STRING);
    def->clock.begin = begin;
    def->clock.end = begin + length;
    if (resolution == 0)
        mpiot_def_problem(MPIOT_KIND_CLOCK_PROPERTIES, 0, "the timer resolution is 0");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *string)
{
    (void)user;
    mpiot_defs_add(MPIOT_KIND_STRING, self, OTF2_UNDEFINED_STRING)->string =
        mpiot_text("%s", string);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    (void)user;
    add_named(MPIOT_KIND_ATTRIBUTE, self, name)->type = type;
    mpiot_defs_allow(MPIOT_KIND_ATTRIBUTE, self, "description", MPIOT_KIND_STRING, description);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_system_tree_node(void *user, OTF2_SystemTreeNodeRef self,
                                             OTF2_StringRef name, OTF2_StringRef class_name,
                                             OTF2_SystemTreeNodeRef parent)
{
    (void)user;
    add_named(MPIOT_KIND_SYSTEM_TREE_NODE, self, name);
    mpiot_defs_need(MPIOT_KIND_SYSTEM_TREE_NODE, self, "className", MPIOT_KIND_STRING, class_name);
    mpiot_defs_allow(MPIOT_KIND_SYSTEM_TREE_NODE, self, "parent", MPIOT_KIND_SYSTEM_TREE_NODE,
                     parent);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_system_tree_node_domain(void *user, OTF2_SystemTreeNodeRef node,
                                                    OTF2_SystemTreeDomain domain)
{
    (void)user, (void)domain;
    mpiot_defs_need(MPIOT_KIND_SYSTEM_TREE_NODE, node, "domain", MPIOT_KIND_SYSTEM_TREE_NODE, node);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_system_tree_node_property(void *user, OTF2_SystemTreeNodeRef node,
                                                      OTF2_StringRef name, OTF2_Type type,
                                                      OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_property(MPIOT_KIND_SYSTEM_TREE_NODE, node, name, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef parent,
                                           OTF2_LocationGroupRef creator)
{
    (void)user, (void)type;
    add_named(MPIOT_KIND_LOCATION_GROUP, self, name);
    mpiot_defs_allow(MPIOT_KIND_LOCATION_GROUP, self, "systemTreeParent",
                     MPIOT_KIND_SYSTEM_TREE_NODE, parent);
    mpiot_defs_allow(MPIOT_KIND_LOCATION_GROUP, self, "creatingLocationGroup",
                     MPIOT_KIND_LOCATION_GROUP, creator);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group_property(void *user, OTF2_LocationGroupRef group,
                                                    OTF2_StringRef name, OTF2_Type type,
                                                    OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_property(MPIOT_KIND_LOCATION_GROUP, group, name, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    (void)user, (void)type;
    struct mpiot_def *def = add_named(MPIOT_KIND_LOCATION, self, name);
    def->location.events = events;
    def->location.group = group;
    mpiot_defs_need(MPIOT_KIND_LOCATION, self, "locationGroup", MPIOT_KIND_LOCATION_GROUP, group);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_property(void *user, OTF2_LocationRef location,
                                              OTF2_StringRef name, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    (void)user;
    mpiot_defs_property(MPIOT_KIND_LOCATION, location, name, type, value);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef source_file,
                                   uint32_t begin, uint32_t end)
{
    (void)user, (void)role, (void)paradigm, (void)flags, (void)begin, (void)end;
    add_named(MPIOT_KIND_REGION, self, name);
    mpiot_defs_allow(MPIOT_KIND_REGION, self, "canonicalName", MPIOT_KIND_STRING, canonical_name);
    mpiot_defs_allow(MPIOT_KIND_REGION, self, "description", MPIOT_KIND_STRING, description);
    mpiot_defs_allow(MPIOT_KIND_REGION, self, "sourceFile", MPIOT_KIND_STRING, source_file);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_callpath(void *user, OTF2_CallpathRef self, OTF2_CallpathRef parent,
                                     OTF2_RegionRef region)
{
    (void)user;
    mpiot_defs_add(MPIOT_KIND_CALLPATH, self, OTF2_UNDEFINED_STRING);
    mpiot_defs_allow(MPIOT_KIND_CALLPATH, self, "parent", MPIOT_KIND_CALLPATH, parent);
    mpiot_defs_need(MPIOT_KIND_CALLPATH, self, "region", MPIOT_KIND_REGION, region);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t count, const uint64_t *members)
{
    static const enum mpiot_kind member_kinds[] = {
        [OTF2_GROUP_TYPE_LOCATIONS] = MPIOT_KIND_LOCATION,
        [OTF2_GROUP_TYPE_REGIONS] = MPIOT_KIND_REGION,
        [OTF2_GROUP_TYPE_METRIC] = MPIOT_KIND_METRIC,
        [OTF2_GROUP_TYPE_COMM_LOCATIONS] = MPIOT_KIND_LOCATION,
    };

    (void)user, (void)flags;
    struct mpiot_def *def = mpiot_defs_add(MPIOT_KIND_GROUP, self, name);
    def->group.type = type;
    def->group.paradigm = paradigm;
    def->group.count = count;
    def->group.members = mpiot_resize(NULL, (count + 1) * sizeof *members);
    memcpy(def->group.members, members, count * sizeof *members);
    mpiot_defs_allow(MPIOT_KIND_GROUP, self, "name", MPIOT_KIND_STRING, name);
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        state.has_comm_locations[paradigm] = true;
    if (type == OTF2_GROUP_TYPE_COMM_GROUP && !state.has_comm_locations[paradigm])
        mpiot_def_problem(MPIOT_KIND_GROUP, self,
                          "COMM_GROUP, but no COMM_LOCATIONS of its paradigm comes before it");
    /* Members of a communicator's group are indices: check_rules.c. */
    if (type != OTF2_GROUP_TYPE_UNKNOWN && type < sizeof member_kinds / sizeof *member_kinds)
        for (uint32_t i = 0; i < count; i++)
            mpiot_defs_need(MPIOT_KIND_GROUP, self, "member", member_kinds[type], members[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    (void)user, (void)type, (void)mode, (void)value_type, (void)base, (void)exponent;
    add_named(MPIOT_KIND_METRIC_MEMBER, self, name);
    mpiot_defs_allow(MPIOT_KIND_METRIC_MEMBER, self, "description", MPIOT_KIND_STRING, description);
    mpiot_defs_allow(MPIOT_KIND_METRIC_MEMBER, self, "unit", MPIOT_KIND_STRING, unit);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t count,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    (void)user, (void)occurrence, (void)kind;
    mpiot_defs_add(MPIOT_KIND_METRIC, self, OTF2_UNDEFINED_STRING);
    for (uint8_t i = 0; i < count; i++)
        mpiot_defs_need(MPIOT_KIND_METRIC, self, "metricMember", MPIOT_KIND_METRIC_MEMBER,
                        members[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_instance(void *user, OTF2_MetricRef self,
                                            OTF2_MetricRef metric_class, OTF2_LocationRef recorder,
                                            OTF2_MetricScope scope_kind, uint64_t scope)
{
    static const enum mpiot_kind kinds[] = {
        [OTF2_SCOPE_LOCATION] = MPIOT_KIND_LOCATION,
        [OTF2_SCOPE_LOCATION_GROUP] = MPIOT_KIND_LOCATION_GROUP,
        [OTF2_SCOPE_SYSTEM_TREE_NODE] = MPIOT_KIND_SYSTEM_TREE_NODE,
        [OTF2_SCOPE_GROUP] = MPIOT_KIND_GROUP,
    };

    (void)user;
    mpiot_defs_add(MPIOT_KIND_METRIC, self, OTF2_UNDEFINED_STRING);
    mpiot_defs_need(MPIOT_KIND_METRIC, self, "metricClass", MPIOT_KIND_METRIC, metric_class);
    mpiot_defs_need(MPIOT_KIND_METRIC, self, "recorder", MPIOT_KIND_LOCATION, recorder);
    if (scope_kind < sizeof kinds / sizeof *kinds)
        mpiot_defs_need(MPIOT_KIND_METRIC, self, "scope", kinds[scope_kind], scope);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_class_recorder(void *user, OTF2_MetricRef metric,
                                                  OTF2_LocationRef recorder)
{
    (void)user;
    mpiot_defs_need(MPIOT_KIND_METRIC, metric, "recorder", MPIOT_KIND_METRIC, metric);
    mpiot_defs_need(MPIOT_KIND_METRIC, metric, "recorder", MPIOT_KIND_LOCATION, recorder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)user, (void)flags;
    mpiot_defs_add(MPIOT_KIND_COMM, self, name)->comm.group = group;
    mpiot_defs_allow(MPIOT_KIND_COMM, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_need(MPIOT_KIND_COMM, self, "group", MPIOT_KIND_GROUP, group);
    mpiot_defs_allow(MPIOT_KIND_COMM, self, "parent", MPIOT_KIND_COMM, parent);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                       OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)user, (void)flags;
    mpiot_defs_add(MPIOT_KIND_COMM, self, name)->comm.group = OTF2_UNDEFINED_GROUP;
    mpiot_defs_allow(MPIOT_KIND_COMM, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_need(MPIOT_KIND_COMM, self, "groupA", MPIOT_KIND_GROUP, group_a);
    mpiot_defs_need(MPIOT_KIND_COMM, self, "groupB", MPIOT_KIND_GROUP, group_b);
    mpiot_defs_allow(MPIOT_KIND_COMM, self, "commonCommunicator", MPIOT_KIND_COMM, common);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    (void)user, (void)type;
    add_named(MPIOT_KIND_PARAMETER, self, name);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_rma_win(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                    OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    (void)user, (void)flags;
    mpiot_defs_add(MPIOT_KIND_RMA_WIN, self, name);
    mpiot_defs_allow(MPIOT_KIND_RMA_WIN, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_need(MPIOT_KIND_RMA_WIN, self, "comm", MPIOT_KIND_COMM, comm);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cart_dimension(void *user, OTF2_CartDimensionRef self,
                                           OTF2_StringRef name, uint32_t size,
                                           OTF2_CartPeriodicity periodicity)
{
    (void)user, (void)size, (void)periodicity;
    mpiot_defs_add(MPIOT_KIND_CART_DIMENSION, self, name);
    mpiot_defs_allow(MPIOT_KIND_CART_DIMENSION, self, "name", MPIOT_KIND_STRING, name);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cart_topology(void *user, OTF2_CartTopologyRef self,
                                          OTF2_StringRef name, OTF2_CommRef comm, uint8_t count,
                                          const OTF2_CartDimensionRef *dimensions)
{
    (void)user;
    mpiot_defs_add(MPIOT_KIND_CART_TOPOLOGY, self, name);
    mpiot_defs_allow(MPIOT_KIND_CART_TOPOLOGY, self, "name", MPIOT_KIND_STRING, name);
    mpiot_defs_need(MPIOT_KIND_CART_TOPOLOGY, self, "communicator", MPIOT_KIND_COMM, comm);
    for (uint8_t i = 0; i < count; i++)
        mpiot_defs_need(MPIOT_KIND_CART_TOPOLOGY, self, "cartDimension", MPIOT_KIND_CART_DIMENSION,
                        dimensions[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cart_coordinate(void *user, OTF2_CartTopologyRef topology,
                                            uint32_t rank, uint8_t count,
                                            const uint32_t *coordinates)
{
    (void)user, (void)rank, (void)count, (void)coordinates;
    mpiot_defs_need(MPIOT_KIND_CART_TOPOLOGY, topology, "coordinate", MPIOT_KIND_CART_TOPOLOGY,
                    topology);
    return OTF2_CALLBACK_SUCCESS;
}

static void set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock_properties);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_system_tree_node);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(callbacks,
                                                                  on_system_tree_node_domain);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(callbacks,
                                                                    on_system_tree_node_property);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(callbacks,
                                                                   on_location_group_property);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetCallpathCallback(callbacks, on_callpath);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, on_metric_instance);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassRecorderCallback(callbacks,
                                                                 on_metric_class_recorder);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_rma_win);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(callbacks, on_cart_dimension);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(callbacks, on_cart_topology);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(callbacks, on_cart_coordinate);
    mpiot_check_definitions_io(callbacks);
}

int mpiot_check_definitions(struct mpiot_archive *archive)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t read = 0, expected = 0;

    if (!callbacks)
        return -ENOMEM;
    set_callbacks(callbacks);
    int error = mpiot_archive_read_definitions(archive, callbacks, NULL, &read);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (error)
        return error;
    mpiot_defs_seal();
    if (OTF2_Reader_GetNumberOfGlobalDefinitions(archive->reader, &expected) == OTF2_SUCCESS &&
        read != expected)
        mpiot_check_report_problem(&(struct mpiot_where){.record = "archive"},
                                   "%" PRIu64 " definitions, its anchor file says %" PRIu64, read,
                                   expected);
    mpiot_check_rules();
    return 0;
}
