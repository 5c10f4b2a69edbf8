/* SPDX-License-Identifier: BSD-3-Clause */
/** Options of mpiotrace-report, and what they leave in. */
#ifndef MPIOT_TOOLS_REPORT_OPTIONS_H
#define MPIOT_TOOLS_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mpiot_report_form { MPIOT_FORM_TEXT, MPIOT_FORM_JSON, MPIOT_FORM_CSV };

/** Ranks from `first` to `last`. */
struct mpiot_rank_range {
    uint32_t first, last;
};

struct mpiot_report_options {
    const char *path;
    enum mpiot_report_form form;
    int csv_table;          /**< enum mpiot_table_name; MPIOT_TABLES: all */
    const char *html;       /**< file of the page; NULL: none */
    bool all;               /**< text: lists are not cut */
    const char *ranks_text; /**< as given; NULL: all ranks */
    struct mpiot_rank_range *ranks;
    size_t range_count, range_capacity;
    char **files, **calls; /**< patterns, ended by NULL; NULL: all */
    double from, to;       /**< seconds since the start of the trace; to: infinite if not given */
    unsigned columns;      /**< COLUMNS of the environment; 0: not set */
    bool no_color;         /**< NO_COLOR is set, or the terminal is dumb */
};

extern struct mpiot_report_options mpiot_report_options;

/** Reads the command line; ends the program where that is wrong, saying so in one line. */
void mpiot_options_parse(int argc, char **argv);

/** Digits at `*text`, which is left behind them; false if there are none, or more than fit. */
bool mpiot_options_parse_rank(const char **text, uint32_t *rank);

/** The times `from` and `to` in ticks, once the clock is known. */
void mpiot_options_set_clock(void);

/** Whether the options leave a rank in; a file, by its path; a call, by its name. */
bool mpiot_options_select_rank(uint32_t rank);
bool mpiot_options_select_file(const char *path); /**< NULL: not known, or none */
bool mpiot_options_select_call(const char *name); /**< NULL: none */

/** Whether something that begins at this time is left in. */
bool mpiot_options_select_time(uint64_t time);

/** The time, or where the report begins or ends if that is inside. */
uint64_t mpiot_options_clip_time(uint64_t time);

#endif
