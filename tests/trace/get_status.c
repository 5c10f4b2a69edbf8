/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion seen by MPI_Request_get_status, which keeps the request, before the wait. */
#include "completion.h"

static void see_before_wait(MPI_File fh, int ignore)
{
    MPI_Status status;
    int flag;
    MPI_Request request = start_write(fh, 0, 10);
    settle("f.dat", 10);
    for (int i = 0; i < 2; i++) {
        MUST(MPI_Request_get_status(request, &flag, ignore ? MPI_STATUS_IGNORE : &status));
        printf("flag %d\n", flag);
        if (flag && !ignore)
            show_bytes("get_status", &status);
    }
    MUST(MPI_Wait(&request, ignore ? MPI_STATUS_IGNORE : &status));
    REQUIRE(request == MPI_REQUEST_NULL);
    if (!ignore)
        show_bytes("wait", &status);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int flag;
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    see_before_wait(fh, 0);
    see_before_wait(fh, 1);
    MUST(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag);

    /* the handle of the request that the wait freed may come back as one without I/O */
    for (int i = 0; i < 8; i++) {
        int data;
        MPI_Request receive = start_receive(&data);
        finish_receive(i);
        MUST(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    }
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
