/* SPDX-License-Identifier: BSD-3-Clause */
/* A Testall that fails three times for another request's sake, though the I/O may be over. */
#include "completion.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int received, nothing = 0;
    MPI_Request inactive;
    MUST(MPI_Send_init(&nothing, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &inactive));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_Request r[5] = {start_write(fh, 0, 10), MPI_REQUEST_NULL, start_write(fh, 10, 20),
                        inactive, start_receive(&received)};
    MPI_Status s[5];
    for (int i = 0; i < 3; i++) {
        int flag = 1;
        MUST(MPI_Testall(5, r, &flag, i % 2 ? MPI_STATUSES_IGNORE : s));
        REQUIRE(!flag && r[0] != MPI_REQUEST_NULL && r[2] != MPI_REQUEST_NULL);
    }
    finish_receive(1);
    MUST(MPI_Waitall(5, r, s));
    show_bytes("waitall 0", &s[0]);
    show_bytes("waitall 2", &s[2]);

    MUST(MPI_File_close(&fh));
    MUST(MPI_Request_free(&inactive));
    MPI_Finalize();
    return 0;
}
