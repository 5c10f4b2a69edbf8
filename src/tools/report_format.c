/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/memory.h"
#include "tools/report_options.h"

enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 40, LEAST_COLUMN = 12, INDENT = 2, GAP = 2 };

static struct {
    size_t width;
    bool colour;
} terminal = {.width = DEFAULT_WIDTH};

char *mpiot_format_count(uint64_t count)
{
    return mpiot_text("%" PRIu64, count);
}

/** Three significant digits. */
static char *with_unit(double value, const char *unit)
{
    return mpiot_text("%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
}

char *mpiot_format_bytes(double bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;

    if (bytes < 1024)
        return mpiot_text("%.0f B", bytes);
    for (bytes /= 1024; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1024;
    return with_unit(bytes, units[unit]);
}

char *mpiot_format_size(uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t unit = 0;

    for (; bytes >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1024;
    return mpiot_text("%" PRIu64 " %s", bytes, units[unit]);
}

char *mpiot_format_seconds(double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    size_t unit = 0;

    if (seconds <= 0)
        return mpiot_text("0 s");
    while (seconds < 0.9995 && unit + 1 < sizeof units / sizeof *units) {
        seconds *= 1000;
        unit++;
    }
    return unit == 3 ? mpiot_text("%.0f ns", seconds) : with_unit(seconds, units[unit]);
}

char *mpiot_format_rate(double bytes, double seconds)
{
    if (seconds <= 0 || bytes <= 0)
        return mpiot_text("-");
    char *text = mpiot_format_bytes(bytes / seconds);
    char *rate = mpiot_text("%s/s", text);
    free(text);
    return rate;
}

char *mpiot_format_share(double part, double whole)
{
    return whole > 0 ? mpiot_text("%.1f %%", 100 * part / whole) : mpiot_text("-");
}

void mpiot_terminal_start(void)
{
    const bool is_terminal = isatty(STDOUT_FILENO);
    struct winsize size;

    terminal.colour = is_terminal && !mpiot_report_options.no_color;
    terminal.width = mpiot_report_options.columns;
    if (terminal.width == 0 && is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        terminal.width = size.ws_col;
    if (terminal.width == 0)
        terminal.width = DEFAULT_WIDTH;
    if (terminal.width < LEAST_WIDTH)
        terminal.width = LEAST_WIDTH;
}

/** Columns that text takes: bytes that continue a UTF-8 character take none. */
static size_t width_of(const char *text, size_t bytes)
{
    size_t width = 0;

    for (size_t i = 0; i < bytes; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/** Names come from the archive: a control character in one must not reach the terminal. */
static char *escape(const char *text)
{
    char *escaped = mpiot_resize(NULL, 4 * strlen(text) + 1), *out = escaped;

    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { /* U+0080 to U+009F */
            out += sprintf(out, "\\x%02x\\x%02x", c[0], c[1]);
            c++;
        } else {
            out += sprintf(out, *c < ' ' || *c == 0x7f ? "\\x%02x" : "%c", *c);
        }
    *out = '\0';
    return escaped;
}

void mpiot_print_heading(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *text = mpiot_text_list(format, arguments);
    va_end(arguments);
    printf(terminal.colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
    free(text);
}

static bool ends_number(char last)
{
    return isdigit((unsigned char)last) || last == '%';
}

/** What a line is not broken in: a word, or a number with its unit or what it counts. */
static char *next_piece(char **rest)
{
    char *piece = *rest, *space = piece;

    while (space && (space = strchr(space, ' ')) && space > piece && ends_number(space[-1]))
        space++;
    *rest = space ? space + 1 : NULL;
    if (space)
        *space = '\0';
    return piece;
}

void mpiot_print_wrapped(size_t first, size_t others, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *raw = mpiot_text_list(format, arguments);
    va_end(arguments);
    char *text = escape(raw), *rest = text, *piece;
    size_t column = first;

    printf("%*s", (int)first, "");
    for (bool is_first = true; (piece = next_piece(&rest)); is_first = false) {
        size_t width = width_of(piece, strlen(piece));
        if (!is_first && column + 1 + width > terminal.width) {
            printf("\n%*s", (int)others, "");
            column = others;
        } else if (!is_first) {
            putchar(' ');
            column++;
        }
        fputs(piece, stdout);
        column += width;
    }
    putchar('\n');
    free(text);
    free(raw);
}

struct mpiot_table {
    const struct mpiot_column *columns;
    size_t column_count;
    char **cells;
    size_t count, capacity;
};

struct mpiot_table *mpiot_table_new(const struct mpiot_column *columns, size_t count)
{
    struct mpiot_table *table = mpiot_resize(NULL, sizeof *table);

    *table = (struct mpiot_table){.columns = columns, .column_count = count};
    return table;
}

void mpiot_table_add(struct mpiot_table *table, char *text)
{
    table->cells = mpiot_grow(table->cells, table->count, &table->capacity, sizeof *table->cells);
    table->cells[table->count++] = escape(text);
    free(text);
}

/** Narrows the widest flexible column by one; false if none can be narrowed. */
static bool narrow(const struct mpiot_table *table, size_t *widths)
{
    size_t widest = table->column_count;

    for (size_t column = 0; column < table->column_count; column++)
        if (table->columns[column].flexible && widths[column] > LEAST_COLUMN &&
            (widest == table->column_count || widths[column] > widths[widest]))
            widest = column;
    if (widest == table->column_count)
        return false;
    widths[widest]--;
    return true;
}

/** Widths of the columns; flexible ones are narrowed so that a row fits. */
static void measure(const struct mpiot_table *table, size_t *widths)
{
    size_t sum = INDENT;

    for (size_t column = 0; column < table->column_count; column++) {
        widths[column] = strlen(table->columns[column].title);
        for (size_t i = column; i < table->count; i += table->column_count) {
            size_t width = width_of(table->cells[i], strlen(table->cells[i]));
            widths[column] = width > widths[column] ? width : widths[column];
        }
        sum += widths[column] + (column > 0 ? GAP : 0);
    }
    while (sum > terminal.width && narrow(table, widths))
        sum--;
}

static void print_cell(const char *text, size_t width, bool left, bool is_last)
{
    size_t own = width_of(text, strlen(text));
    const char *cut = "";

    if (own > width) {
        cut = "...";
        for (own += strlen(cut); own > width; own--)
            do
                text++;
            while ((*text & 0xc0) == 0x80);
    }
    int padding = (int)(width - own);
    printf("%*s%s%s%*s", left ? 0 : padding, "", cut, text, left && !is_last ? padding : 0, "");
}

static void print_row(const struct mpiot_table *table, const size_t *widths, char *const *cells)
{
    printf("%*s", INDENT, "");
    for (size_t column = 0; column < table->column_count; column++) {
        bool is_last = column + 1 == table->column_count;
        print_cell(cells ? cells[column] : table->columns[column].title, widths[column],
                   table->columns[column].left, is_last);
        printf("%*s", is_last ? 0 : GAP, "");
    }
    putchar('\n');
}

void mpiot_table_print(struct mpiot_table *table)
{
    size_t *widths = mpiot_resize(NULL, table->column_count * sizeof *widths);

    measure(table, widths);
    if (terminal.colour)
        fputs("\033[2m", stdout);
    print_row(table, widths, NULL);
    if (terminal.colour)
        fputs("\033[0m", stdout);
    for (size_t i = 0; i < table->count; i += table->column_count)
        print_row(table, widths, table->cells + i);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
    free(widths);
}
