/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a thread's clock between two looks at CLOCK_MONOTONIC, over and over, with pauses of many
 * lengths. Prints what percentage of reads was without a look, by how many ns one was outside of
 * the two at worst, and how often it went back.
 */
#include <inttypes.h>
#include <stdio.h>

#include "trace/clock.h"

int main(void)
{
    struct mpiot_clock clock;
    uint64_t last = 0, worst = 0, quick = 0, backwards = 0, reads = 0;

    mpiot_clock_begin(&clock);
    for (uint64_t start = mpiot_clock_now(); mpiot_clock_now() - start < 1000000000; reads++) {
        uint64_t looked = clock.counter;
        uint64_t before = mpiot_clock_now(), time = mpiot_clock_read(&clock);
        uint64_t after = mpiot_clock_now();
        uint64_t error = time < before ? before - time : time > after ? time - after : 0;

        worst = error > worst ? error : worst;
        backwards += time < last;
        quick += clock.counter == looked;
        last = time;
        if (reads % 10000 == 0)
            nanosleep(&(struct timespec){.tv_nsec = reads * 10}, NULL);
    }
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", clock.counts ? 100 * quick / reads : 100, worst,
           backwards);
    return 0;
}
