/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/witness.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS = 16, /**< a power of two */
    WAYS = 4,  /**< paths with equal innermost frames */
    WORDS = 64,
    MOST_PATIENCE = 1 << 16,
};

/** A word of the stack that unwinding depended on. */
struct word {
    const uintptr_t *at;
    uintptr_t value;
};

struct witness {
    struct mpiot_callpath_call call;
    const struct mpiot_callpath *path; /**< NULL: nothing is remembered */
    size_t count;
    struct word words[WORDS];
};

struct set {
    struct witness ways[WAYS];
    unsigned next;     /**< way to be given up */
    unsigned missed;   /**< calls not recognised since something was learnt */
    unsigned patience; /**< so many may be, before something is: learning costs some us */
};

struct mpiot_witnesses {
    struct set sets[SETS];
};

struct mpiot_witnesses *mpiot_witnesses_create(void)
{
    return calloc(1, sizeof(struct mpiot_witnesses));
}

void mpiot_witnesses_release(struct mpiot_witnesses *witnesses)
{
    free(witnesses);
}

void mpiot_witnesses_forget(struct mpiot_witnesses *witnesses)
{
    memset(witnesses, 0, sizeof *witnesses);
}

static struct set *set_of(struct mpiot_witnesses *witnesses,
                          const struct mpiot_callpath_call *call)
{
    uintptr_t address = (uintptr_t)call->return_address, frame = (uintptr_t)call->frame / 16;
    return &witnesses->sets[(address ^ address >> 4 ^ frame) % SETS];
}

/** Looks at frames that are not its own, which AddressSanitizer would take amiss. */
static __attribute__((no_sanitize_address)) bool is_as_it_was(const struct witness *witness)
{
    for (size_t i = 0; i < witness->count; i++)
        if (*witness->words[i].at != witness->words[i].value)
            return false;
    return true;
}

static bool is_of(const struct witness *witness, const struct mpiot_callpath_call *call)
{
    return witness->path && witness->call.frame == call->frame &&
           witness->call.return_address == call->return_address &&
           witness->call.region == call->region;
}

const struct mpiot_callpath *mpiot_witnesses_find(struct mpiot_witnesses *witnesses,
                                                  const struct mpiot_callpath_call *call)
{
    struct set *set = set_of(witnesses, call);

    for (unsigned i = 0; i < WAYS; i++)
        if (is_of(&set->ways[i], call) && is_as_it_was(&set->ways[i])) {
            set->patience -= set->patience > 0;
            return set->ways[i].path;
        }
    return NULL;
}

#ifdef __x86_64__

/** What the tables start from in a frame. */
struct registers {
    uintptr_t ip, sp, bp;
    const uintptr_t *bp_at; /**< where an inner frame has saved bp; NULL: nowhere */
};

static bool read_registers(unw_cursor_t *cursor, struct registers *registers)
{
    unw_word_t ip, sp, bp;
    unw_save_loc_t bp_at;

    if (unw_get_reg(cursor, UNW_REG_IP, &ip) || unw_get_reg(cursor, UNW_REG_SP, &sp) ||
        unw_get_reg(cursor, UNW_X86_64_RBP, &bp) ||
        unw_get_save_loc(cursor, UNW_X86_64_RBP, &bp_at))
        return false;
    *registers = (struct registers){
        ip, sp, bp, bp_at.type == UNW_SLT_MEMORY ? (const uintptr_t *)bp_at.u.addr : NULL};
    return true;
}

static __attribute__((no_sanitize_address)) bool watch(struct witness *witness,
                                                       const uintptr_t *at, uintptr_t value)
{
    if (!at || *at != value || witness->count == WORDS)
        return false;
    witness->words[witness->count++] = (struct word){at, value};
    return true;
}

/**
 * Words by which the tables find the end of a frame, `cfa`: none if it is a distance from the stack
 * pointer. If bp points into the frame that may be where they start from; realigned frames have the
 * end itself saved near bp (DW_CFA_def_cfa_expression of GCC).
 */
static __attribute__((no_sanitize_address)) bool watch_base(struct witness *witness,
                                                            const struct registers *frame,
                                                            uintptr_t cfa)
{
    enum { NEAR = 8 };

    if (frame->bp < frame->sp || frame->bp >= cfa || frame->bp % sizeof frame->bp)
        return true;
    if (!watch(witness, frame->bp_at, frame->bp))
        return false;
    for (unsigned i = 1; i <= NEAR; i++) {
        const uintptr_t *word = (const uintptr_t *)frame->bp - i;
        if ((uintptr_t)word >= frame->sp && *word == cfa && !watch(witness, word, cfa))
            return false;
    }
    return true;
}

/** Unwinds to the caller of the MPI procedure. */
static bool find_caller(unw_cursor_t *cursor, const struct mpiot_callpath_call *call,
                        struct registers *caller)
{
    /* A wrapper's frame holds bp of its caller, the return address, and ends. */
    uintptr_t sp = (uintptr_t)call->frame + 2 * sizeof(uintptr_t);

    do {
        if (unw_step(cursor) <= 0 || !read_registers(cursor, caller))
            return false;
    } while (caller->sp < sp);
    return caller->sp == sp && caller->ip == (uintptr_t)call->return_address;
}

/** Follows the stack once more, by single steps; false if what it depends on cannot be told. */
static bool gather(struct witness *witness, const uintptr_t *addresses, size_t count)
{
    unw_context_t context;
    unw_cursor_t cursor;
    struct registers frame, outer;

    if (unw_getcontext(&context) || unw_init_local(&cursor, &context) ||
        !find_caller(&cursor, &witness->call, &frame) || frame.ip != addresses[0])
        return false;
    witness->count = 0;
    for (size_t i = 1; i < count; i++, frame = outer) {
        if (unw_is_signal_frame(&cursor) || unw_step(&cursor) <= 0 ||
            !read_registers(&cursor, &outer) || outer.ip != addresses[i] ||
            !watch_base(witness, &frame, outer.sp) ||
            !watch(witness, (const uintptr_t *)outer.sp - 1, outer.ip))
            return false;
    }
    return true;
}

#else

static bool gather(struct witness *witness, const uintptr_t *addresses, size_t count)
{
    (void)witness, (void)addresses, (void)count;
    return false;
}

#endif

void mpiot_witnesses_learn(struct mpiot_witnesses *witnesses,
                           const struct mpiot_callpath_call *call, const uintptr_t *addresses,
                           size_t count, const struct mpiot_callpath *path)
{
    struct set *set = set_of(witnesses, call);
    struct witness *witness = &set->ways[set->next];

    if (set->missed++ < set->patience)
        return;
    set->missed = 0;
    set->patience = set->patience < MOST_PATIENCE ? 2 * set->patience + WAYS : MOST_PATIENCE;
    set->next = (set->next + 1) % WAYS;
    witness->call = *call;
    witness->path = gather(witness, addresses, count) ? path : NULL;
}
