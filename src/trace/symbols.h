/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Names for addresses of an object file: from its DWARF information and symbol table where libdw is
 * there (symbols_dw.c), else from its symbol table alone (symbols_elf.c). One thread; slow.
 */
#ifndef MPIOT_TRACE_SYMBOLS_H
#define MPIOT_TRACE_SYMBOLS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpiot_symbol {
    char function[512];  /**< as the language writes it: "ns::write<int>", "module::procedure" */
    char file[PATH_MAX]; /**< source; empty if it is not known */
    unsigned line;
};

struct mpiot_symbols;

/**
 * Opens an object file. NULL if it cannot be read, or has another build-id (hexadecimal, empty if
 * it had none): it has been replaced since.
 */
struct mpiot_symbols *mpiot_symbols_open(const char *path, const char *build_id);
void mpiot_symbols_close(struct mpiot_symbols *symbols);

/** What is at an address, as the file counts. False: not even the function is known. */
bool mpiot_symbols_find(struct mpiot_symbols *symbols, uint64_t address,
                        struct mpiot_symbol *symbol);

/** Writes a linker symbol as its language does: C++ and Fortran module procedures. */
void mpiot_symbols_demangle(const char *linkage_name, char *name, size_t size);

#endif
