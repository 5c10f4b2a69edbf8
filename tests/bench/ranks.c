/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "trace/definitions.h"
#include "trace/unify.h"

enum { STACK = 64 << 10 };

struct message {
    uint64_t *words; /**< NULL: not sent */
    size_t count;
};

struct rank {
    ucontext_t context;
    struct message up, down; /**< between the rank and its parent */
    size_t bytes, peak;
    double seconds;
};

static struct {
    struct rank *ranks;
    int count, current;
    double since; /**< processor time when the current rank went on */
    bool counting;
    void (*define)(int rank, int count);
    struct mpiot_deftable *unified;
} state;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);

static void count_bytes(size_t more, size_t less)
{
    struct rank *rank = &state.ranks[state.current];

    if (!state.counting)
        return;
    rank->bytes += more - less;
    if (rank->bytes > rank->peak)
        rank->peak = rank->bytes;
}

void *__wrap_malloc(size_t size)
{
    void *block = __real_malloc(size);
    count_bytes(malloc_usable_size(block), 0);
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = __real_calloc(count, size);
    count_bytes(malloc_usable_size(block), 0);
    return block;
}

void *__wrap_realloc(void *old, size_t size)
{
    size_t less = malloc_usable_size(old);
    void *block = __real_realloc(old, size);
    count_bytes(malloc_usable_size(block), less);
    return block;
}

void __wrap_free(void *block)
{
    count_bytes(0, malloc_usable_size(block));
    __real_free(block);
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench: rank %d: %s\n", state.current, what);
    exit(1);
}

static void go_on_with(int rank)
{
    double now = processor_time();
    state.ranks[state.current].seconds += now - state.since;
    state.current = rank;
    state.since = now;
}

/** Lets another rank run until it gives way. */
static void switch_to(int rank)
{
    int self = state.current;

    go_on_with(rank);
    if (swapcontext(&state.ranks[self].context, &state.ranks[rank].context) != 0)
        fail("cannot switch");
}

/** A rank's parent in the tree has the rank's number without its lowest bit. */
static int parent_of(int rank)
{
    return rank & (rank - 1);
}

/** In transit a message is nobody's. */
static int send_words(int to, const uint64_t *words, size_t count)
{
    bool up = to == parent_of(state.current);
    struct message *message = up ? &state.ranks[state.current].up : &state.ranks[to].down;

    message->words = __real_malloc((count + 1) * sizeof *words);
    if (!message->words)
        return -1;
    memcpy(message->words, words, count * sizeof *words);
    message->count = count;
    if (!up)
        switch_to(to);
    return 0;
}

static int receive_words(int from, uint64_t **words, size_t *count)
{
    bool down = from == parent_of(state.current);
    struct message *message = down ? &state.ranks[state.current].down : &state.ranks[from].up;

    if (!message->words)
        switch_to(from);
    *words = message->words;
    *count = message->count;
    count_bytes(malloc_usable_size(*words), 0);
    return 0;
}

/** Each of the rank's strings must be the same in the unified definitions. */
static void check_map(const struct mpiot_defmap *map, const struct mpiot_deftable *table)
{
    for (uint64_t i = 0; i < map->count[MPIOT_DEF_STRING]; i++)
        if (strcmp(mpiot_deftable_string(table, i),
                   mpiot_deftable_string(state.unified, map->index[MPIOT_DEF_STRING][i])) != 0)
            fail("a string has become another");
}

/** A rank's life, from its definitions to its map. */
static void live(void)
{
    int rank = state.current;
    struct mpiot_transport transport = {rank, state.count, send_words, receive_words};
    struct mpiot_defmap map;

    state.counting = true;
    if (mpiot_definitions_start() != 0)
        fail("no memory");
    state.define(rank, state.count);
    struct mpiot_deftable *table = mpiot_definitions_table();
    if (rank == 0)
        state.unified = table;

    state.since = processor_time();
    if (mpiot_unify(table, &transport, &map) != 0)
        fail("cannot unify");
    go_on_with(rank);
    check_map(&map, table);
    mpiot_defmap_release(&map);
    if (rank > 0)
        mpiot_deftable_destroy(table);
    go_on_with(parent_of(rank));
    state.counting = rank > 0;
}

void ranks_unify(int count, void (*define)(int rank, int count), struct ranks_cost *cost)
{
    char *stacks = mmap(NULL, (size_t)count * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ucontext_t self;

    state.ranks = calloc(count, sizeof *state.ranks);
    if (!state.ranks || stacks == MAP_FAILED)
        fail("no memory");
    madvise(stacks, (size_t)count * STACK, MADV_NOHUGEPAGE);
    state.count = count;
    state.define = define;
    for (int i = 0; i < count; i++) {
        ucontext_t *context = &state.ranks[i].context;
        getcontext(context);
        context->uc_stack.ss_sp = stacks + (size_t)i * STACK;
        context->uc_stack.ss_size = STACK;
        context->uc_link = i == 0 ? &self : &state.ranks[parent_of(i)].context;
        makecontext(context, live, 0);
    }
    if (swapcontext(&self, &state.ranks[0].context) != 0)
        fail("cannot switch");

    *cost = (struct ranks_cost){.root_seconds = state.ranks[0].seconds,
                                .root_peak = state.ranks[0].peak,
                                .unified = state.unified};
    for (int i = 0; i < count; i++) {
        cost->seconds += state.ranks[i].seconds;
        if (i > 0 && state.ranks[i].peak > cost->peak)
            cost->peak = state.ranks[i].peak;
    }
    munmap(stacks, (size_t)count * STACK);
    free(state.ranks);
}
