/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitall, Waitany and Waitsome on arrays that mix I/O requests with all kinds of others. */
#include "completion.h"

static MPI_Request inactive;

static void waitall(MPI_File fh, int ignore)
{
    MPI_Request r[7] = {MPI_REQUEST_NULL,       inactive,      start_empty(),
                        start_write(fh, 0, 10), start_empty(), start_write(fh, 10, 20),
                        start_write(fh, 30, 0)};
    MPI_Status s[8];
    guard(&s[7], sizeof s[7]);
    MUST(MPI_Waitall(7, r, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(guarded(&s[7], sizeof s[7]));
    if (!ignore) {
        show_bytes("waitall 3", &s[3]);
        show_bytes("waitall 5", &s[5]);
    }
    REQUIRE(r[1] == inactive && r[3] == MPI_REQUEST_NULL && r[5] == MPI_REQUEST_NULL);
}

/** The lowest of those that are done: the empty ones 2 and 3, then the writes. */
static void waitany(MPI_File fh, int ignore)
{
    MPI_Request r[6] = {MPI_REQUEST_NULL,       inactive,
                        start_empty(),          start_empty(),
                        start_write(fh, 0, 12), start_write(fh, 30, 13)};
    int index;
    MPI_Status s;
    settle("f.dat", 43);
    for (int expected = 2; expected < 6; expected++) {
        MUST(MPI_Waitany(6, r, &index, ignore ? MPI_STATUS_IGNORE : &s));
        REQUIRE(index == expected && r[index] == MPI_REQUEST_NULL);
        if (!ignore && index > 3)
            show_bytes("waitany", &s);
    }
    MUST(MPI_Waitany(6, r, &index, MPI_STATUS_IGNORE));
    REQUIRE(index == MPI_UNDEFINED);
}

/** The index and status arrays have room for the active requests and no more. */
static void waitsome(MPI_File fh, int ignore)
{
    MPI_Request r[6] = {MPI_REQUEST_NULL, inactive,      start_write(fh, 0, 14),
                        start_empty(),    start_empty(), start_write(fh, 43, 15)};
    int outcount, indices[5];
    MPI_Status s[5];
    guard(indices, sizeof indices);
    guard(s, sizeof s);
    settle("f.dat", 58);
    MUST(MPI_Waitsome(6, r, &outcount, indices, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(outcount == 4 && indices[0] == 2 && indices[3] == 5);
    REQUIRE(guarded(&indices[4], sizeof indices[4]) && guarded(&s[4], sizeof s[4]));
    REQUIRE(r[2] == MPI_REQUEST_NULL && r[5] == MPI_REQUEST_NULL && r[1] == inactive);
    if (!ignore)
        show_bytes("waitsome 5", &s[3]);
    MUST(MPI_Waitsome(6, r, &outcount, indices, MPI_STATUSES_IGNORE));
    REQUIRE(outcount == MPI_UNDEFINED);
}

/** While an I/O request is pending, calls that do not have it among theirs. */
static void others(MPI_File fh)
{
    MPI_Request request = start_write(fh, 0, 16);
    int index, flag, outcount;
    MUST(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    MUST(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    MUST(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    MUST(MPI_Testsome(0, NULL, &outcount, NULL, MPI_STATUSES_IGNORE));
    MPI_Request r[2] = {MPI_REQUEST_NULL, start_empty()};
    MUST(MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&inactive, MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int nothing = 0;
    MUST(MPI_Send_init(&nothing, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &inactive));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int ignore = 0; ignore < 2; ignore++) {
        MUST(MPI_File_set_size(fh, 0));
        waitall(fh, ignore);
        waitany(fh, ignore);
        waitsome(fh, ignore);
    }
    others(fh);
    MUST(MPI_File_close(&fh));
    MUST(MPI_Request_free(&inactive));
    MPI_Finalize();
    return 0;
}
