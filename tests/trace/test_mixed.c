/* SPDX-License-Identifier: BSD-3-Clause */
/* Test, Testall, Testany and Testsome on arrays that mix I/O requests with others. */
#include "completion.h"

static MPI_Request inactive;

static void test_and_testall(MPI_File fh, int ignore)
{
    int flag;
    MPI_Status s[6];
    MPI_Request one = start_write(fh, 30, 5);
    settle("f.dat", 35);
    MUST(MPI_Test(&one, &flag, ignore ? MPI_STATUS_IGNORE : s));
    REQUIRE(flag && one == MPI_REQUEST_NULL);
    MUST(MPI_Test(&one, &flag, MPI_STATUS_IGNORE));

    MPI_Request r[6] = {start_empty(),          MPI_REQUEST_NULL, start_write(fh, 35, 6),
                        start_write(fh, 41, 4), inactive,         start_empty()};
    settle("f.dat", 45);
    MUST(MPI_Testall(6, r, &flag, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(flag && r[2] == MPI_REQUEST_NULL && r[3] == MPI_REQUEST_NULL && r[4] == inactive);
    if (!ignore)
        show_bytes("testall 3", &s[3]);
}

/** Others complete first: twice an unsuccessful test of the writes. */
static void testany(MPI_File fh, int ignore)
{
    MPI_Request r[6] = {start_empty(),    start_empty(),          inactive,
                        MPI_REQUEST_NULL, start_write(fh, 45, 7), start_write(fh, 52, 3)};
    MPI_Status s;
    int index, flag;
    settle("f.dat", 55);
    for (int i = 0; i < 4; i++) {
        MUST(MPI_Testany(6, r, &index, &flag, ignore ? MPI_STATUS_IGNORE : &s));
        REQUIRE(flag && index == (i < 2 ? i : i + 2) && r[index] == MPI_REQUEST_NULL);
    }
    MUST(MPI_Testany(6, r, &index, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag && index == MPI_UNDEFINED);
}

/** The index and status arrays have room for the active requests and no more. */
static void testsome(MPI_File fh, int ignore)
{
    MPI_Request r[6] = {MPI_REQUEST_NULL, start_write(fh, 55, 8), inactive,
                        start_empty(),    start_write(fh, 63, 9), start_empty()};
    MPI_Status s[5];
    int outcount, indices[5];
    guard(indices, sizeof indices);
    guard(s, sizeof s);
    settle("f.dat", 72);
    MUST(MPI_Testsome(6, r, &outcount, indices, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(outcount == 4 && indices[0] == 1 && indices[2] == 4);
    REQUIRE(guarded(&indices[4], sizeof indices[4]) && guarded(&s[4], sizeof s[4]));
    REQUIRE(r[1] == MPI_REQUEST_NULL && r[4] == MPI_REQUEST_NULL);
    if (!ignore)
        show_bytes("testsome 4", &s[2]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int nothing = 0;
    MUST(MPI_Send_init(&nothing, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &inactive));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int ignore = 0; ignore < 2; ignore++) {
        MUST(MPI_File_set_size(fh, 0));
        test_and_testall(fh, ignore);
        testany(fh, ignore);
        testsome(fh, ignore);
    }
    MUST(MPI_File_close(&fh));
    MUST(MPI_Request_free(&inactive));
    MPI_Finalize();
    return 0;
}
