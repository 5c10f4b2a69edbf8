/* SPDX-License-Identifier: BSD-3-Clause */
/* Split collectives across a pause and its end, and another thread's calls after it. */
#include <pthread.h>

#include "testing.h"

static MPI_File fh;

static void *write_once(void *data)
{
    MUST(MPI_File_write_at(fh, 0, data, 1, MPI_INT, MPI_STATUS_IGNORE));
    return NULL;
}

static void in_thread(int *data)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_once, data);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int provided, data[2] = {0};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    REQUIRE(provided == MPI_THREAD_MULTIPLE);
    fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MUST(MPI_File_write_at_all_begin(fh, 8 * world_rank(), data, 1, MPI_INT));
    MUST(MPI_Pcontrol(0));
    MUST(MPI_File_write_at_all_end(fh, data, MPI_STATUS_IGNORE));
    in_thread(data);
    MUST(MPI_File_write_at_all_begin(fh, 8 * world_rank(), data, 2, MPI_INT));
    MUST(MPI_Pcontrol(1));
    MUST(MPI_File_write_at_all_end(fh, data, MPI_STATUS_IGNORE));
    in_thread(data);

    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
