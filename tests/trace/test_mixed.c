/* SPDX-License-Identifier: BSD-3-Clause */
/* Test, Testall, Testany and Testsome on arrays that mix I/O requests with others. */
#include "completion.h"

static MPI_Request inactive;

static void test_and_testall(MPI_File fh, int ignore)
{
    int flag;
    MPI_Status s[3];
    MPI_Request one = start_write(fh, 30, 5);
    settle("f.dat", 35);
    MUST(MPI_Test(&one, &flag, ignore ? MPI_STATUS_IGNORE : s));
    REQUIRE(flag && one == MPI_REQUEST_NULL);
    MUST(MPI_Test(&one, &flag, MPI_STATUS_IGNORE));

    MPI_Request r[3] = {start_empty(), start_write(fh, 35, 6), inactive};
    settle("f.dat", 41);
    MUST(MPI_Testall(3, r, &flag, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(flag && r[1] == MPI_REQUEST_NULL && r[2] == inactive);
}

/** Others complete first: twice an unsuccessful test of the write. */
static void testany(MPI_File fh, int ignore)
{
    MPI_Request r[4] = {start_empty(), start_empty(), inactive, start_write(fh, 41, 7)};
    MPI_Status s;
    int index, flag;
    for (int expected = 0; expected < 2; expected++) {
        MUST(MPI_Testany(4, r, &index, &flag, ignore ? MPI_STATUS_IGNORE : &s));
        REQUIRE(flag && index == expected);
    }
    settle("f.dat", 48);
    MUST(MPI_Testany(4, r, &index, &flag, ignore ? MPI_STATUS_IGNORE : &s));
    REQUIRE(flag && index == 3 && r[3] == MPI_REQUEST_NULL);
    MUST(MPI_Testany(4, r, &index, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag && index == MPI_UNDEFINED);
}

/** The index and status arrays have room for the active requests and no more. */
static void testsome(MPI_File fh, int ignore)
{
    MPI_Request r[4] = {MPI_REQUEST_NULL, start_write(fh, 48, 8), inactive, start_write(fh, 56, 9)};
    MPI_Status s[3];
    int outcount, indices[3];
    guard(indices, sizeof indices);
    guard(s, sizeof s);
    settle("f.dat", 65);
    MUST(MPI_Testsome(4, r, &outcount, indices, ignore ? MPI_STATUSES_IGNORE : s));
    REQUIRE(outcount == 2 && indices[0] == 1 && indices[1] == 3);
    REQUIRE(guarded(&indices[2], sizeof indices[2]) && guarded(&s[2], sizeof s[2]));
    REQUIRE(r[1] == MPI_REQUEST_NULL && r[3] == MPI_REQUEST_NULL);
    if (!ignore)
        show_bytes("testsome 1", &s[1]);
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
