/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_CollectiveCallbacks in OTF2_Callbacks.h; see archive.h for why none of them communicates. */
#include <errno.h>

#include "trace/archive.h"

static bool writes_anchor;

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *context, uint32_t *rank)
{
    (void)user, (void)context;
    *rank = writes_anchor ? 0 : 1;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *context, uint32_t *size)
{
    (void)user, (void)context;
    *size = 2;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode barrier(void *user, OTF2_CollectiveContext *context)
{
    (void)user, (void)context;
    return OTF2_CALLBACK_SUCCESS;
}

/** All that "rank 0" broadcasts is the result of making the directories: they have been made. */
static OTF2_CallbackCode broadcast(void *user, OTF2_CollectiveContext *context, void *data,
                                   uint32_t count, OTF2_Type type, uint32_t root)
{
    (void)user, (void)context, (void)root;
    if (type != OTF2_TYPE_INT64 || count != 1)
        return OTF2_CALLBACK_ERROR;
    *(int64_t *)data = OTF2_SUCCESS;
    return OTF2_CALLBACK_SUCCESS;
}

/* The following serve only substrates that share files between ranks: POSIX does not. */

static OTF2_CallbackCode gather(void *user, OTF2_CollectiveContext *context, const void *in,
                                void *out, uint32_t count, OTF2_Type type, uint32_t root)
{
    (void)user, (void)context, (void)in, (void)out, (void)count, (void)type, (void)root;
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode gatherv(void *user, OTF2_CollectiveContext *context, const void *in,
                                 uint32_t in_count, void *out, const uint32_t *out_counts,
                                 OTF2_Type type, uint32_t root)
{
    (void)out_counts;
    return gather(user, context, in, out, in_count, type, root);
}

static OTF2_CallbackCode scatterv(void *user, OTF2_CollectiveContext *context, const void *in,
                                  const uint32_t *in_counts, void *out, uint32_t out_count,
                                  OTF2_Type type, uint32_t root)
{
    (void)in_counts;
    return gather(user, context, in, out, out_count, type, root);
}

int mpiot_collectives_set(OTF2_Archive *archive)
{
    static const OTF2_CollectiveCallbacks callbacks = {
        .otf2_get_size = get_size,
        .otf2_get_rank = get_rank,
        .otf2_barrier = barrier,
        .otf2_bcast = broadcast,
        .otf2_gather = gather,
        .otf2_gatherv = gatherv,
        .otf2_scatter = gather,
        .otf2_scatterv = scatterv,
    };

    writes_anchor = false;
    OTF2_ErrorCode error =
        OTF2_Archive_SetCollectiveCallbacks(archive, &callbacks, NULL, NULL, NULL);
    return error == OTF2_SUCCESS ? 0 : -EIO;
}

void mpiot_collectives_write_anchor(bool this_process)
{
    writes_anchor = this_process;
}
