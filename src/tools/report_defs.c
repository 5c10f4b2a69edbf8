/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_GlobalDefReaderCallbacks.h: one callback per definition record. */
#include "tools/report_defs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"

struct mpiot_def_clock mpiot_def_clock = {.resolution = 1};

static const size_t row_sizes[MPIOT_DEF_TABLES] = {
    [MPIOT_DEF_STRINGS] = sizeof(struct mpiot_def_string),
    [MPIOT_DEF_ATTRIBUTES] = sizeof(struct mpiot_def_attribute),
    [MPIOT_DEF_REGIONS] = sizeof(struct mpiot_def_region),
    [MPIOT_DEF_SOURCES] = sizeof(struct mpiot_def_source),
    [MPIOT_DEF_CONTEXTS] = sizeof(struct mpiot_def_context),
    [MPIOT_DEF_GROUPS] = sizeof(struct mpiot_def_group),
    [MPIOT_DEF_LOCATIONS] = sizeof(struct mpiot_def_location),
    [MPIOT_DEF_FILES] = sizeof(struct mpiot_def_file),
    [MPIOT_DEF_PROPERTIES] = sizeof(struct mpiot_def_property),
    [MPIOT_DEF_PARADIGMS] = sizeof(struct mpiot_def_paradigm),
    [MPIOT_DEF_COMMS] = sizeof(struct mpiot_def_comm),
    [MPIOT_DEF_MEMBERS] = sizeof(struct mpiot_def_members),
    [MPIOT_DEF_HANDLES] = sizeof(struct mpiot_def_handle),
};

static const struct {
    const char *name;
    OTF2_Type type;
} known_attributes[MPIOT_KNOWN_NONE] = {
    [MPIOT_KNOWN_OFFSET] = {"Offset", OTF2_TYPE_UINT64},
    [MPIOT_KNOWN_NOT_OBSERVED] = {"Completion not observed", OTF2_TYPE_UINT64},
    [MPIOT_KNOWN_UNFINISHED] = {"Unfinished", OTF2_TYPE_UINT64},
    [MPIOT_KNOWN_UNSUCCESSFUL_TESTS] = {"Unsuccessful tests", OTF2_TYPE_UINT64},
    [MPIOT_KNOWN_FILETYPE_SIZE] = {"Filetype size", OTF2_TYPE_UINT64},
    [MPIOT_KNOWN_FILETYPE_EXTENT] = {"Filetype extent", OTF2_TYPE_INT64},
    [MPIOT_KNOWN_ERROR_CLASS] = {"MPI error class", OTF2_TYPE_STRING},
    [MPIOT_KNOWN_ERROR] = {"MPI error", OTF2_TYPE_STRING},
    [MPIOT_KNOWN_PATH] = {"Path", OTF2_TYPE_STRING},
    [MPIOT_KNOWN_HINT] = {"MPI hint: ", OTF2_TYPE_STRING}, /* and a name */
};

/** Rows start with their identifier, a uint64_t. */
static struct {
    char *rows;
    size_t count, capacity;
} tables[MPIOT_DEF_TABLES];

static uint64_t id_at(enum mpiot_def_table table, size_t index)
{
    uint64_t id;
    memcpy(&id, tables[table].rows + index * row_sizes[table], sizeof id);
    return id;
}

static OTF2_CallbackCode add(enum mpiot_def_table table, const void *row)
{
    size_t size = row_sizes[table];

    tables[table].rows =
        mpiot_grow(tables[table].rows, tables[table].count, &tables[table].capacity, size);
    memcpy(tables[table].rows + tables[table].count++ * size, row, size);
    return OTF2_CALLBACK_SUCCESS;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

void *mpiot_def_find(enum mpiot_def_table table, uint64_t id)
{
    /* Writers number most kinds from 0 without gaps. */
    if (id < tables[table].count && id_at(table, id) == id)
        return tables[table].rows + id * row_sizes[table];
    if (tables[table].count == 0)
        return NULL;
    return bsearch(&id, tables[table].rows, tables[table].count, row_sizes[table], compare_ids);
}

void *mpiot_def_all(enum mpiot_def_table table, size_t *count)
{
    *count = tables[table].count;
    return tables[table].rows;
}

const char *mpiot_def_text(OTF2_StringRef string)
{
    const struct mpiot_def_string *def = mpiot_def_find(MPIOT_DEF_STRINGS, string);
    return def ? def->text : "";
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t begin, uint64_t length,
                                  uint64_t realtime)
{
    (void)user, (void)realtime;
    mpiot_def_clock.resolution = resolution ? resolution : 1;
    mpiot_def_clock.begin = begin;
    mpiot_def_clock.length = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *string)
{
    (void)user;
    return add(MPIOT_DEF_STRINGS, &(struct mpiot_def_string){self, mpiot_text("%s", string)});
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    (void)user, (void)description;
    return add(MPIOT_DEF_ATTRIBUTES,
               &(struct mpiot_def_attribute){self, name, type, MPIOT_KNOWN_NONE});
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef source, uint32_t begin,
                                   uint32_t end)
{
    (void)user, (void)canonical, (void)description, (void)paradigm, (void)flags, (void)source;
    (void)begin, (void)end;
    const struct mpiot_def_region region = {
        .id = self,
        .name = name,
        .role = role,
        .may_be_call = role != OTF2_REGION_ROLE_ARTIFICIAL && role != OTF2_REGION_ROLE_FUNCTION &&
                       role != OTF2_REGION_ROLE_CODE && role != OTF2_REGION_ROLE_LOOP,
        .is_io = role == OTF2_REGION_ROLE_FILE_IO || role == OTF2_REGION_ROLE_FILE_IO_METADATA,
        .call = MPIOT_NONE,
    };
    return add(MPIOT_DEF_REGIONS, &region);
}

static OTF2_CallbackCode on_source(void *user, OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                                   uint32_t line)
{
    (void)user;
    return add(MPIOT_DEF_SOURCES, &(struct mpiot_def_source){self, file, line});
}

static OTF2_CallbackCode on_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef source,
                                    OTF2_CallingContextRef parent)
{
    (void)user;
    return add(MPIOT_DEF_CONTEXTS,
               &(struct mpiot_def_context){self, region, source, parent, MPIOT_NONE});
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef parent,
                                           OTF2_LocationGroupRef creator)
{
    (void)user, (void)parent, (void)creator;
    return add(MPIOT_DEF_GROUPS, &(struct mpiot_def_group){self, name, type, MPIOT_NONE});
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    (void)user, (void)type;
    return add(MPIOT_DEF_LOCATIONS, &(struct mpiot_def_location){self, name, group, events});
}

/** Files and directories share their identifiers. */
static OTF2_CallbackCode on_file(void *user, OTF2_IoFileRef self, OTF2_StringRef name,
                                 OTF2_SystemTreeNodeRef scope)
{
    (void)user, (void)scope;
    return add(MPIOT_DEF_FILES, &(struct mpiot_def_file){self, name, MPIOT_NONE});
}

static OTF2_CallbackCode on_property(void *user, OTF2_IoFileRef file, OTF2_StringRef name,
                                     OTF2_Type type, OTF2_AttributeValue value)
{
    (void)user;
    if (type != OTF2_TYPE_STRING)
        return OTF2_CALLBACK_SUCCESS; /* no tool is known that writes others */
    return add(MPIOT_DEF_PROPERTIES, &(struct mpiot_def_property){file, name, value.stringRef});
}

static OTF2_CallbackCode on_paradigm(void *user, OTF2_IoParadigmRef self,
                                     OTF2_StringRef identification, OTF2_StringRef name,
                                     OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags,
                                     uint8_t count, const OTF2_IoParadigmProperty *properties,
                                     const OTF2_Type *types, const OTF2_AttributeValue *values)
{
    (void)user, (void)name, (void)class, (void)flags, (void)count, (void)properties;
    (void)types, (void)values;
    return add(MPIOT_DEF_PARADIGMS, &(struct mpiot_def_paradigm){self, identification});
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)user, (void)name, (void)parent, (void)flags;
    return add(MPIOT_DEF_COMMS, &(struct mpiot_def_comm){self, group});
}

static OTF2_CallbackCode on_members(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                    OTF2_GroupType type, OTF2_Paradigm paradigm,
                                    OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
    (void)user, (void)name, (void)paradigm, (void)flags, (void)count, (void)members;
    return add(MPIOT_DEF_MEMBERS, &(struct mpiot_def_members){self, type});
}

static OTF2_CallbackCode on_handle(void *user, OTF2_IoHandleRef self, OTF2_StringRef name,
                                   OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                   OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                   OTF2_IoHandleRef parent)
{
    (void)user, (void)flags, (void)parent;
    const struct mpiot_def_handle handle = {
        .id = self,
        .name = name,
        .file = file,
        .paradigm = paradigm,
        .comm = comm,
        .row = MPIOT_NONE,
    };
    return add(MPIOT_DEF_HANDLES, &handle);
}

/** Which of the known attributes one is, by name and type. */
static enum mpiot_known known_of(const struct mpiot_def_attribute *attribute)
{
    const char *name = mpiot_def_text(attribute->name);

    for (int known = 0; known < MPIOT_KNOWN_NONE; known++) {
        const char *known_name = known_attributes[known].name;
        bool same = known == MPIOT_KNOWN_HINT ? strncmp(name, known_name, strlen(known_name)) == 0
                                              : strcmp(name, known_name) == 0;
        if (same && attribute->type == known_attributes[known].type)
            return known;
    }
    return MPIOT_KNOWN_NONE;
}

/** OTF2 leaves the order of definitions free: what one takes from another comes last. */
static void resolve(void)
{
    for (int table = 0; table < MPIOT_DEF_TABLES; table++)
        for (size_t i = 1; i < tables[table].count; i++)
            if (id_at(table, i) < id_at(table, i - 1)) {
                qsort(tables[table].rows, tables[table].count, row_sizes[table], compare_ids);
                break;
            }

    size_t count;
    struct mpiot_def_attribute *attributes = mpiot_def_all(MPIOT_DEF_ATTRIBUTES, &count);
    for (size_t i = 0; i < count; i++)
        attributes[i].known = known_of(&attributes[i]);

    struct mpiot_def_handle *handles = mpiot_def_all(MPIOT_DEF_HANDLES, &count);
    for (size_t i = 0; i < count; i++) {
        const struct mpiot_def_comm *comm = mpiot_def_find(MPIOT_DEF_COMMS, handles[i].comm);
        const struct mpiot_def_members *members =
            comm ? mpiot_def_find(MPIOT_DEF_MEMBERS, comm->group) : NULL;
        handles[i].is_shared = members && members->type != OTF2_GROUP_TYPE_COMM_SELF;
    }
}

int mpiot_report_read_definitions(struct mpiot_archive *archive)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t read;

    if (!callbacks)
        return -ENOMEM;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, on_source);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, on_file);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(callbacks, on_file);
    OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback(callbacks, on_property);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(callbacks, on_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_members);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_handle);
    int error = mpiot_archive_read_definitions(archive, callbacks, NULL, &read);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (!error)
        resolve();
    return error;
}
