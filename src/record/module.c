/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/module.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct search {
    uintptr_t address;
    struct mpiot_module *module;
};

static enum mpiot_module_kind kind_of(const char *path)
{
    static const struct {
        const char *prefix;
        enum mpiot_module_kind kind;
    } known[] = {
        {"libc.so", MPIOT_MODULE_C_LIBRARY},  {"libpthread", MPIOT_MODULE_C_LIBRARY},
        {"ld-linux", MPIOT_MODULE_C_LIBRARY}, {"libmpi", MPIOT_MODULE_MPI},
        {"libpmpi", MPIOT_MODULE_MPI},        {"libopen-", MPIOT_MODULE_MPI},
        {"mca_", MPIOT_MODULE_MPI},           {"libmca_", MPIOT_MODULE_MPI},
        {"libucp", MPIOT_MODULE_MPI},         {"libfabric", MPIOT_MODULE_MPI},
    };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0)
            return known[i].kind;
    return MPIOT_MODULE_LIBRARY;
}

/** The GNU build-id among the notes of a segment, as text (gABI, "Note Section"). */
static void read_build_id(const char *notes, size_t size, char build_id[2 * 32 + 1])
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)notes;
        const char *name = notes + sizeof *note;
        const unsigned char *bytes = (const void *)(name + ((note->n_namesz + 3) & ~3u));
        size_t whole = sizeof *note + ((note->n_namesz + 3) & ~3u) + ((note->n_descsz + 3) & ~3u);
        if (whole > size)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 && note->n_descsz <= 32) {
            for (size_t i = 0; i < note->n_descsz; i++)
                sprintf(build_id + 2 * i, "%02x", bytes[i]);
            return;
        }
        notes += whole;
        size -= whole;
    }
}

static bool contains(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz)
            return true;
    }
    return false;
}

static int look(struct dl_phdr_info *object, size_t size, void *argument)
{
    struct search *search = argument;
    struct mpiot_module *module = search->module;
    (void)size;

    if (!contains(object, search->address))
        return 0;
    bool program = !object->dlpi_name[0]; /* the first object has no name */
    const char *name = program ? "/proc/self/exe" : object->dlpi_name;
    if (!realpath(name, module->path))
        snprintf(module->path, sizeof module->path, "%s", object->dlpi_name);
    module->kind = program ? MPIOT_MODULE_PROGRAM : kind_of(object->dlpi_name);
    module->address = search->address - object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum && !module->build_id[0]; i++)
        if (object->dlpi_phdr[i].p_type == PT_NOTE)
            read_build_id((const char *)object->dlpi_addr + object->dlpi_phdr[i].p_vaddr,
                          object->dlpi_phdr[i].p_memsz, module->build_id);
    return 1;
}

void mpiot_module_find(const void *address, struct mpiot_module *module)
{
    struct search search = {(uintptr_t)address, module};

    *module = (struct mpiot_module){.kind = MPIOT_MODULE_UNKNOWN, .address = search.address};
    dl_iterate_phdr(look, &search);
}

static int count_unloaded(struct dl_phdr_info *object, size_t size, void *argument)
{
    (void)size;
    *(uint64_t *)argument = object->dlpi_subs;
    return 1;
}

uint64_t mpiot_module_unloaded(void)
{
    uint64_t unloaded = 0;
    dl_iterate_phdr(count_unloaded, &unloaded);
    return unloaded;
}
