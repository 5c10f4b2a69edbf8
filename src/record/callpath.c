/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/callpath.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* uthash must not exit(3) inside somebody's program: a failed insertion is an error like any. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(path) ((path)->lost = true)
#include <uthash.h>

#include "common/config.h"
#include "common/log.h"
#include "record/module.h"
#include "trace/definitions.h"
#include "trace/trace.h"

enum {
    TRACER_FRAMES = 16, /**< most frames of the tracer itself below an MPI procedure */
    RECENT = 64,        /**< paths found without hashing all of the stack; a power of two */
};

/** A path with what it is found by: the call, and return addresses from the caller outwards. */
struct path {
    UT_hash_handle hh;
    struct mpiot_callpath path;
    bool lost;       /**< set by uthash where it found no memory */
    size_t key_size; /**< bytes */
    uintptr_t key[]; /**< region, context of the outer call, return addresses; then the nodes */
};

struct mpiot_callpaths {
    struct path *all;
    struct path *recent[RECENT];
    const struct mpiot_callpath *current; /**< the path entered or left last */
    uint32_t current_length;              /**< so many of its nodes are still entered */
    uint64_t generation;
};

/** Goes up when addresses may have come to mean something else. */
static _Atomic uint64_t generation;

struct mpiot_callpaths *mpiot_callpaths_create(void)
{
    return calloc(1, sizeof(struct mpiot_callpaths));
}

static void release_all(struct path **all)
{
    struct path *path, *next;
    HASH_ITER(hh, *all, path, next) {
        HASH_DEL(*all, path);
        free(path);
    }
}

void mpiot_callpaths_release(struct mpiot_callpaths *paths)
{
    if (!paths)
        return;
    release_all(&paths->all);
    free(paths);
}

/** The stack from the caller of `call` outwards; `outer` ends it. */
static int unwind(const struct mpiot_callpath_call *call, const struct mpiot_callpath_call *outer,
                  uintptr_t *addresses)
{
    void *stack[MPIOT_CALLPATH_MAX + TRACER_FRAMES];
    int depth = mpiot_config()->callstack, first = 0, count = 0;
    int found = unw_backtrace(stack, depth + TRACER_FRAMES);

    while (first < found && stack[first] != call->return_address)
        first++;
    if (first == found) { /* no unwind information on the way: at least the caller is known */
        addresses[0] = (uintptr_t)call->return_address;
        return 1;
    }
    for (int i = first; i < found && count < depth; i++) {
        if (outer && stack[i] == outer->return_address)
            break;
        addresses[count++] = (uintptr_t)stack[i];
    }
    return count;
}

/** The node of a frame below `parent`; `parent` itself for a frame that is left out. */
static uint32_t define_node(const struct mpiot_module *module, uint32_t parent)
{
    if (module->kind == MPIOT_MODULE_MPI)
        return parent;
    /* Addresses of generated code mean nothing to other ranks. */
    uint64_t address = module->kind == MPIOT_MODULE_UNKNOWN ? 0 : module->address;
    uint32_t object = mpiot_define_module(module->path, module->build_id);
    return mpiot_define_context(MPIOT_UNDEFINED, mpiot_define_frame(object, address), parent);
}

/** Without the frames that call main or a thread's first procedure. */
static int without_start(const struct mpiot_module *modules, int count)
{
    if (count >= 2 && modules[count - 1].kind == MPIOT_MODULE_PROGRAM &&
        modules[count - 2].kind == MPIOT_MODULE_C_LIBRARY)
        count--;
    while (count > 0 && modules[count - 1].kind == MPIOT_MODULE_C_LIBRARY)
        count--;
    return count;
}

/** Defines the nodes of a path, outermost first, behind those of `outer`. */
static bool define_nodes(struct path *path, uint32_t region, const struct mpiot_callpath *outer,
                         const uintptr_t *addresses, int count, uint32_t *nodes)
{
    uint32_t root = mpiot_trace_root_context(), length = 0;
    struct mpiot_module *modules = malloc((count + 1) * sizeof *modules);

    if (!modules)
        return false;
    /* A return address is behind the call, which may have been the last of its function. */
    for (int i = 0; i < count; i++)
        mpiot_module_find((const void *)(addresses[i] - 1), &modules[i]);
    if (!outer)
        count = without_start(modules, count);

    if (outer) {
        memcpy(nodes, outer->nodes, outer->length * sizeof *nodes);
        length = outer->length;
    } else {
        nodes[length++] = root;
    }
    for (int i = count - 1; i >= 0; i--) {
        uint32_t node = define_node(&modules[i], nodes[length - 1]);
        if (node != nodes[length - 1])
            nodes[length++] = node;
    }
    nodes[length] = mpiot_define_context(region, MPIOT_UNDEFINED, nodes[length - 1]);
    path->path = (struct mpiot_callpath){nodes[length], length + 1, nodes};
    free(modules);
    return true;
}

static struct path *add_path(struct mpiot_callpaths *paths, const uintptr_t *key, size_t key_words,
                             const struct mpiot_callpath *outer)
{
    size_t most_nodes = key_words + (outer ? outer->length : 1);
    struct path *path =
        calloc(1, sizeof *path + key_words * sizeof *key + most_nodes * sizeof(uint32_t));
    if (!path)
        return NULL;
    path->key_size = key_words * sizeof *key;
    memcpy(path->key, key, path->key_size);
    if (!define_nodes(path, key[0], outer, key + 2, key_words - 2,
                      (uint32_t *)(path->key + key_words)))
        goto free_path;
    HASH_ADD_KEYPTR(hh, paths->all, path->key, path->key_size, path);
    if (!path->lost)
        return path;
free_path:
    free(path);
    return NULL;
}

/** After addresses have changed their meaning; no call is open. */
static void forget(struct mpiot_callpaths *paths, uint64_t now)
{
    release_all(&paths->all);
    memset(paths->recent, 0, sizeof paths->recent);
    paths->current = NULL;
    paths->generation = now;
}

const struct mpiot_callpath *mpiot_callpath_find(struct mpiot_callpaths *paths,
                                                 const struct mpiot_callpath_call *call,
                                                 const struct mpiot_callpath_call *outer,
                                                 const struct mpiot_callpath *outer_path)
{
    uintptr_t key[2 + MPIOT_CALLPATH_MAX] = {
        call->region, outer_path ? outer_path->context : MPIOT_UNDEFINED};
    uint64_t now = atomic_load_explicit(&generation, memory_order_relaxed);
    struct path *path;

    if (now != paths->generation && !outer)
        forget(paths, now);
    size_t words = 2 + unwind(call, outer, key + 2);
    size_t size = words * sizeof *key;
    struct path **recent =
        &paths->recent[((uintptr_t)call->return_address ^ (uintptr_t)call->return_address >> 6) %
                       RECENT];
    if (*recent && (*recent)->key_size == size && memcmp((*recent)->key, key, size) == 0)
        return &(*recent)->path;

    HASH_FIND(hh, paths->all, key, size, path);
    if (!path)
        path = add_path(paths, key, words, outer_path);
    if (!path) {
        mpiot_trace_stop("no memory for a call path");
        return NULL;
    }
    *recent = path;
    return &path->path;
}

uint32_t mpiot_callpath_enter(struct mpiot_callpaths *paths, const struct mpiot_callpath *path)
{
    uint32_t common = 1; /* the program's node */

    if (paths->current == path) {
        common = path->length - 1;
    } else if (paths->current) {
        uint32_t most = path->length - 1;
        if (paths->current_length < most)
            most = paths->current_length;
        while (common < most && paths->current->nodes[common] == path->nodes[common])
            common++;
    }
    paths->current = path;
    paths->current_length = path->length;
    return path->length - common + 1;
}

void mpiot_callpath_leave(struct mpiot_callpaths *paths, const struct mpiot_callpath *path)
{
    paths->current = path;
    paths->current_length = path->length - 1;
}

void mpiot_callpaths_refresh(void)
{
    static _Atomic uint64_t known;
    uint64_t unloaded = mpiot_module_unloaded();

    if (atomic_exchange(&known, unloaded) == unloaded)
        return;
    unw_flush_cache(unw_local_addr_space, 0, 0);
    atomic_fetch_add(&generation, 1);
}
