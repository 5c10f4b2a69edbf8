/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Recognises a stack that has been unwound before, without unwinding it again.
 *
 * What unwinding finds depends on where the MPI procedure was called, on the unwind tables, and on
 * the few words of the stack to which the tables lead: return addresses, and frame pointers where a
 * frame is found by one. Such words are remembered; while all are as they were, so is the path.
 * They are compared in the order in which an unwinder reads them: up to the first one that differs
 * the stack is as it was, so that no word is read that is not part of it.
 *
 * On processors other than x86-64 nothing is ever remembered.
 */
#ifndef MPIOT_RECORD_WITNESS_H
#define MPIOT_RECORD_WITNESS_H

#include <stddef.h>
#include <stdint.h>

#include "record/callpath.h"

/** What a thread remembers; only the thread uses it. */
struct mpiot_witnesses;

struct mpiot_witnesses *mpiot_witnesses_create(void);
void mpiot_witnesses_release(struct mpiot_witnesses *witnesses);

/** The path that `call` is known to have, or NULL. */
const struct mpiot_callpath *mpiot_witnesses_find(struct mpiot_witnesses *witnesses,
                                                  const struct mpiot_callpath_call *call);

/**
 * A call that was not recognised has `path`, and these return addresses from its caller outwards:
 * remembers it, unless remembering has been of little use.
 */
void mpiot_witnesses_learn(struct mpiot_witnesses *witnesses,
                           const struct mpiot_callpath_call *call, const uintptr_t *addresses,
                           size_t count, const struct mpiot_callpath *path);

/** Addresses may have come to mean something else, and paths are gone. */
void mpiot_witnesses_forget(struct mpiot_witnesses *witnesses);

#endif
