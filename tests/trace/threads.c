/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that do I/O at the same time, and one that starts what another one completes. */
#include <pthread.h>

#include "testing.h"

static MPI_File fh;
static MPI_Request request;

static void *write_and_read(void *argument)
{
    int data[2] = {0};
    (void)argument;
    for (int i = 0; i < 3; i++) {
        MUST(MPI_File_write_at(fh, 8 * i, data, 2, MPI_INT, MPI_STATUS_IGNORE));
        MUST(MPI_File_read_at(fh, 0, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    }
    return NULL;
}

static void *start(void *argument)
{
    static int data[4];
    (void)argument;
    MUST(MPI_File_iwrite_at(fh, 24, data, 4, MPI_INT, &request));
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    REQUIRE(provided == MPI_THREAD_MULTIPLE);
    fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, write_and_read, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);

    pthread_create(&threads[0], NULL, start, NULL);
    pthread_join(threads[0], NULL);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
