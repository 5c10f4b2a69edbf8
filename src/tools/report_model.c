/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/memory.h"
#include "tools/report_options.h"

struct mpiot_model mpiot_model;

uint64_t mpiot_size_limit(unsigned size_class)
{
    return size_class < MPIOT_SIZES - 1 ? UINT64_C(512) << 3 * size_class : UINT64_MAX;
}

double mpiot_seconds(double ticks)
{
    return ticks / (double)mpiot_def_clock.resolution;
}

static int compare_ranks(const void *a, const void *b)
{
    const struct mpiot_rank *left = a, *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return (left->group > right->group) - (left->group < right->group);
}

/** The number in "MPI Rank 3", as all writers of MPI traces name processes. */
static bool number_of(const char *name, uint32_t *number)
{
    static const char prefix[] = "MPI Rank ";
    const char *digits = name + strlen(prefix);

    return strncmp(name, prefix, strlen(prefix)) == 0 &&
           mpiot_options_parse_rank(&digits, number) && !*digits;
}

static void make_ranks(void)
{
    size_t count, made = 0;
    const struct mpiot_def_group *groups = mpiot_def_all(MPIOT_DEF_GROUPS, &count);

    mpiot_model.ranks = mpiot_resize(NULL, (count + 1) * sizeof *mpiot_model.ranks);
    for (size_t i = 0; i < count; i++) {
        struct mpiot_rank *rank = &mpiot_model.ranks[made];
        if (groups[i].type != OTF2_LOCATION_GROUP_TYPE_PROCESS)
            continue;
        *rank = (struct mpiot_rank){.group = (OTF2_LocationGroupRef)groups[i].id,
                                    .name = mpiot_def_text(groups[i].name)};
        if (!number_of(rank->name, &rank->number))
            rank->number = (uint32_t)made;
        if (mpiot_options_select_rank(rank->number))
            made++;
    }
    mpiot_model.rank_count = made;
    qsort(mpiot_model.ranks, made, sizeof *mpiot_model.ranks, compare_ranks);
    for (size_t i = 0; i < made; i++) {
        struct mpiot_def_group *group =
            mpiot_def_find(MPIOT_DEF_GROUPS, mpiot_model.ranks[i].group);
        group->rank = (uint32_t)i;
    }
}

void mpiot_model_start(const struct mpiot_archive *archive)
{
    mpiot_model.creator = mpiot_archive_creator(archive);
    mpiot_model.marks = mpiot_archive_marks(archive);
    make_ranks();
}

uint32_t mpiot_model_rank_of(OTF2_LocationGroupRef ref)
{
    const struct mpiot_def_group *group = mpiot_def_find(MPIOT_DEF_GROUPS, ref);
    return group ? group->rank : MPIOT_NONE;
}

uint32_t mpiot_model_call(OTF2_RegionRef ref)
{
    struct mpiot_def_region *region = mpiot_def_find(MPIOT_DEF_REGIONS, ref);

    if (!region)
        return MPIOT_NONE;
    if (region->call != MPIOT_NONE)
        return region->call;
    mpiot_model.calls = mpiot_grow(mpiot_model.calls, mpiot_model.call_count,
                                   &mpiot_model.call_capacity, sizeof *mpiot_model.calls);
    mpiot_model.calls[mpiot_model.call_count] = (struct mpiot_call){
        .name = mpiot_def_text(region->name),
        .is_metadata = region->role == OTF2_REGION_ROLE_FILE_IO_METADATA,
        .selected = mpiot_options_select_call(mpiot_def_text(region->name)),
    };
    return region->call = (uint32_t)mpiot_model.call_count++;
}

/** Index of a site, by its text: an archive may have the same one under several references. */
struct site_entry {
    char *text;
    uint32_t index;
    UT_hash_handle hh;
};

static uint32_t add_site(const struct mpiot_site *site)
{
    static struct site_entry *entries; /* hash */
    char *text = mpiot_text("%s\n%s\n%" PRIu32, site->function, site->source, site->line);
    struct site_entry *entry;

    HASH_FIND_STR(entries, text, entry);
    if (entry) {
        free(text);
        return entry->index;
    }
    entry = mpiot_resize(NULL, sizeof *entry);
    *entry = (struct site_entry){.text = text, .index = (uint32_t)mpiot_model.site_count};
    HASH_ADD_KEYPTR(hh, entries, entry->text, strlen(entry->text), entry);
    mpiot_model.sites = mpiot_grow(mpiot_model.sites, mpiot_model.site_count,
                                   &mpiot_model.site_capacity, sizeof *mpiot_model.sites);
    mpiot_model.sites[mpiot_model.site_count] = *site;
    return (uint32_t)mpiot_model.site_count++;
}

/**
 * The innermost caller whose source is known: in a program that uses an I/O library without debug
 * information, its own line. Without any: the immediate caller.
 */
uint32_t mpiot_model_site(OTF2_CallingContextRef ref)
{
    struct mpiot_def_context *context = mpiot_def_find(MPIOT_DEF_CONTEXTS, ref);
    struct mpiot_site site = {"", "", 0};
    bool found = false;

    if (!context)
        return MPIOT_NONE;
    if (context->site != MPIOT_NONE)
        return context->site;
    const struct mpiot_def_context *at = mpiot_def_find(MPIOT_DEF_CONTEXTS, context->parent);
    /* The bound ends a circle, which is a fault of the archive's. */
    for (int steps = 0; at && !site.line && steps < 1024; steps++) {
        const struct mpiot_def_region *region = mpiot_def_find(MPIOT_DEF_REGIONS, at->region);
        const struct mpiot_def_source *source = mpiot_def_find(MPIOT_DEF_SOURCES, at->source);
        if (!found || source)
            site = (struct mpiot_site){region ? mpiot_def_text(region->name) : "",
                                       source ? mpiot_def_text(source->file) : "",
                                       source ? source->line : 0};
        found = true;
        at = mpiot_def_find(MPIOT_DEF_CONTEXTS, at->parent);
    }
    return context->site = found ? add_site(&site) : MPIOT_NONE;
}

void mpiot_model_hint(uint32_t index, OTF2_StringRef name, OTF2_StringRef value)
{
    struct mpiot_file *file = &mpiot_model.files[index];

    for (size_t i = 0; i < file->hint_count; i++)
        if (file->hints[i].name == name && file->hints[i].value == value)
            return;
    file->hints =
        mpiot_grow(file->hints, file->hint_count, &file->hint_capacity, sizeof *file->hints);
    file->hints[file->hint_count++] = (struct mpiot_hint){name, value};
}

/** Those of the file's definition. */
static void add_properties(uint32_t index, uint64_t file)
{
    size_t count;
    const struct mpiot_def_property *all = mpiot_def_all(MPIOT_DEF_PROPERTIES, &count);
    const struct mpiot_def_property *property = mpiot_def_find(MPIOT_DEF_PROPERTIES, file);

    if (!property)
        return;
    while (property > all && property[-1].id == file) /* any of those with that identifier */
        property--;
    for (; property < all + count && property->id == file; property++)
        mpiot_model_hint(index, property->name, property->value);
}

uint32_t mpiot_model_file(OTF2_IoFileRef ref, OTF2_IoParadigmRef paradigm_ref, const char *name)
{
    static uint32_t without_file = MPIOT_NONE;
    const struct mpiot_def_paradigm *def = mpiot_def_find(MPIOT_DEF_PARADIGMS, paradigm_ref);
    const char *paradigm = def ? mpiot_def_text(def->name) : "";
    struct mpiot_def_file *file = mpiot_def_find(MPIOT_DEF_FILES, ref);
    uint32_t *first = file ? &file->row : &without_file;

    for (uint32_t i = *first; i != MPIOT_NONE; i = mpiot_model.files[i].next)
        if (strcmp(mpiot_model.files[i].paradigm, paradigm) == 0 &&
            strcmp(mpiot_model.files[i].name, name) == 0)
            return i;
    mpiot_model.files = mpiot_grow(mpiot_model.files, mpiot_model.file_count,
                                   &mpiot_model.file_capacity, sizeof *mpiot_model.files);
    mpiot_model.files[mpiot_model.file_count] = (struct mpiot_file){
        .name = name,
        .paradigm = paradigm,
        .ref = ref,
        .selected = mpiot_options_select_file(name),
        .next = *first,
    };
    *first = (uint32_t)mpiot_model.file_count++;
    if (file)
        add_properties(*first, file->id);
    return *first;
}

uint32_t mpiot_model_handle_file(OTF2_IoHandleRef ref)
{
    struct mpiot_def_handle *handle = mpiot_def_find(MPIOT_DEF_HANDLES, ref);

    if (!handle)
        return MPIOT_NONE;
    if (handle->row == MPIOT_NONE) {
        const struct mpiot_def_file *file = mpiot_def_find(MPIOT_DEF_FILES, handle->file);
        const char *name = mpiot_def_text(file ? file->name : handle->name);
        handle->row = mpiot_model_file(handle->file, handle->paradigm, name);
    }
    return handle->row;
}

struct mpiot_access *mpiot_model_access(const struct mpiot_access_key *key)
{
    struct mpiot_access *access;

    HASH_FIND(hh, mpiot_model.accesses, key, sizeof *key, access);
    if (!access) {
        access = mpiot_resize(NULL, sizeof *access);
        *access = (struct mpiot_access){.key = *key};
        mpiot_operations_start(&access->operations);
        HASH_ADD(hh, mpiot_model.accesses, key, sizeof *key, access);
    }
    return access;
}

void mpiot_model_error(const struct mpiot_error_key *key, OTF2_StringRef text)
{
    struct mpiot_error *error;

    HASH_FIND(hh, mpiot_model.errors, key, sizeof *key, error);
    if (!error) {
        error = mpiot_resize(NULL, sizeof *error);
        *error = (struct mpiot_error){.key = *key, .text = text};
        HASH_ADD(hh, mpiot_model.errors, key, sizeof *key, error);
    }
    error->count++;
}

static int compare_errors(const struct mpiot_error *left, const struct mpiot_error *right)
{
    return (left->count < right->count) - (left->count > right->count);
}

void mpiot_model_end(void)
{
    HASH_SORT(mpiot_model.errors, compare_errors); /* keeps the order of equal ones */
}

void mpiot_operations_start(struct mpiot_operations *sum)
{
    *sum = (struct mpiot_operations){.smallest = UINT64_MAX};
}

void mpiot_operations_add(struct mpiot_operations *sum, const struct mpiot_operations *more)
{
    sum->begun += more->begun;
    sum->completed += more->completed;
    sum->cancelled += more->cancelled;
    sum->collective += more->collective;
    sum->non_blocking += more->non_blocking;
    sum->requested += more->requested;
    sum->bytes += more->bytes;
    sum->ticks += more->ticks;
    sum->smallest = more->smallest < sum->smallest ? more->smallest : sum->smallest;
    sum->largest = more->largest > sum->largest ? more->largest : sum->largest;
    for (int i = 0; i < MPIOT_SIZES; i++) {
        sum->sizes[i] += more->sizes[i];
        sum->size_bytes[i] += more->size_bytes[i];
    }
    sum->sequential += more->sequential;
    sum->strided += more->strided;
    sum->random += more->random;
    sum->reread += more->reread;
    sum->end = more->end > sum->end ? more->end : sum->end;
    sum->not_observed += more->not_observed;
    sum->not_ended += more->not_ended;
    sum->issuing += more->issuing;
    sum->waiting += more->waiting;
    sum->overlapped += more->overlapped;
    sum->tests += more->tests;
}

double mpiot_operations_in_flight(const struct mpiot_operations *operations)
{
    return operations->issuing + operations->waiting + operations->overlapped;
}

const char *mpiot_hint_name(const struct mpiot_hint *hint)
{
    static const char prefix[] = "MPI hint: ";
    const char *name = mpiot_def_text(hint->name);

    return strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : name;
}

const char *mpiot_error_file(const struct mpiot_error *error)
{
    return error->key.file == MPIOT_NONE ? mpiot_def_text(error->key.path)
                                         : mpiot_model.files[error->key.file].name;
}

const char *mpiot_call_name(uint32_t call)
{
    return call == MPIOT_NONE ? "(outside of calls)" : mpiot_model.calls[call].name;
}

char *mpiot_site_as_text(const struct mpiot_site *site)
{
    const char *slash = strrchr(site->source, '/');

    return *site->source ? mpiot_text("%s %s:%" PRIu32, site->function,
                                      slash ? slash + 1 : site->source, site->line)
                         : mpiot_text("%s", site->function);
}

char *mpiot_site_text(uint32_t index)
{
    return index == MPIOT_NONE ? mpiot_text("(unknown)")
                               : mpiot_site_as_text(&mpiot_model.sites[index]);
}
