/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/definitions.h"

#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "trace/deftable.h"
#include "trace/journal.h"
#include "trace/trace.h"

static const struct {
    const char *name, *description;
    OTF2_Type type;
} attributes[MPIOT_ATTRIBUTE_COUNT] = {
    [MPIOT_ATTRIBUTE_OFFSET] = {"Offset", "Absolute byte of the file where the operation starts",
                                OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_ERROR_CLASS] = {"MPI error class", "Class of the error code returned",
                                     OTF2_TYPE_STRING},
    [MPIOT_ATTRIBUTE_ERROR] = {"MPI error", "Text of the error code returned", OTF2_TYPE_STRING},
    [MPIOT_ATTRIBUTE_PATH] = {"Path", "File name passed by the program, made absolute",
                              OTF2_TYPE_STRING},
    [MPIOT_ATTRIBUTE_DISPLACEMENT] = {"Displacement", "Where the view starts, in bytes",
                                      OTF2_TYPE_INT64},
    [MPIOT_ATTRIBUTE_ETYPE_SIZE] = {"Etype size", "Bytes of the view's elementary datatype",
                                    OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_FILETYPE_SIZE] = {"Filetype size", "Bytes of data in the view's filetype",
                                       OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_FILETYPE_EXTENT] = {"Filetype extent", "Bytes that the view's filetype spans",
                                         OTF2_TYPE_INT64},
    [MPIOT_ATTRIBUTE_DATAREP] = {"Datarep", "Data representation of the view", OTF2_TYPE_STRING},
    [MPIOT_ATTRIBUTE_SIZE] = {"Size", "File size asked for, in bytes", OTF2_TYPE_INT64},
    [MPIOT_ATTRIBUTE_ATOMICITY] = {"Atomicity", "1: atomic mode was switched on", OTF2_TYPE_INT64},
    [MPIOT_ATTRIBUTE_UNSUCCESSFUL_TESTS] =
        {"Unsuccessful tests", "Tests of the operation before it completed", OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_NOT_OBSERVED] =
        {"Completion not observed", "1: the program never asked whether the operation completed",
         OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_BYTES_UNKNOWN] =
        {"Bytes unknown", "1: the MPI library reported no sensible size", OTF2_TYPE_UINT64},
    [MPIOT_ATTRIBUTE_ABANDONED] = {"Abandoned", "1: the call was left by longjmp, not by return",
                                   OTF2_TYPE_UINT64},
};

static const OTF2_RegionRole roles[] = {
    [MPIOT_ROLE_PROGRAM] = OTF2_REGION_ROLE_ARTIFICIAL,
    [MPIOT_ROLE_FILE_IO] = OTF2_REGION_ROLE_FILE_IO,
    [MPIOT_ROLE_FILE_IO_METADATA] = OTF2_REGION_ROLE_FILE_IO_METADATA,
};

static const OTF2_GroupType group_types[] = {
    [MPIOT_GROUP_WORLD] = OTF2_GROUP_TYPE_COMM_GROUP,
    [MPIOT_GROUP_SELF] = OTF2_GROUP_TYPE_COMM_SELF,
    [MPIOT_GROUP_RANKS] = OTF2_GROUP_TYPE_COMM_GROUP,
};

static struct {
    pthread_mutex_t lock;
    struct mpiot_deftable *table;
    _Atomic uint32_t attributes[MPIOT_ATTRIBUTE_COUNT]; /**< reference + 1; 0: not yet defined */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

int mpiot_definitions_start(void)
{
    for (int i = 0; i < MPIOT_ATTRIBUTE_COUNT; i++)
        atomic_store(&state.attributes[i], 0);
    return mpiot_deftable_create(&state.table);
}

void mpiot_definitions_end(void)
{
    mpiot_deftable_destroy(state.table);
    state.table = NULL;
}

struct mpiot_deftable *mpiot_definitions_table(void)
{
    return state.table;
}

static uint32_t reference(int error, uint64_t index)
{
    if (!error)
        return (uint32_t)index;
    mpiot_trace_stop("no memory for a definition");
    return MPIOT_UNDEFINED;
}

/** Words of a row refer to other rows with 64 bits, "none" included. */
static uint64_t wide(uint32_t index)
{
    return index == MPIOT_UNDEFINED ? MPIOT_DEF_NONE : index;
}

/** A new row goes into the journal before anything can refer to it. */
static void keep(enum mpiot_def_kind kind, uint64_t index)
{
    struct mpiot_def def = mpiot_deftable_get(state.table, kind, index);
    mpiot_journal_append(kind, def.words, def.count);
}

static uint32_t intern(enum mpiot_def_kind kind, const uint64_t *words, uint32_t count)
{
    uint64_t index = 0;
    bool is_new = false;

    pthread_mutex_lock(&state.lock);
    int error = mpiot_deftable_intern(state.table, kind, words, count, &is_new, &index);
    if (!error && is_new)
        keep(kind, index);
    pthread_mutex_unlock(&state.lock);
    return reference(error, index);
}

#define INTERN(kind, ...)                                                                          \
    intern(kind, (const uint64_t[]){__VA_ARGS__},                                                  \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

uint32_t mpiot_define_string(const char *string)
{
    uint64_t index = 0;
    bool is_new = false;

    pthread_mutex_lock(&state.lock);
    int error = mpiot_deftable_intern_string(state.table, string, strlen(string), &is_new, &index);
    if (!error && is_new)
        keep(MPIOT_DEF_STRING, index);
    pthread_mutex_unlock(&state.lock);
    return reference(error, index);
}

uint32_t mpiot_define_attribute(enum mpiot_attribute attribute)
{
    uint32_t known = atomic_load_explicit(&state.attributes[attribute], memory_order_relaxed);
    if (known)
        return known - 1;

    uint32_t made =
        INTERN(MPIOT_DEF_ATTRIBUTE, wide(mpiot_define_string(attributes[attribute].name)),
               wide(mpiot_define_string(attributes[attribute].description)),
               attributes[attribute].type);
    atomic_store_explicit(&state.attributes[attribute], made + 1, memory_order_relaxed);
    return made;
}

uint32_t mpiot_define_string_attribute(const char *name)
{
    return INTERN(MPIOT_DEF_ATTRIBUTE, wide(mpiot_define_string(name)),
                  wide(mpiot_define_string("")), OTF2_TYPE_STRING);
}

uint32_t mpiot_define_region(const char *name, enum mpiot_role role)
{
    uint64_t string = wide(mpiot_define_string(name));
    return INTERN(MPIOT_DEF_REGION, string, string, roles[role],
                  role == MPIOT_ROLE_PROGRAM ? OTF2_PARADIGM_MEASUREMENT_SYSTEM : OTF2_PARADIGM_MPI,
                  MPIOT_DEF_NONE, 0);
}

uint32_t mpiot_define_module(const char *path, const char *build_id)
{
    return INTERN(MPIOT_DEF_MODULE, wide(mpiot_define_string(path)),
                  wide(mpiot_define_string(build_id)));
}

uint32_t mpiot_define_frame(uint32_t module, uint64_t address)
{
    return INTERN(MPIOT_DEF_FRAME, wide(module), address);
}

uint32_t mpiot_define_context(uint32_t region, uint32_t frame, uint32_t parent)
{
    return INTERN(MPIOT_DEF_CALLING_CONTEXT, wide(region), wide(frame), wide(parent));
}

uint32_t mpiot_define_machine(void)
{
    return INTERN(MPIOT_DEF_SYSTEM_TREE_NODE, wide(mpiot_define_string("machine")),
                  wide(mpiot_define_string("machine")), MPIOT_DEF_NONE,
                  OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
}

uint32_t mpiot_define_node(void)
{
    struct utsname uts;
    uname(&uts);
    return INTERN(MPIOT_DEF_SYSTEM_TREE_NODE, wide(mpiot_define_string(uts.nodename)),
                  wide(mpiot_define_string("node")), wide(mpiot_define_machine()),
                  OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
}

static uint32_t define_group(enum mpiot_group group, const int *ranks, int count)
{
    if (group != MPIOT_GROUP_RANKS)
        return INTERN(MPIOT_DEF_GROUP, group_types[group]);

    /* Communicators are mostly ranges or blocks of the world: runs keep them short. */
    uint64_t *words = malloc((1 + 2 * (size_t)count) * sizeof *words);
    if (!words)
        return reference(-1, 0);
    uint32_t n = 0;
    words[n++] = group_types[group];
    for (int i = 0; i < count; i++) {
        if (n > 1 && words[n - 2] + words[n - 1] == (uint64_t)ranks[i]) {
            words[n - 1]++;
        } else {
            words[n++] = ranks[i];
            words[n++] = 1;
        }
    }
    uint32_t made = intern(MPIOT_DEF_GROUP, words, n);
    free(words);
    return made;
}

uint32_t mpiot_define_comm(const char *identity, const char *name, enum mpiot_group group,
                           const int *ranks, int count)
{
    return INTERN(MPIOT_DEF_COMM, wide(mpiot_define_string(identity)),
                  wide(mpiot_define_string(name)), wide(define_group(group, ranks, count)));
}

uint32_t mpiot_define_io_file(const char *path, bool node_local)
{
    return INTERN(MPIOT_DEF_IO_FILE, wide(mpiot_define_string(path)),
                  wide(node_local ? mpiot_define_node() : mpiot_define_machine()));
}

void mpiot_define_io_file_property(uint32_t file, const char *name, const char *value)
{
    INTERN(MPIOT_DEF_IO_FILE_PROPERTY, wide(file), wide(mpiot_define_string(name)),
           wide(mpiot_define_string(value)));
}

uint32_t mpiot_define_io_handle(const char *path, uint32_t file, uint32_t comm, uint32_t instance)
{
    const char *slash = strrchr(path, '/');
    return INTERN(MPIOT_DEF_IO_HANDLE, wide(mpiot_define_string(slash ? slash + 1 : path)),
                  wide(file), wide(comm), instance);
}
