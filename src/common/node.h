/* SPDX-License-Identifier: BSD-3-Clause */
/** The node this process runs on. */
#ifndef MPIOT_COMMON_NODE_H
#define MPIOT_COMMON_NODE_H

#include <stdint.h>

/** A number that tells nodes apart, made of the node's name. */
uint64_t mpiot_node_hash(void);

#endif
