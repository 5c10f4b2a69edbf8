/* SPDX-License-Identifier: BSD-3-Clause */
/* Without libdw: function names from .symtab, or .dynsym, of a native ELF file. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/symbols.h"

struct mpiot_symbols {
    const char *image;
    size_t size;
    const ElfW(Sym) *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
};

/** A part of the file, NULL if the file does not have all of it. */
static const void *part(const struct mpiot_symbols *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->image + offset : NULL;
}

/** Takes a section of symbols, with the names it links to. */
static bool take_symbols(struct mpiot_symbols *file, const ElfW(Shdr) *sections, size_t count,
                         const ElfW(Shdr) *section)
{
    if (section->sh_link >= count)
        return false;
    const ElfW(Shdr) *names = &sections[section->sh_link];
    file->symbols = part(file, section->sh_offset, section->sh_size);
    file->symbol_count = section->sh_size / sizeof *file->symbols;
    file->names = part(file, names->sh_offset, names->sh_size);
    file->names_size = names->sh_size;
    return file->symbols && file->names && file->names_size > 0 &&
           file->names[file->names_size - 1] == '\0';
}

static bool find_symbols(struct mpiot_symbols *file)
{
    static const ElfW(Word) types[] = {SHT_SYMTAB, SHT_DYNSYM};
    const ElfW(Ehdr) *header = part(file, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    const ElfW(Shdr) *sections =
        part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);

    for (size_t t = 0; sections && t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < header->e_shnum; i++)
            if (sections[i].sh_type == types[t])
                return take_symbols(file, sections, header->e_shnum, &sections[i]);
    return false;
}

struct mpiot_symbols *mpiot_symbols_open(const char *path, const char *build_id)
{
    struct mpiot_symbols *file = calloc(1, sizeof *file);
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    (void)build_id; /* a replaced file gives wrong names; libdw would tell */

    if (!file || fd < 0 || fstat(fd, &status) != 0)
        goto fail;
    file->size = status.st_size;
    file->image = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file->image == MAP_FAILED)
        goto fail;
    close(fd);
    if (find_symbols(file))
        return file;
    mpiot_symbols_close(file);
    return NULL;

fail:
    if (fd >= 0)
        close(fd);
    free(file);
    return NULL;
}

void mpiot_symbols_close(struct mpiot_symbols *symbols)
{
    if (!symbols)
        return;
    munmap((void *)symbols->image, symbols->size);
    free(symbols);
}

bool mpiot_symbols_find(struct mpiot_symbols *symbols, uint64_t address,
                        struct mpiot_symbol *symbol)
{
    symbol->file[0] = '\0';
    symbol->line = 0;
    for (size_t i = 0; i < symbols->symbol_count; i++) {
        const ElfW(Sym) *candidate = &symbols->symbols[i];
        if ((candidate->st_info & 0xf) == STT_FUNC && candidate->st_name < symbols->names_size &&
            address >= candidate->st_value && address - candidate->st_value < candidate->st_size) {
            mpiot_symbols_demangle(symbols->names + candidate->st_name, symbol->function,
                                   sizeof symbol->function);
            return true;
        }
    }
    return false;
}
