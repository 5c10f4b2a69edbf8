/* SPDX-License-Identifier: BSD-3-Clause */
/** Numbers, sizes and times as short text; tables and paragraphs as wide as the terminal. */
#ifndef MPIOT_TOOLS_REPORT_FORMAT_H
#define MPIOT_TOOLS_REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All malloc'ed. */
char *mpiot_format_count(uint64_t count);
char *mpiot_format_bytes(double bytes);                /**< "1.50 MiB" */
char *mpiot_format_size(uint64_t bytes);               /**< a power of 2: "4 KiB" */
char *mpiot_format_seconds(double seconds);            /**< "1.50 ms" */
char *mpiot_format_rate(double bytes, double seconds); /**< "1.50 MiB/s", "-" without time */
char *mpiot_format_share(double part, double whole);   /**< "1.5 %", "-" of nothing */

/** Finds out about standard output: its width, whether it takes colour. */
void mpiot_terminal_start(void);

/** Prints a heading, printf-like. */
void mpiot_print_heading(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Prints words with the first line's and the other lines' indentation. A line is broken at spaces;
 * control characters of names are written as \xNN.
 */
void mpiot_print_wrapped(size_t first, size_t others, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct mpiot_column {
    const char *title;
    bool left;     /**< aligned */
    bool flexible; /**< narrowed where the table is too wide: a longer text loses its start */
};

struct mpiot_table;

/** A table; `columns` must stay. Functions that fail end the program. */
struct mpiot_table *mpiot_table_new(const struct mpiot_column *columns, size_t count);

/** The next cell, row by row; takes `text` over. */
void mpiot_table_add(struct mpiot_table *table, char *text);

/** Prints and frees it. */
void mpiot_table_print(struct mpiot_table *table);

#endif
