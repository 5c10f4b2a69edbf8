/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eight threads a rank. Six write, each a file of its own and one they share, and finish requests
 * that a neighbour has begun. Two use files of two communicators collectively: on even ranks the
 * first communicator's thread goes ahead, on odd ranks the second's. Arguments: the number of
 * operations of each thread, and "pause" for another thread that pauses and resumes recording, or
 * "stay" for threads that do not end before the process does.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "testing.h"

enum { WRITERS = 6, COLLECTIVE = 2, THREADS = WRITERS + COLLECTIVE };

/** A request on its way from the thread that begins it to the one that finishes it. */
struct slot {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    MPI_Request request;
    int is_full;
};

static int count, is_pausing, is_staying;
static pthread_barrier_t done;
static atomic_bool is_over;
static MPI_File shared;
static struct slot slots[WRITERS];

static void put(struct slot *slot, MPI_Request request)
{
    pthread_mutex_lock(&slot->lock);
    while (slot->is_full)
        pthread_cond_wait(&slot->changed, &slot->lock);
    slot->request = request;
    slot->is_full = 1;
    pthread_cond_broadcast(&slot->changed);
    pthread_mutex_unlock(&slot->lock);
}

static MPI_Request take(struct slot *slot)
{
    pthread_mutex_lock(&slot->lock);
    while (!slot->is_full)
        pthread_cond_wait(&slot->changed, &slot->lock);
    MPI_Request request = slot->request;
    slot->is_full = 0;
    pthread_cond_broadcast(&slot->changed);
    pthread_mutex_unlock(&slot->lock);
    return request;
}

static MPI_File open_own(const char *what, int number, MPI_Comm comm)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%d.dat", what, number);
    return open_file(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
}

static void *end_thread(void)
{
    if (is_staying) {
        pthread_barrier_wait(&done);
        pause();
    }
    return NULL;
}

static void end_threads(const pthread_t *threads)
{
    if (is_staying)
        pthread_barrier_wait(&done);
    else
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
}

/** Operations alternate: one on the own file, one on the shared, one begun for the neighbour. */
static void *writer(void *argument)
{
    static int data[WRITERS];
    int self = (int)(long)argument, value = self;
    MPI_File own = open_own("own", world_rank() * WRITERS + self, MPI_COMM_SELF);

    for (int i = 0; i < count; i++) {
        if (i % 3 == 0)
            MUST(MPI_File_write_at(own, 4 * i, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        else if (i % 3 == 1)
            MUST(MPI_File_write_at(shared, 4 * self, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        else {
            MPI_Request request;
            MUST(MPI_File_iwrite_at(shared, 4 * (WRITERS + self), &data[self], 1, MPI_INT,
                                    &request));
            put(&slots[(self + 1) % WRITERS], request);
            request = take(&slots[self]);
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
    MUST(MPI_File_close(&own));
    return end_thread();
}

/** Opens and closes again and again, so that ranks agree again and again. */
static void *collective(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)((void **)argument)[0];
    int number = (int)(long)((void **)argument)[1], value = number;
    MPI_File fh = MPI_FILE_NULL;

    for (int i = 0; i < count; i++) {
        if ((world_rank() + number) % 2 && i % 1000 == 0)
            usleep(2000);
        if (i % 1000 == 0)
            fh = open_own("all", number, comm);
        MUST(MPI_File_write_at_all(fh, 4 * world_rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        if (i % 1000 == 999 || i == count - 1)
            MUST(MPI_File_close(&fh));
    }
    return end_thread();
}

static void *pauses(void *argument)
{
    (void)argument;
    for (int level = 0; !atomic_load(&is_over); level = !level) {
        MUST(MPI_Pcontrol(level));
        usleep(500);
    }
    MUST(MPI_Pcontrol(1));
    return NULL;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COLLECTIVE];
    void *arguments[COLLECTIVE][2];
    pthread_t threads[THREADS], pausing;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    REQUIRE(provided == MPI_THREAD_MULTIPLE);
    count = atoi(argv[1]);
    is_pausing = argc > 2 && strcmp(argv[2], "pause") == 0;
    is_staying = argc > 2 && strcmp(argv[2], "stay") == 0;
    pthread_barrier_init(&done, NULL, THREADS + 1);
    shared = open_own("shared", world_rank(), MPI_COMM_SELF);
    for (int i = 0; i < COLLECTIVE; i++) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
        arguments[i][0] = &comms[i];
        arguments[i][1] = (void *)(long)i;
        pthread_create(&threads[WRITERS + i], NULL, collective, arguments[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_mutex_init(&slots[i].lock, NULL);
        pthread_cond_init(&slots[i].changed, NULL);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(long)i);
    if (is_pausing)
        pthread_create(&pausing, NULL, pauses, NULL);
    end_threads(threads);
    atomic_store(&is_over, 1);
    if (is_pausing)
        pthread_join(pausing, NULL);
    MUST(MPI_File_close(&shared));
    for (int i = 0; i < COLLECTIVE; i++)
        MUST(MPI_Comm_free(&comms[i]));
    printf("rank %d ends\n", world_rank());
    MPI_Finalize();
    return 0;
}
