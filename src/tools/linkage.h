/* SPDX-License-Identifier: BSD-3-Clause */
/** What a program links, before it is started. */
#ifndef MPIOT_TOOLS_LINKAGE_H
#define MPIOT_TOOLS_LINKAGE_H

#include <stddef.h>

/**
 * Whether preloading `library` into `program` (a name as for execvp) can work. 0: nothing speaks
 * against it; -1: it cannot, and `why` says so: the program is linked statically, or links,
 * directly or through its libraries, another MPI library than `library` does.
 *
 * The dynamic loader itself is asked (ld.so(8), --list), which knows every rule of its search; the
 * program does not run.
 */
int mpiot_linkage_check(const char *program, const char *library, char *why, size_t size);

#endif
