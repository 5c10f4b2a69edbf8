/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/forward.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>

#include "common/log.h"
#include "record/record.h"

/** A loaded object whose calls of C procedures are inner ones. */
struct mpiot_layer {
    uintptr_t begin, end;
};

enum { MPIOT_LAYERS_MAX = 8 }; /* our own code, mpif.h, f08, a compiler's flavours of each */

/** Layers are added, never removed: a Fortran layer is not unloaded while its calls are made. */
static struct {
    struct mpiot_layer layers[MPIOT_LAYERS_MAX];
    _Atomic size_t count;
    atomic_flag adding;
} forward = {.adding = ATOMIC_FLAG_INIT};

_Thread_local struct mpiot_announcement mpiot_announced
    __attribute__((tls_model("initial-exec")));

static bool mpiot_layer_is_known(const void *address)
{
    size_t count = atomic_load_explicit(&forward.count, memory_order_acquire);
    for (size_t i = 0; i < count; i++) {
        uintptr_t at = (uintptr_t)address;
        if (at >= forward.layers[i].begin && at < forward.layers[i].end)
            return true;
    }
    return false;
}

/** For dl_iterate_phdr: stops at the object that holds layer->begin, and fills in its range. */
static int mpiot_layer_match(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct mpiot_layer *layer = data;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t first = info->dlpi_addr + segment->p_vaddr;
        begin = first < begin ? first : begin;
        end = first + segment->p_memsz > end ? first + segment->p_memsz : end;
    }
    if (layer->begin < begin || layer->begin >= end)
        return 0;
    *layer = (struct mpiot_layer){begin, end};
    return 1;
}

static void mpiot_layer_add(const void *address)
{
    struct mpiot_layer layer = {.begin = (uintptr_t)address};
    if (!dl_iterate_phdr(mpiot_layer_match, &layer))
        return;
    while (atomic_flag_test_and_set_explicit(&forward.adding, memory_order_acquire))
        ; /* another thread stores two words */
    size_t count = atomic_load_explicit(&forward.count, memory_order_relaxed);
    if (count < MPIOT_LAYERS_MAX) {
        forward.layers[count] = layer;
        atomic_store_explicit(&forward.count, count + 1, memory_order_release);
    } else {
        mpiot_log_debug("too many Fortran layers, calls may be recorded twice");
    }
    atomic_flag_clear_explicit(&forward.adding, memory_order_release);
}

void mpiot_forward_begin(struct mpiot_call *call, const void *fortran_entry)
{
    /* A layer that ends in a tail call leaves a return address in our own code. */
    const void *own_code = __builtin_return_address(0);
    if (!mpiot_layer_is_known(own_code))
        mpiot_layer_add(own_code);
    if (!mpiot_layer_is_known(fortran_entry))
        mpiot_layer_add(fortran_entry);
    call->outer = mpiot_announced;
    mpiot_announced = (struct mpiot_announcement){.frame = call->frame, .op = call->op};
}

void mpiot_forward_end(struct mpiot_call *call)
{
    mpiot_announced = call->outer;
}

bool mpiot_forward_matches(const struct mpiot_call *call)
{
    if (mpiot_announced.frame < call->frame) { /* a longjmp has left the Fortran call */
        mpiot_announced.frame = NULL;
        return false;
    }
    if (!mpiot_layer_is_known(call->return_address))
        return false;
    /* The layer converts handles as well, as often as it likes. */
    if (call->op == MPIOT_OP_FILE_C2F || call->op == MPIOT_OP_FILE_F2C)
        return true;
    bool matches = call->op == mpiot_announced.op;
    if (matches)
        mpiot_announced.op = MPIOT_OP_COUNT;
    return matches;
}
