/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that fail after they have started, and statuses with byte counts that cannot be. */
#include "scripted.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Status s[3];
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_Request request = start(fh, 10);
    fails(request, MPI_ERR_IO);
    FAILS(MPI_Wait(&request, s));

    request = start(fh, 11);
    fails(request, MPI_ERR_QUOTA);
    int flag;
    FAILS(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));

    /* one succeeds, one fails, one is still pending; then the last one too succeeds */
    for (int ignore = 0; ignore < 2; ignore++) {
        MPI_Request r[3] = {start(fh, 12), start(fh, 13), start(fh, 14)};
        completes(r[0], 12);
        fails(r[1], MPI_ERR_NO_SPACE);
        FAILS(MPI_Waitall(3, r, ignore ? MPI_STATUSES_IGNORE : s));
        REQUIRE(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL && r[2] != MPI_REQUEST_NULL);
        completes(r[2], 14);
        MUST(MPI_Waitall(3, r, s));
    }

    MPI_Request r[2] = {start(fh, 15), start(fh, 16)};
    int outcount, indices[2];
    fails(r[0], MPI_ERR_IO);
    completes(r[1], 16);
    FAILS(MPI_Testsome(2, r, &outcount, indices, s));

    request = start(fh, 17);
    completes(request, 18);
    MUST(MPI_Wait(&request, s));

    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
