/* SPDX-License-Identifier: BSD-3-Clause */
/* A Waitall that fails for another request's sake and leaves the I/O requests active. */
#include "completion.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int too_small, data[4] = {0};
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    for (int ignore = 0; ignore < 2; ignore++) {
        MPI_Request r[3];
        MPI_Status s[3];
        MUST(MPI_Irecv(&too_small, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &r[0]));
        SHOW(MPI_Send(data, 4, MPI_INT, 0, 5, MPI_COMM_SELF));
        r[1] = start_write(fh, 0, 10);
        r[2] = start_write(fh, 10, 20);
        FAILS(MPI_Waitall(3, r, ignore ? MPI_STATUSES_IGNORE : s));
        REQUIRE(r[0] == MPI_REQUEST_NULL);
        REQUIRE(r[1] != MPI_REQUEST_NULL && r[2] != MPI_REQUEST_NULL);
        MUST(MPI_Waitall(2, &r[1], s));
        show_bytes("waitall", &s[1]);
    }
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
