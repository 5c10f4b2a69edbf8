/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status_all, _any and _some of MPI-4.1: failing, seeing some complete, and all. */
#include "scripted.h"

#include "mpi41.h"

int PMPI_Request_get_status_all(int count, const MPI_Request requests[], int *flag,
                                MPI_Status statuses[])
{
    *flag = 1;
    for (int i = 0; i < count; i++)
        *flag &= slot_of(requests[i])->done;
    for (int i = 0; i < count && *flag; i++)
        fill(slot_of(requests[i]), statuses == MPI_STATUSES_IGNORE ? NOWHERE : &statuses[i]);
    return MPI_SUCCESS;
}

int PMPI_Request_get_status_any(int count, const MPI_Request requests[], int *index, int *flag,
                                MPI_Status *status)
{
    *index = MPI_UNDEFINED;
    *flag = 0;
    for (int i = 0; i < count && !*flag; i++) {
        if (!slot_of(requests[i])->done)
            continue;
        fill(slot_of(requests[i]), status);
        *index = i;
        *flag = 1;
    }
    return MPI_SUCCESS;
}

int PMPI_Request_get_status_some(int incount, const MPI_Request requests[], int *outcount,
                                 int indices[], MPI_Status statuses[])
{
    *outcount = 0;
    for (int i = 0; i < incount; i++) {
        if (!slot_of(requests[i])->done)
            continue;
        fill(slot_of(requests[i]),
             statuses == MPI_STATUSES_IGNORE ? NOWHERE : &statuses[*outcount]);
        indices[(*outcount)++] = i;
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int flag, index, outcount, indices[3];
    MPI_Status s[3];
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Request r[3] = {start(fh, 10), start(fh, 11), start(fh, 12)};

    MUST(MPI_Request_get_status_all(3, r, &flag, MPI_STATUSES_IGNORE));
    MUST(MPI_Request_get_status_any(3, r, &index, &flag, MPI_STATUS_IGNORE));
    MUST(MPI_Request_get_status_some(3, r, &outcount, indices, MPI_STATUSES_IGNORE));
    REQUIRE(!flag && outcount == 0);

    completes(r[1], 11);
    MUST(MPI_Request_get_status_any(3, r, &index, &flag, MPI_STATUS_IGNORE));
    REQUIRE(flag && index == 1);
    completes(r[2], 12);
    MUST(MPI_Request_get_status_some(3, r, &outcount, indices, s));
    REQUIRE(outcount == 2 && indices[1] == 2);
    completes(r[0], 10);
    MUST(MPI_Request_get_status_all(3, r, &flag, s));
    REQUIRE(flag);
    MUST(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
