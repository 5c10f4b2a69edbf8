/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Cost of the end of a run: unify-bench CASE RANKS DIRECTORY
 *
 * Unifies the definitions of RANKS simulated ranks, writes the global definitions of them all as
 * rank 0 does, into an archive in DIRECTORY, and prints what that took as a JSON object: seconds of
 * processor time, bytes. scale.py runs it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ranks.h"
#include "trace/archive.h"
#include "trace/definitions.h"

enum { FRAMES = 100, FILES = 4, HINTS = 20, COMMS = 1000, COMMS_OF_A_RANK = 8 };

/** What a program of some size has on each rank: call paths, and files with their hints. */
static void define_equal(int rank, int count)
{
    static const char *const procedures[] = {
        "MPI_File_open",     "MPI_File_close",       "MPI_File_write_at", "MPI_File_write_at_all",
        "MPI_File_read_at",  "MPI_File_read_at_all", "MPI_File_iwrite_at", "MPI_File_set_view",
        "MPI_File_set_size", "MPI_Waitall"};
    char text[64];
    (void)rank, (void)count;

    uint32_t program = mpiot_define_region("application", MPIOT_ROLE_PROGRAM);
    uint32_t path = mpiot_define_context(program, MPIOT_UNDEFINED, MPIOT_UNDEFINED);
    for (int i = 0; i < MPIOT_ATTRIBUTE_COUNT; i++)
        mpiot_define_attribute(i);
    for (int i = 0; i < FRAMES; i++) {
        uint32_t module = mpiot_define_module("/home/user/application", "0123456789abcdef");
        path = mpiot_define_context(MPIOT_UNDEFINED, mpiot_define_frame(module, 4096 + 16 * i),
                                    i % 8 ? path : 0);
        mpiot_define_context(
            mpiot_define_region(procedures[i % 10], MPIOT_ROLE_FILE_IO), MPIOT_UNDEFINED, path);
    }
    uint32_t world = mpiot_define_comm("0123456789abcdef.0", "MPI_COMM_WORLD", MPIOT_GROUP_WORLD,
                                       NULL, 0);
    for (int i = 0; i < FILES; i++) {
        snprintf(text, sizeof text, "/scratch/user/run/shared.%d", i);
        uint32_t file = mpiot_define_io_file(text, false);
        for (int hint = 0; hint < HINTS; hint++) {
            char name[64];
            snprintf(name, sizeof name, "MPI hint: name_%d", hint);
            mpiot_define_io_file_property(file, name, "automatic");
        }
        mpiot_define_io_handle(text, file, world, 0);
    }
}

/** The same and a file per rank. */
static void define_file(int rank, int count)
{
    char path[64];

    define_equal(rank, count);
    snprintf(path, sizeof path, "/scratch/user/run/restart.%06d", rank);
    uint32_t self = mpiot_define_comm("self", "MPI_COMM_SELF", MPIOT_GROUP_SELF, NULL, 0);
    mpiot_define_io_handle(path, mpiot_define_io_file(path, false), self, 0);
}

/** The same and COMMS communicators, of every so manieth rank; with few ranks, fewer of them. */
static void define_communicators(int rank, int count)
{
    enum { STRIDE = COMMS / COMMS_OF_A_RANK };
    int *members = malloc((count / STRIDE + 1) * sizeof *members), n = 0;
    char identity[64];

    define_equal(rank, count);
    for (int member = rank % STRIDE; member < count && members; member += STRIDE)
        members[n++] = member;
    for (int i = 0; i < COMMS_OF_A_RANK; i++) {
        snprintf(identity, sizeof identity, "%016x.%d", rank % STRIDE, i);
        uint32_t comm =
            mpiot_define_comm(identity, identity, MPIOT_GROUP_RANKS, members, n);
        mpiot_define_io_handle("/scratch/user/run/shared.0", 0, comm, i);
    }
    free(members);
}

static const struct {
    const char *name;
    void (*define)(int rank, int count);
} cases[] = {{"equal", define_equal}, {"file", define_file},
             {"communicators", define_communicators}};

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

/** What rank 0 has gathered: a location of each rank. */
static uint64_t *pack_processes(int count, size_t *total)
{
    uint64_t *all = NULL, *words;
    size_t n;

    *total = 0;
    for (int rank = 0; rank < count; rank++) {
        struct mpiot_writeout_location location = {rank, 0, 1000};
        if (mpiot_writeout_process(rank, 1, &location, 1, &words, &n) != 0)
            fail("no memory");
        if (!all && !(all = malloc(n * sizeof *all * count)))
            fail("no memory");
        memcpy(all + *total, words, n * sizeof *words);
        *total += n;
        free(words);
    }
    return all;
}

static void write_archive(const struct mpiot_writeout *run, const char *directory)
{
    enum { CHUNK = 4 << 20 };
    char path[4096];

    snprintf(path, sizeof path, "%s/traces", directory);
    if (mkdir(path, 0777) != 0)
        fail(path);
    OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK,
                                              1 << 20, OTF2_SUBSTRATE_POSIX,
                                              OTF2_COMPRESSION_NONE);
    if (!archive || mpiot_buffer_start(archive, directory) != 0 ||
        mpiot_collectives_set(archive) != 0)
        fail(directory);
    mpiot_collectives_write_anchor(true);
    if (OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS ||
        OTF2_Archive_CloseEvtFiles(archive) != OTF2_SUCCESS ||
        mpiot_writeout_global(archive, run) != 0 || OTF2_Archive_Close(archive) != OTF2_SUCCESS)
        fail(directory);
}

static uint64_t peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/** In a child, whose peak memory goes beyond what it has inherited only by what it writes. */
static void write_global(const struct mpiot_writeout *run, const char *directory, double *seconds,
                         uint64_t *bytes)
{
    struct {
        double seconds;
        uint64_t before, after;
    } result;
    int pipe_ends[2], status;

    if (pipe(pipe_ends) != 0)
        fail("pipe");
    pid_t child = fork();
    if (child == 0) {
        result.before = peak_memory();
        result.seconds = processor_time();
        write_archive(run, directory);
        result.seconds = processor_time() - result.seconds;
        result.after = peak_memory();
        exit(write(pipe_ends[1], &result, sizeof result) != sizeof result);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 ||
        read(pipe_ends[0], &result, sizeof result) != sizeof result)
        fail("writing");
    *seconds = result.seconds;
    *bytes = result.after - result.before;
}

int main(int argc, char **argv)
{
    struct ranks_cost cost;
    struct mpiot_writeout run = {.end = 1000, .mpi_library = "none"};
    size_t chosen = 0;
    double write_seconds;
    uint64_t write_bytes, definitions = 0;

    while (argc == 4 && chosen < sizeof cases / sizeof *cases &&
           strcmp(cases[chosen].name, argv[1]) != 0)
        chosen++;
    int count = argc == 4 ? atoi(argv[2]) : 0;
    if (count < 1 || chosen == sizeof cases / sizeof *cases) {
        fprintf(stderr, "usage: unify-bench equal|file|communicators RANKS DIRECTORY\n");
        return 2;
    }
    ranks_unify(count, cases[chosen].define, &cost);
    for (int kind = 0; kind < MPIOT_DEF_KINDS; kind++)
        definitions += mpiot_deftable_count(cost.unified, kind);
    run.unified = cost.unified;
    run.processes = pack_processes(count, &run.word_count);
    write_global(&run, argv[3], &write_seconds, &write_bytes);
    printf("{\"seconds\": %.9f, \"root_seconds\": %.9f, \"root_peak\": %zu, \"peak\": %zu, "
           "\"definitions\": %llu, \"write_seconds\": %.6f, \"write_bytes\": %llu}\n",
           cost.seconds, cost.root_seconds, cost.root_peak, cost.peak,
           (unsigned long long)definitions, write_seconds, (unsigned long long)write_bytes);
    return 0;
}
