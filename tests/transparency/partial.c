/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job of which only some ranks are traced: each rank hears of every message there is, whoever
 * sent it, and the collectives match.
 */
#include "../trace/testing.h"

enum { TAG = 5 };

int main(int argc, char **argv)
{
    int rank, size, sum, found;
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int to = 0; to < size; to++)
        if (to != rank)
            MUST(MPI_Send(&rank, 1, MPI_INT, to, TAG, MPI_COMM_WORLD));
    for (int i = 1; i < size; i++) {
        int from;
        MUST(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        REQUIRE(status.MPI_TAG == TAG);
        MUST(MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        REQUIRE(from == status.MPI_SOURCE && status.MPI_TAG == TAG);
    }
    MUST(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &duplicate));
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, duplicate));
    MUST(MPI_Comm_free(&duplicate));

    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at_all(fh, rank * sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status));
    REQUIRE(!found);
    printf("rank %d of %d: sum %d\n", rank, size, sum);
    MPI_Finalize();
    return 0;
}
