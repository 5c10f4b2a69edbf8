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
#include "record/witness.h"
#include "trace/definitions.h"
#include "trace/trace.h"

enum {
    KEY_HEAD = 2,       /**< words of a path's key before the addresses */
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
    struct mpiot_witnesses *witnesses;
    struct path *recent[RECENT];
    const struct mpiot_callpath *current; /**< the path entered or left last */
    uint32_t current_length;              /**< so many of its nodes are still entered */
    int tracer_frames; /**< most frames of the tracer that were below a caller */
    uint64_t generation;
};

/** Goes up when addresses may have come to mean something else. */
static _Atomic uint64_t generation;

struct mpiot_callpaths *mpiot_callpaths_create(void)
{
    struct mpiot_callpaths *paths = calloc(1, sizeof *paths);

    if (paths && !(paths->witnesses = mpiot_witnesses_create())) {
        free(paths);
        return NULL;
    }
    return paths;
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
    mpiot_witnesses_release(paths->witnesses);
    free(paths);
}

/** The stack, with room in front for what else a path is found by. */
struct stack {
    void *addresses[KEY_HEAD + TRACER_FRAMES + MPIOT_CALLPATH_MAX];
    uintptr_t *key; /**< region, context of the outer call, addresses from the caller outwards */
    size_t key_words;
};

/** Unwinds `frames`; where the caller of the MPI procedure is among them, or `*end`. */
static int find_caller(struct stack *stack, int frames, const void *return_address, int *end)
{
    int first = KEY_HEAD;

    *end = KEY_HEAD + unw_backtrace(stack->addresses + KEY_HEAD, frames);
    while (first < *end && stack->addresses[first] != return_address)
        first++;
    return first;
}

/**
 * Unwinds from the caller of `call` outwards; `outer` ends it. So many frames of the tracer were
 * below the caller so far: unwinding costs by the frame.
 */
static void unwind(struct stack *stack, const struct mpiot_callpath_call *call,
                   const struct mpiot_callpath_call *outer, int *tracer_frames)
{
    int depth = mpiot_config()->callstack, end, last;
    int first = find_caller(stack, *tracer_frames + depth, call->return_address, &end);

    if (first == end || first - KEY_HEAD > *tracer_frames) {
        first = find_caller(stack, TRACER_FRAMES + depth, call->return_address, &end);
        if (first < end)
            *tracer_frames = first - KEY_HEAD;
    }
    last = first + depth < end ? first + depth : end;
    if (first == end) { /* no unwind information on the way: at least the caller is known */
        first = KEY_HEAD;
        last = first + 1;
        stack->addresses[first] = (void *)call->return_address;
    }
    if (outer)
        for (int i = first; i < last; i++)
            if (stack->addresses[i] == outer->return_address)
                last = i;
    stack->key = (uintptr_t *)&stack->addresses[first - KEY_HEAD];
    stack->key_words = KEY_HEAD + last - first;
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
    if (!define_nodes(path, key[0], outer, key + KEY_HEAD, key_words - KEY_HEAD,
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
    mpiot_witnesses_forget(paths->witnesses);
    memset(paths->recent, 0, sizeof paths->recent);
    paths->current = NULL;
    paths->generation = now;
}

static unsigned slot_of(const void *return_address)
{
    uintptr_t address = (uintptr_t)return_address;
    return (address ^ address >> 6) % RECENT;
}

/** The path of a stack; NULL: no memory, logged. */
static struct path *find_unwound(struct mpiot_callpaths *paths, const struct stack *stack,
                                 const struct mpiot_callpath_call *call,
                                 const struct mpiot_callpath *outer_path)
{
    struct path **recent = &paths->recent[slot_of(call->return_address)], *path = *recent;
    size_t size = stack->key_words * sizeof *stack->key;

    if (path && path->key_size == size && memcmp(path->key, stack->key, size) == 0)
        return path;
    HASH_FIND(hh, paths->all, stack->key, size, path);
    if (!path)
        path = add_path(paths, stack->key, stack->key_words, outer_path);
    if (!path) {
        mpiot_trace_stop("no memory for a call path");
        return NULL;
    }
    return *recent = path;
}

const struct mpiot_callpath *mpiot_callpath_find(struct mpiot_callpaths *paths,
                                                 const struct mpiot_callpath_call *call,
                                                 const struct mpiot_callpath_call *outer,
                                                 const struct mpiot_callpath *outer_path)
{
    uint64_t now = atomic_load_explicit(&generation, memory_order_relaxed);
    const struct mpiot_callpath *known;
    struct path *path;
    struct stack stack;

    if (now != paths->generation && !outer)
        forget(paths, now);
    if (!outer && (known = mpiot_witnesses_find(paths->witnesses, call)))
        return known;

    unwind(&stack, call, outer, &paths->tracer_frames);
    stack.key[0] = call->region;
    stack.key[1] = outer_path ? outer_path->context : MPIOT_UNDEFINED;
    path = find_unwound(paths, &stack, call, outer_path);
    if (!path)
        return NULL;
    if (!outer)
        mpiot_witnesses_learn(paths->witnesses, call, stack.key + KEY_HEAD,
                              stack.key_words - KEY_HEAD, &path->path);
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
