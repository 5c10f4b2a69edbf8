/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the time of non-blocking operations goes. While several of a process are in flight, each
 * has an equal share of the time: sums over operations, by whatever, are time that passed. `shares`
 * says how much one would have that is in flight all the time, so that the share of an operation
 * is what they grow by between its begin and its end.
 */
#include "tools/report_events.h"

/** Brings the shares up to a time. */
static void advance(uint64_t time)
{
    struct mpiot_flight *flight = &mpiot_walk.flight;
    enum mpiot_activity activity = MPIOT_ELSEWHERE;

    if (flight->threads[MPIOT_WAITING] > 0)
        activity = MPIOT_WAITING;
    if (flight->threads[MPIOT_ISSUING] > 0)
        activity = MPIOT_ISSUING;
    if (flight->operations > 0 && time > flight->since)
        flight->shares[activity] += (double)(time - flight->since) / flight->operations;
    flight->since = time;
}

void mpiot_overlap_activity(struct mpiot_thread *thread, enum mpiot_activity activity,
                            uint64_t time)
{
    if (thread->activity == activity)
        return;
    advance(time);
    mpiot_walk.flight.threads[thread->activity]--;
    mpiot_walk.flight.threads[activity]++;
    thread->activity = activity;
}

double mpiot_overlap_elsewhere(uint64_t time)
{
    advance(time);
    return mpiot_walk.flight.shares[MPIOT_ELSEWHERE];
}

void mpiot_overlap_was_waiting(struct mpiot_thread *thread, double elsewhere, uint64_t time)
{
    double *shares = mpiot_walk.flight.shares;

    advance(time);
    shares[MPIOT_WAITING] += shares[MPIOT_ELSEWHERE] - elsewhere;
    shares[MPIOT_ELSEWHERE] = elsewhere;
    mpiot_overlap_activity(thread, MPIOT_WAITING, time);
}

void mpiot_overlap_begin(struct mpiot_operation *operation)
{
    advance(operation->begin);
    mpiot_walk.flight.operations++;
    for (int i = 0; i < MPIOT_ACTIVITIES; i++)
        operation->shares[i] = mpiot_walk.flight.shares[i];
}

void mpiot_overlap_end(struct mpiot_operation *operation, uint64_t time)
{
    advance(time);
    mpiot_walk.flight.operations--;
    for (int i = 0; i < MPIOT_ACTIVITIES; i++)
        operation->shares[i] = mpiot_walk.flight.shares[i] - operation->shares[i];
}
