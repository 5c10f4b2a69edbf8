/* SPDX-License-Identifier: BSD-3-Clause */
/* Every non-blocking data access, each completed by a wait, and each failing to start. */
#include "testing.h"

static void wait_for(const char *what, MPI_Request *request)
{
    MPI_Status status;
    MUST(MPI_Wait(request, &status));
    REQUIRE(*request == MPI_REQUEST_NULL);
    show_bytes(what, &status);
}

static void start_each(MPI_File fh, int *data, int rank)
{
    MPI_Request r;
    MUST(MPI_File_iwrite_at(fh, 40 * rank, data, 10, MPI_INT, &r));
    wait_for("iwrite_at", &r);
    MUST(MPI_File_iwrite_at_all(fh, 40 * rank, data, 10, MPI_INT, &r));
    wait_for("iwrite_at_all", &r);
    MUST(MPI_File_iread_at(fh, 40 * rank, data, 9, MPI_INT, &r));
    wait_for("iread_at", &r);
    MUST(MPI_File_iread_at_all(fh, 40 * rank, data, 8, MPI_INT, &r));
    wait_for("iread_at_all", &r);
    MUST(MPI_File_iwrite(fh, data, 3, MPI_INT, &r));
    wait_for("iwrite", &r);
    MUST(MPI_File_iwrite_all(fh, data, 4, MPI_INT, &r));
    wait_for("iwrite_all", &r);
    MUST(MPI_File_iread(fh, data, 5, MPI_INT, &r));
    wait_for("iread", &r);
    MUST(MPI_File_iread_all(fh, data, 2, MPI_INT, &r));
    wait_for("iread_all", &r);
    MUST(MPI_File_iwrite_shared(fh, data, 6, MPI_INT, &r));
    wait_for("iwrite_shared", &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_iread_shared(fh, data, 6, MPI_INT, &r));
    wait_for("iread_shared", &r);
}

static void fail_each(MPI_File fh, int *data)
{
    MPI_Request r;
    FAILS(MPI_File_iwrite_at(fh, 0, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iwrite_at_all(fh, 0, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iread_at(fh, 0, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iread_at_all(fh, 0, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iwrite(fh, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iwrite_all(fh, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iread(fh, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iread_all(fh, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iwrite_shared(fh, data, -1, MPI_INT, &r));
    FAILS(MPI_File_iread_shared(fh, data, -1, MPI_INT, &r));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data[10] = {0};
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    start_each(fh, data, world_rank());
    fail_each(fh, data);
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
