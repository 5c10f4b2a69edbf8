/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that fail for sure: Test, Testany, Testsome and get_status, then completion by another. */
#include "scripted.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int flag, index, outcount, indices[3];
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_Request request = start(fh, 10);
    for (int i = 0; i < 5; i++) {
        MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        REQUIRE(!flag);
    }
    MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    REQUIRE(!flag);
    completes(request, 10);
    MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag);
    MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag && request == MPI_REQUEST_NULL);

    /* the second of three is done, then the third, then the first; between them tests that fail */
    MPI_Request r[3] = {start(fh, 11), start(fh, 12), start(fh, 13)};
    MUST(MPI_Testany(3, r, &index, &flag, MPI_STATUS_IGNORE));
    MUST(MPI_Testsome(3, r, &outcount, indices, MPI_STATUSES_IGNORE));
    REQUIRE(!flag && outcount == 0);
    completes(r[1], 12);
    MUST(MPI_Testany(3, r, &index, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag && index == 1);
    MUST(MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE));
    REQUIRE(!flag);
    completes(r[2], 13);
    MUST(MPI_Testsome(3, r, &outcount, indices, MPI_STATUSES_IGNORE));
    REQUIRE(outcount == 1 && indices[0] == 2);
    completes(r[0], 11);
    MUST(MPI_Wait(&r[0], MPI_STATUS_IGNORE));

    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
