/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    SPAN = 1000000,  /**< ns between looks: a kernel slews its clock by 500 ns in it at most */
    BASE = 10000000, /**< ns from which a rate is measured: two looks are off by some 20 ns */
    TRIES = 3,       /**< at reading both clocks without an interruption between them */
};

static bool counter_is_trusted;

/** The kernel uses the counter itself only if all processors' agree and run at one speed. */
static void ask_kernel(void)
{
#ifdef __x86_64__
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    char name[sizeof "tsc\n"];

    if (!file)
        return;
    counter_is_trusted = fgets(name, sizeof name, file) && strcmp(name, "tsc\n") == 0;
    fclose(file);
#endif
}

void mpiot_clock_begin(struct mpiot_clock *clock)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, ask_kernel);
    *clock = (struct mpiot_clock){.counts = counter_is_trusted};
    mpiot_clock_look(clock);
    clock->base_counter = clock->counter;
    clock->base_time = clock->time;
}

/** Reads both clocks at one moment, as far as that can be. */
static void read_both(struct mpiot_clock *clock)
{
    uint64_t shortest = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t before = mpiot_clock_count(), time = mpiot_clock_now();
        uint64_t passed = mpiot_clock_count() - before;
        if (passed < shortest) {
            shortest = passed;
            clock->counter = before + passed / 2;
            clock->time = time;
        }
    }
}

uint64_t mpiot_clock_look(struct mpiot_clock *clock)
{
    if (clock->counts) {
        read_both(clock);
        if (clock->time - clock->base_time >= BASE) {
            double rate = (double)(clock->time - clock->base_time) /
                          (double)(clock->counter - clock->base_counter);
            clock->rate = (uint64_t)(rate * 0x1p32);
            clock->span = (uint64_t)(SPAN / rate);
            clock->base_counter = clock->counter;
            clock->base_time = clock->time;
        }
    } else {
        clock->time = mpiot_clock_now();
    }
    return clock->last = clock->time > clock->last ? clock->time : clock->last;
}
