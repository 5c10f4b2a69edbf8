/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/clock_sync.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/node.h"
#include "trace/clock.h"
#include "trace/comm.h"

enum { ROUND_TRIPS = 20, START = 0, END = 1 };

static struct {
    uint64_t *leaders; /**< by rank, the first rank on the same node; NULL: there is one node */
    struct mpiot_clock_offset offsets[2];
} state;

struct rank_on_node {
    uint64_t node, rank;
};

static int by_node_and_rank(const void *a, const void *b)
{
    const struct rank_on_node *left = a, *right = b;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return left->rank < right->rank ? -1 : left->rank > right->rank;
}

/** On rank 0: makes leaders of the nodes of all ranks. */
static int group_by_node(uint64_t *nodes, size_t size)
{
    struct rank_on_node *ranks = malloc(size * sizeof *ranks);
    if (!ranks)
        return -ENOMEM;
    for (size_t i = 0; i < size; i++)
        ranks[i] = (struct rank_on_node){nodes[i], i};
    qsort(ranks, size, sizeof *ranks, by_node_and_rank);
    for (size_t i = 0, first = 0; i < size; i++) {
        if (ranks[i].node != ranks[first].node)
            first = i;
        nodes[ranks[i].rank] = ranks[first].rank;
    }
    free(ranks);
    return 0;
}

static int find_leaders(uint64_t node)
{
    size_t size = mpiot_comm_size(), gathered;
    uint64_t failed;
    int error = mpiot_comm_gather(&node, 1, &state.leaders, &gathered);

    if (!error && mpiot_comm_rank() == 0)
        error = group_by_node(state.leaders, size);
    else if (!error && !(state.leaders = malloc(size * sizeof *state.leaders)))
        error = -ENOMEM;
    failed = error != 0;
    if (mpiot_comm_max(&failed) != 0 || failed)
        return error ? error : -EIO;
    return mpiot_comm_broadcast(state.leaders, size * sizeof *state.leaders);
}

/** A process's own part: rank 0 answers with its time. */
static int answer(int leader)
{
    uint64_t *question, now;
    size_t count;
    int error = 0;

    for (int i = 0; i < ROUND_TRIPS && !error; i++) {
        error = mpiot_comm_receive(leader, &question, &count);
        if (error)
            break;
        free(question);
        now = mpiot_clock_now();
        error = mpiot_comm_send(leader, &now, 1);
    }
    return error;
}

/** Of the shortest round trip the middle is the moment that rank 0's time belongs to. */
static int ask(struct mpiot_clock_offset *offset)
{
    uint64_t shortest = UINT64_MAX;
    int error = 0;

    for (int i = 0; i < ROUND_TRIPS && !error; i++) {
        uint64_t *theirs, sent = mpiot_clock_now();
        size_t count;
        error = mpiot_comm_send(0, &sent, 1);
        if (!error)
            error = mpiot_comm_receive(0, &theirs, &count);
        if (error)
            break;
        uint64_t trip = mpiot_clock_now() - sent;
        if (trip < shortest) {
            shortest = trip;
            offset->time = sent + trip / 2;
            offset->offset = (int64_t)(*theirs - offset->time);
        }
        free(theirs);
    }
    return error;
}

/** A leader's result, for the others of its node. */
static int tell(const struct mpiot_clock_offset *offset)
{
    const uint64_t words[] = {offset->time, (uint64_t)offset->offset};
    int rank = mpiot_comm_rank(), error = 0;

    for (int other = rank + 1; other < mpiot_comm_size() && !error; other++)
        if (state.leaders[other] == (uint64_t)rank)
            error = mpiot_comm_send(other, words, 2);
    return error;
}

static int hear(int leader, struct mpiot_clock_offset *offset)
{
    uint64_t *words;
    size_t count;
    int error = mpiot_comm_receive(leader, &words, &count);
    if (error)
        return error;
    *offset = (struct mpiot_clock_offset){words[0], (int64_t)words[1]};
    free(words);
    return 0;
}

static int measure(struct mpiot_clock_offset *offset)
{
    int rank = mpiot_comm_rank(), leader = state.leaders[rank], error = 0;

    if (rank == 0) {
        for (int other = 1; other < mpiot_comm_size() && !error; other++)
            if (state.leaders[other] == (uint64_t)other)
                error = answer(other);
        return error;
    }
    if (leader == 0)
        return 0;
    if (leader != rank)
        return hear(leader, offset);
    error = ask(offset);
    return error ? error : tell(offset);
}

int mpiot_clock_sync_start(void)
{
    uint64_t node = mpiot_node_hash(), least = node, most = node;

    free(state.leaders);
    state.leaders = NULL;
    int error = mpiot_comm_min(&least);
    if (!error)
        error = mpiot_comm_max(&most);
    if (error || least == most)
        return error;
    error = find_leaders(node);
    return error ? error : measure(&state.offsets[START]);
}

int mpiot_clock_sync_end(void)
{
    return state.leaders ? measure(&state.offsets[END]) : 0;
}

const struct mpiot_clock_offset *mpiot_clock_offsets(void)
{
    bool same = !state.leaders || state.leaders[mpiot_comm_rank()] == 0;
    return same ? NULL : state.offsets;
}
