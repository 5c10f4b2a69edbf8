/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/node.h"

#include <sys/utsname.h>

uint64_t mpiot_node_hash(void)
{
    struct utsname uts;
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

    uname(&uts);
    for (const char *c = uts.nodename; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return hash;
}
