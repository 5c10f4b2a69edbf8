/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that all begin at the same moment write a byte each; then the job kills itself. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { THREADS = 32 };

static pthread_barrier_t all_there;
static MPI_File file;

static void *write_byte(void *number)
{
    pthread_barrier_wait(&all_there);
    MPI_File_write_at(file, (long)number, "x", 1, MPI_BYTE, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return 1;
    MPI_File_open(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, write_byte, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    raise(SIGKILL);
    return 0;
}
