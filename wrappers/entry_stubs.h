/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Assembler macros for entry_points.S.
 *
 *   MPIOT_ENTRIES_BEGIN           starts the table that entry.c walks (struct mpiot_entry)
 *   MPIOT_ENTRY name, wrapper     exports `name` as a stub that jumps through a slot, and lays the
 *                                 slot, filled with `wrapper`, and the name into the table
 *   MPIOT_ENTRIES_FORTRAN name, lower
 *                                 the same for the Fortran names of the procedure `name`
 *   MPIOT_ENTRIES_END function    ends the table; `function` is called when the library is loaded
 *
 * No register that carries an argument is touched. The call at load time is ordered here, not by
 * an attribute in entry.c, so that whoever links one stub from libmpiotrace.a gets it too.
 */
#if defined(__x86_64__)

#ifdef __CET__
#include <cet.h> /* marks the object as fit for indirect branch tracking */
#else
#define _CET_ENDBR
#endif

.macro MPIOT_STUB slot
    _CET_ENDBR
    jmp *\slot(%rip)
.endm

#elif defined(__aarch64__)

/* hint #34 is "bti c", which a branch through x16 may land on; older processors skip it. */
.macro MPIOT_STUB slot
    hint #34
    adrp x16, \slot
    ldr x16, [x16, #:lo12:\slot]
    br x16
.endm

#ifdef __ARM_FEATURE_BTI_DEFAULT
    .section .note.gnu.property, "a"
    .balign 8
    .word 4, 16, 5
    .asciz "GNU"
    .word 0xc0000000, 4, 1, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI */
#endif

#endif

.macro MPIOT_ENTRIES_BEGIN
    .data
    .balign 8
    .globl mpiot_entries
    .hidden mpiot_entries
mpiot_entries:
.endm

.macro MPIOT_ENTRY name, wrapper
    .hidden \wrapper

    .section .rodata.str1.1, "aMS", %progbits, 1
.Lname_\name:
    .asciz "\name"

    .data
.Lslot_\name:
    .quad \wrapper
    .quad .Lname_\name

    .text
    .balign 16
    .globl \name
    .type \name, %function
\name:
    .cfi_startproc
    MPIOT_STUB .Lslot_\name
    .cfi_endproc
    .size \name, . - \name
.endm

/*
 * The Fortran names of a procedure: compilers spell a symbol with one, two or no underscores, or in
 * upper case (which a macro cannot make), and Open MPI has two more names for the same entry.
 */
.macro MPIOT_ENTRIES_FORTRAN name, lower
    MPIOT_ENTRY \lower, mpiot_mpifh_\name
    MPIOT_ENTRY \lower\()_, mpiot_mpifh_\name
    MPIOT_ENTRY \lower\()__, mpiot_mpifh_\name
    MPIOT_ENTRY \name\()_f, mpiot_mpifh_\name
    MPIOT_ENTRY \name\()_f08, mpiot_mpifh_\name
    MPIOT_ENTRY \lower\()_f08_, mpiot_f08_\name
.endm

.macro MPIOT_ENTRIES_END function
    .data
    .globl mpiot_entries_end
    .hidden mpiot_entries_end
mpiot_entries_end:

    .hidden \function
    .section .init_array, "aw", %init_array
    .balign 8
    .quad \function
.endm
