/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How a call of an MPI name reaches its wrapper.
 *
 * Where the architecture has a stub (entry_stubs.h), the MPI name is a stub that jumps through a
 * slot. The slot holds our wrapper, until entry.c finds that this process must not be traced; then
 * it holds the MPI library's own procedure, and no line of ours touches the arguments. A jump
 * leaves the caller's return address in place. Elsewhere the wrapper has the MPI name itself, and
 * a library built for another MPI than the program's is not noticed (-DMPIOT_NO_ENTRY_STUBS builds
 * it so everywhere).
 *
 * Also read by the assembler: macros only.
 */
#ifndef MPIOT_WRAPPERS_ENTRY_H
#define MPIOT_WRAPPERS_ENTRY_H

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(MPIOT_NO_ENTRY_STUBS)
#define MPIOT_HAVE_ENTRY_STUBS 1
#endif

/** The name under which the wrapper of the MPI procedure `name` is defined. */
#ifdef MPIOT_HAVE_ENTRY_STUBS
#define MPIOT_WRAPPER(name) mpiot_##name
#else
#define MPIOT_WRAPPER(name) __attribute__((visibility("default"))) name
#endif

/** Declares `name` as one more name of the Fortran wrapper `wrapper`, where there are no stubs. */
#define MPIOT_ALIAS(name, wrapper) MPIOT_ALIAS_OF(name, wrapper, #wrapper)
#define MPIOT_ALIAS_OF(name, wrapper, text)                                                        \
    extern __typeof__(wrapper) name __attribute__((alias(text), visibility("default")));

#endif
