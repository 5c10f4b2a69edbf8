/* SPDX-License-Identifier: BSD-3-Clause */
/* With libdw and libdwfl of elfutils (elfutils/libdwfl.h, elfutils/libdw.h). */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/symbols.h"

struct mpiot_symbols {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr bias; /**< what the file counts, and this, is what Dwfl counts */
};

static bool has_build_id(Dwfl_Module *module, const char *build_id)
{
    const unsigned char *bytes;
    GElf_Addr address;
    char text[3];
    int size = dwfl_module_build_id(module, &bytes, &address);

    if (size < 0 || strlen(build_id) != 2 * (size_t)size)
        return false;
    for (int i = 0; i < size; i++) {
        snprintf(text, sizeof text, "%02x", bytes[i]);
        if (memcmp(text, build_id + 2 * i, 2) != 0)
            return false;
    }
    return true;
}

struct mpiot_symbols *mpiot_symbols_open(const char *path, const char *build_id)
{
    /* dwfl_standard_find_debuginfo might ask servers, at the end of somebody's job. */
    static const Dwfl_Callbacks callbacks = {
        .find_debuginfo = dwfl_build_id_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    struct mpiot_symbols *symbols = calloc(1, sizeof *symbols);
    if (!symbols)
        return NULL;
    symbols->dwfl = dwfl_begin(&callbacks);
    if (!symbols->dwfl)
        goto free_symbols;
    dwfl_report_begin(symbols->dwfl);
    symbols->module = dwfl_report_offline(symbols->dwfl, path, path, -1);
    dwfl_report_end(symbols->dwfl, NULL, NULL);
    if (!symbols->module || !dwfl_module_getelf(symbols->module, &symbols->bias) ||
        !has_build_id(symbols->module, build_id))
        goto end_dwfl;
    return symbols;

end_dwfl:
    dwfl_end(symbols->dwfl);
free_symbols:
    free(symbols);
    return NULL;
}

void mpiot_symbols_close(struct mpiot_symbols *symbols)
{
    if (!symbols)
        return;
    dwfl_end(symbols->dwfl);
    free(symbols);
}

static bool is_scope(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_module:
        return true;
    default:
        return false;
    }
}

/** The declaration that a concrete or inlined function is of; scopes are found around it. */
static Dwarf_Die declaration_of(Dwarf_Die die)
{
    static const unsigned references[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Attribute attribute;
    Dwarf_Die origin;

    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        while (dwarf_attr(&die, references[i], &attribute) &&
               dwarf_formref_die(&attribute, &origin))
            die = origin;
    return die;
}

/** The name of a function with its namespaces, classes and modules. */
static void qualified_name(Dwarf_Die *function, char *name, size_t size)
{
    Dwarf_Die declaration = declaration_of(*function), *scopes = NULL;
    int count = dwarf_getscopes_die(&declaration, &scopes);
    size_t length = 0;

    for (int i = count - 1; i > 0 && length < size; i--) {
        const char *scope = dwarf_diename(&scopes[i]);
        if (is_scope(&scopes[i]))
            length += snprintf(name + length, size - length, "%s::",
                               scope ? scope : "(anonymous namespace)");
    }
    if (length < size)
        snprintf(name + length, size - length, "%s", dwarf_diename(function));
    free(scopes);
}

/** The function around an address: the innermost, which may be inlined. */
static bool function_of(struct mpiot_symbols *symbols, Dwarf_Addr address, char *name, size_t size)
{
    Dwarf_Addr bias;
    Dwarf_Die *scopes = NULL, *unit = dwfl_module_addrdie(symbols->module, address, &bias);
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    bool found = false;

    for (int i = 0; i < count && !found; i++) {
        int tag = dwarf_tag(&scopes[i]);
        found = (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
                dwarf_diename(&scopes[i]);
        if (found)
            qualified_name(&scopes[i], name, size);
    }
    free(scopes);
    if (!found) {
        const char *symbol = dwfl_module_addrname(symbols->module, address);
        if (symbol)
            mpiot_symbols_demangle(symbol, name, size);
        found = symbol != NULL;
    }
    return found;
}

bool mpiot_symbols_find(struct mpiot_symbols *symbols, uint64_t address,
                        struct mpiot_symbol *symbol)
{
    Dwarf_Addr at = address + symbols->bias;
    Dwfl_Line *line = dwfl_module_getsrc(symbols->module, at);
    int number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;

    symbol->file[0] = '\0';
    symbol->line = 0;
    if (file) {
        const char *directory = file[0] == '/' ? NULL : dwfl_line_comp_dir(line);
        snprintf(symbol->file, sizeof symbol->file, "%s%s%s", directory ? directory : "",
                 directory ? "/" : "", file);
        symbol->line = number;
    }
    return function_of(symbols, at, symbol->function, sizeof symbol->function);
}
