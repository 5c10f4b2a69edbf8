/* SPDX-License-Identifier: BSD-3-Clause */
/* Views (MPI-4.1, 14.3), by the attributes that mpiotrace gives the leave of MPI_File_set_view. */
#include <stdlib.h>

#include "tools/memory.h"
#include "tools/report_events.h"

struct mpiot_view {
    uint32_t handle;
    struct mpiot_tiles tiles;
    UT_hash_handle hh;
};

static struct mpiot_view *find(uint32_t handle)
{
    struct mpiot_view *view;

    HASH_FIND(hh, mpiot_walk.views, &handle, sizeof handle, view);
    return view;
}

void mpiot_view_forget(uint32_t handle)
{
    struct mpiot_view *view = find(handle);

    if (!view)
        return;
    HASH_DEL(mpiot_walk.views, view);
    free(view);
}

void mpiot_view_set(uint32_t handle, uint64_t filetype_size, int64_t filetype_extent)
{
    const uint64_t extent = filetype_extent > 0 ? (uint64_t)filetype_extent : 0;

    mpiot_view_forget(handle);
    if (filetype_size == 0 || filetype_size >= extent)
        return;
    struct mpiot_view *view = mpiot_resize(NULL, sizeof *view);
    *view = (struct mpiot_view){.handle = handle, .tiles = {filetype_size, extent}};
    HASH_ADD(hh, mpiot_walk.views, handle, sizeof view->handle, view);
}

struct mpiot_tiles mpiot_view_tiles(uint32_t handle)
{
    const struct mpiot_view *view = mpiot_walk.views ? find(handle) : NULL;

    return view ? view->tiles : (struct mpiot_tiles){0, 0};
}

void mpiot_views_end(void)
{
    struct mpiot_view *view, *next;

    HASH_ITER(hh, mpiot_walk.views, view, next)
    {
        HASH_DEL(mpiot_walk.views, view);
        free(view);
    }
}
