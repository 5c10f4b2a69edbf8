/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion calls that the MPI library refuses, with an I/O request among theirs or no array. */
#include "completion.h"

/** Each leaves the request as it is. */
static void fail_each(MPI_Request *r)
{
    MPI_Status s;
    int flag, outcount, indices[2];
    FAILS(MPI_Wait(NULL, &s));
    FAILS(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE));
    FAILS(MPI_Waitall(-1, r, MPI_STATUSES_IGNORE));
    FAILS(MPI_Waitany(2, r, NULL, &s));
    FAILS(MPI_Waitsome(2, r, NULL, indices, MPI_STATUSES_IGNORE));
    FAILS(MPI_Waitsome(2, r, &outcount, NULL, MPI_STATUSES_IGNORE));
    FAILS(MPI_Test(&r[1], NULL, MPI_STATUS_IGNORE));
    FAILS(MPI_Testall(2, r, NULL, MPI_STATUSES_IGNORE));
    FAILS(MPI_Testany(2, r, NULL, &flag, MPI_STATUS_IGNORE));
    FAILS(MPI_Testany(2, r, indices, NULL, &s));
    FAILS(MPI_Testsome(2, r, &outcount, NULL, MPI_STATUSES_IGNORE));
    FAILS(MPI_Request_get_status(r[1], NULL, &s));
    FAILS(MPI_Request_free(NULL));
    FAILS(MPI_Cancel(NULL));
}

static int calls;

static void count_call(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    calls++;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler;
    MUST(MPI_Comm_create_errhandler(count_call, &handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_Request r[2] = {MPI_REQUEST_NULL, start_write(fh, 0, 10)};
    fail_each(r);
    printf("%d handler calls\n", calls);
    REQUIRE(r[1] != MPI_REQUEST_NULL);
    MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));

    MUST(MPI_File_close(&fh));
    MUST(MPI_Errhandler_free(&handler));
    MPI_Finalize();
    return 0;
}
