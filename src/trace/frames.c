/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/frames.h"

#include <errno.h>
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/symbols.h"

static int intern_string(struct mpiot_deftable *table, const char *text, uint64_t *index)
{
    return mpiot_deftable_intern_string(table, text, strlen(text), NULL, index);
}

/** What is said of an address that has no name: the object, and where in it. */
static void name_by_address(const char *path, uint64_t address, struct mpiot_symbol *symbol)
{
    const char *slash = strrchr(path, '/');

    symbol->file[0] = '\0';
    symbol->line = 0;
    if (!path[0])
        snprintf(symbol->function, sizeof symbol->function, "[generated code]");
    else
        snprintf(symbol->function, sizeof symbol->function, "%s+0x%" PRIx64,
                 slash ? slash + 1 : path, address);
}

static int define_symbol(struct mpiot_deftable *table, const struct mpiot_symbol *symbol,
                         uint64_t *region, uint64_t *location)
{
    uint64_t name, file = MPIOT_DEF_NONE;
    int error = intern_string(table, symbol->function, &name);

    if (!error && symbol->file[0])
        error = intern_string(table, symbol->file, &file);
    if (!error) {
        const uint64_t words[] = {name, name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                  file, 0};
        error = mpiot_deftable_intern(table, MPIOT_DEF_REGION, words, 6, NULL, region);
    }
    *location = MPIOT_DEF_NONE;
    if (!error && symbol->file[0]) {
        const uint64_t words[] = {file, symbol->line};
        error = mpiot_deftable_intern(table, MPIOT_DEF_SOURCE_LOCATION, words, 2, NULL, location);
    }
    return error;
}

/** Names all frames of one object: it is opened once. */
static int name_module(struct mpiot_deftable *table, uint64_t module,
                       struct mpiot_frame_names *names)
{
    const uint64_t *words = mpiot_deftable_get(table, MPIOT_DEF_MODULE, module).words;
    const char *path = mpiot_deftable_string(table, words[0]);
    struct mpiot_symbols *symbols =
        path[0] ? mpiot_symbols_open(path, mpiot_deftable_string(table, words[1])) : NULL;
    struct mpiot_symbol symbol;
    int error = 0;

    for (uint64_t i = 0; i < mpiot_deftable_count(table, MPIOT_DEF_FRAME) && !error; i++) {
        const uint64_t *frame = mpiot_deftable_get(table, MPIOT_DEF_FRAME, i).words;
        if (frame[0] != module)
            continue;
        if (!symbols || !mpiot_symbols_find(symbols, frame[1], &symbol))
            name_by_address(path, frame[1], &symbol);
        error = define_symbol(table, &symbol, &names->regions[i], &names->locations[i]);
    }
    mpiot_symbols_close(symbols);
    return error;
}

int mpiot_frames_name(struct mpiot_deftable *table, struct mpiot_frame_names *names)
{
    uint64_t frames = mpiot_deftable_count(table, MPIOT_DEF_FRAME);
    int error = 0;

    names->regions = malloc((frames + 1) * sizeof *names->regions);
    names->locations = malloc((frames + 1) * sizeof *names->locations);
    if (!names->regions || !names->locations)
        error = -ENOMEM;
    for (uint64_t i = 0; i < mpiot_deftable_count(table, MPIOT_DEF_MODULE) && !error; i++)
        error = name_module(table, i, names);
    if (error)
        mpiot_frames_release(names);
    return error;
}

void mpiot_frames_release(struct mpiot_frame_names *names)
{
    free(names->regions);
    free(names->locations);
    *names = (struct mpiot_frame_names){NULL, NULL};
}
