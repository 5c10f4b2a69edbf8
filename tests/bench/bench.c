/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cost of a traced call: bench CASE COUNT ROUNDS THREADS DIRECTORY [real]
 *
 * Runs rounds of COUNT calls in each thread, in turn with the same calls by their PMPI_ names and
 * with as many calls of the floor (floor.h), and prints the median of each in nanoseconds of
 * processor time per call as a JSON object. What the tracer costs is `traced` - `direct`. One case
 * a process, so that the size of the event file tells the bytes per call. bench.py runs it, with
 * the tracer preloaded.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "floor.h"
#include "stub.h"

enum { MOST_ROUNDS = 99, MOST_THREADS = 64, REQUESTS = 100, DESCENTS = 6, MIB = 1 << 20 };

static const MPI_Offset TIB = (MPI_Offset)1 << 40;

/** The procedures by one of their two names. */
struct names {
    __typeof__(&MPI_File_write_at) write_at;
    __typeof__(&MPI_File_write_at_all) write_at_all;
    __typeof__(&MPI_File_read) read;
    __typeof__(&MPI_File_iwrite_at) iwrite_at;
    __typeof__(&MPI_File_write_at_all_begin) begin;
    __typeof__(&MPI_File_write_at_all_end) end;
    __typeof__(&MPI_File_open) open;
    __typeof__(&MPI_File_close) close;
    __typeof__(&MPI_Wait) wait;
    __typeof__(&MPI_Test) test;
    __typeof__(&MPI_Waitall) waitall;
};

static const struct names traced = {
    MPI_File_write_at, MPI_File_write_at_all, MPI_File_read, MPI_File_iwrite_at,
    MPI_File_write_at_all_begin, MPI_File_write_at_all_end, MPI_File_open, MPI_File_close,
    MPI_Wait, MPI_Test, MPI_Waitall};
static const struct names direct = {
    PMPI_File_write_at, PMPI_File_write_at_all, PMPI_File_read, PMPI_File_iwrite_at,
    PMPI_File_write_at_all_begin, PMPI_File_write_at_all_end, PMPI_File_open, PMPI_File_close,
    PMPI_Wait, PMPI_Test, PMPI_Waitall};

static MPI_File file;
static char data[MIB];
static char message; /* its address is a request that is none of I/O; the stub takes it */

static MPI_Request message_request(void)
{
#ifdef OPEN_MPI
    return (MPI_Request)&message;
#else
    return 0x7d000000 + message;
#endif
}

static void write_at(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++)
        mpi->write_at(file, i * 8, data, 8, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_at_large(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++)
        mpi->write_at(file, TIB + i * MIB, data, MIB, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void write_at_all(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++)
        mpi->write_at_all(file, i * 8, data, 8, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void read_next(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++)
        mpi->read(file, data, 8, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void iwrite_wait(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Request request;
        mpi->iwrite_at(file, i * 8, data, 8, MPI_BYTE, &request);
        mpi->wait(&request, MPI_STATUS_IGNORE);
    }
}

static void split(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++) {
        mpi->begin(file, i * 8, data, 8, MPI_BYTE);
        mpi->end(file, data, MPI_STATUS_IGNORE);
    }
}

static void open_close(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++) {
        MPI_File again;
        mpi->open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &again);
        mpi->close(&again);
    }
}

/** Waitall of REQUESTS requests, `io` of which are of I/O and start here. */
static void waitall(const struct names *mpi, long count, int io)
{
    for (long i = 0; i < count; i++) {
        MPI_Request requests[REQUESTS];
        for (int r = 0; r < REQUESTS; r++)
            requests[r] = message_request();
        for (int r = 0; r < io; r++)
            mpi->iwrite_at(file, r * 8, data, 8, MPI_BYTE, &requests[r]);
        mpi->waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    }
}

static void waitall_1(const struct names *mpi, long count)
{
    waitall(mpi, count, 1);
}

static void waitall_10(const struct names *mpi, long count)
{
    waitall(mpi, count, 10);
}

static void waitall_100(const struct names *mpi, long count)
{
    waitall(mpi, count, 100);
}

static void wait_message(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Request request = message_request();
        mpi->wait(&request, MPI_STATUS_IGNORE);
    }
}

static void test_message(const struct names *mpi, long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Request request = message_request();
        int flag;
        mpi->test(&request, &flag, MPI_STATUS_IGNORE);
    }
}

/** The same while an I/O request is pending. */
static void wait_message_pending(const struct names *mpi, long count)
{
    MPI_Request pending;
    traced.iwrite_at(file, 0, data, 8, MPI_BYTE, &pending);
    wait_message(mpi, count);
    traced.wait(&pending, MPI_STATUS_IGNORE);
}

static void waitall_messages_pending(const struct names *mpi, long count)
{
    MPI_Request pending;
    traced.iwrite_at(file, 0, data, 8, MPI_BYTE, &pending);
    waitall(mpi, count, 0);
    traced.wait(&pending, MPI_STATUS_IGNORE);
}

/** `bytes` are those a call asks for: the floor records the same. */
static const struct {
    const char *name;
    void (*run)(const struct names *mpi, long count);
    uint64_t bytes;
} cases[] = {
    {"write_at", write_at, 8},
    {"write_at_large", write_at_large, MIB},
    {"write_at_all", write_at_all, 8},
    {"read", read_next, 8},
    {"iwrite_wait", iwrite_wait, 8},
    {"split", split, 8},
    {"open_close", open_close, 8},
    {"waitall_1", waitall_1, 8},
    {"waitall_10", waitall_10, 8},
    {"waitall_100", waitall_100, 8},
    {"wait_message", wait_message, 8},
    {"test_message", test_message, 8},
    {"wait_message_pending", wait_message_pending, 8},
    {"waitall_messages_pending", waitall_messages_pending, 8},
};

static int chosen;
static long count;

/** Below main and a few more, so that the call path has eight frames. */
static __attribute__((noinline)) void descend(const struct names *mpi, int depth)
{
    if (depth == 0)
        cases[chosen].run(mpi, count);
    else
        descend(mpi, depth - 1);
    __asm__ volatile("");
}

static void *run_thread(void *names)
{
    descend(names, DESCENTS);
    return NULL;
}

/** Processor time of the process: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/** Nanoseconds per call. */
static double round_of(const struct names *mpi, int threads)
{
    pthread_t ids[MOST_THREADS];
    double start = seconds();

    for (int i = 1; i < threads; i++)
        pthread_create(&ids[i], NULL, run_thread, (void *)mpi);
    descend(mpi, DESCENTS);
    for (int i = 1; i < threads; i++)
        pthread_join(ids[i], NULL);
    return (seconds() - start) / threads / count * 1e9;
}

static double round_of_floor(void)
{
    double start = seconds();
    floor_run(count);
    return (seconds() - start) / count * 1e9;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int n)
{
    qsort(values, n, sizeof *values, ascending);
    return values[n / 2];
}

static int find_case(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0)
            return i;
    fprintf(stderr, "bench: no case %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    double of_traced[MOST_ROUNDS], of_direct[MOST_ROUNDS], of_floor[MOST_ROUNDS];
    char path[4096];
    int provided;

    if (argc < 6) {
        fprintf(stderr, "usage: bench CASE COUNT ROUNDS THREADS DIRECTORY [real]\n");
        return 2;
    }
    chosen = find_case(argv[1]);
    count = atol(argv[2]);
    int rounds = atoi(argv[3]), threads = atoi(argv[4]);

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    stub.real = argc > 6;
    stub_expect(cases[chosen].bytes);
    snprintf(path, sizeof path, "%s/data", argv[5]);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    floor_start(argv[5], cases[chosen].bytes);
    for (int i = 0; i < rounds; i++) {
        of_floor[i] = round_of_floor();
        of_direct[i] = round_of(&direct, threads);
        of_traced[i] = round_of(&traced, threads);
    }
    floor_end();
    MPI_File_close(&file);
    printf("{\"traced\": %.2f, \"direct\": %.2f, \"floor\": %.2f}\n", median(of_traced, rounds),
           median(of_direct, rounds), median(of_floor, rounds));
    MPI_Finalize();
    return 0;
}
