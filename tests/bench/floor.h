/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a blocking call must cost at least: the four records of OTF2 that describe it (Enter,
 * IoOperationBegin with one UINT64 attribute, IoOperationComplete, Leave) and two clock reads,
 * written by OTF2 with nothing around it (design, section 9).
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdint.h>

/** Opens an archive of its own below `directory`; exits on failure, as all of the benchmark. */
void floor_start(const char *directory, uint64_t bytes);

/** The records of `count` calls. */
void floor_run(long count);
void floor_end(void);

#endif
