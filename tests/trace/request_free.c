/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests freed while active, cancelled ones that complete all the same, and reused handles. */
#include "completion.h"

/** A write whose request is freed. It is over by then: Open MPI frees what it still writes to. */
static void start_and_free(MPI_File fh, MPI_Offset offset, int bytes)
{
    MPI_Request request = start_write(fh, offset, bytes);
    settle("f.dat", offset + bytes);
    MUST(MPI_Request_free(&request));
    REQUIRE(request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    start_and_free(fh, 0, 10);

    /* the value of the freed handle comes back for these */
    for (int i = 0; i < 3; i++) {
        MPI_Request request = start_write(fh, 10, 5 + i);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }

    MPI_Status status;
    MPI_Request request = start_write(fh, 20, 20);
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, &status));
    show_bytes("after cancel", &status);

    /* not of I/O: not recorded */
    int data;
    MPI_Request receive = start_receive(&data);
    MUST(MPI_Cancel(&receive));
    MUST(MPI_Wait(&receive, &status));
    receive = start_receive(&data);
    MUST(MPI_Request_free(&receive));
    finish_receive(1);

    start_and_free(fh, 40, 10);
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
