/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The report's tables as rows of named fields, once for all forms that programs read (JSON, CSV,
 * the page). The man page documents them. Times are seconds, sizes bytes.
 */
#ifndef MPIOT_TOOLS_REPORT_FIELDS_H
#define MPIOT_TOOLS_REPORT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mpiot_table_name {
    MPIOT_TABLE_FINDINGS,
    MPIOT_TABLE_RANKS,
    MPIOT_TABLE_CALLS,
    MPIOT_TABLE_FILES,
    MPIOT_TABLE_PLACES,
    MPIOT_TABLE_ACCESSES,
    MPIOT_TABLE_ERRORS,
    MPIOT_TABLES,
};

/** "findings", ... */
const char *mpiot_table_name(enum mpiot_table_name table);

/** What takes the fields of a row, in the same order for all rows of a table. */
struct mpiot_taker {
    void *state;
    void (*text)(void *state, const char *name, const char *value);
    void (*list)(void *state, const char *name, char *const *values, size_t count);
    void (*count)(void *state, const char *name, uint64_t value);
    void (*real)(void *state, const char *name, double value);
    /**
     * The following fields up to `end` belong together. `is_used` says whether any of them counted
     * something; false: they shall be left out, and there will be no `end`.
     */
    bool (*begin)(void *state, const char *name, bool is_used);
    void (*end)(void *state);
};

struct mpiot_rows;

/** A table of the model, which is complete; with `*count` rows. */
struct mpiot_rows *mpiot_rows_new(enum mpiot_table_name table, size_t *count);
void mpiot_rows_take(const struct mpiot_rows *rows, size_t row, const struct mpiot_taker *taker);
void mpiot_rows_free(struct mpiot_rows *rows);

#endif
