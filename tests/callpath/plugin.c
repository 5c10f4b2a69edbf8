/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded by the programs of this directory. */
void plugin_enter(void (*function)(int))
{
    function(6); /* @enter */
    __asm__ volatile("");
}
