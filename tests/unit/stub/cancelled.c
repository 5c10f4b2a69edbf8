/* SPDX-License-Identifier: BSD-3-Clause */
/* I/O requests that are cancelled, that were to be, and statuses with a wrong cancelled flag. */
#include "scripted.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Status status;
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_Request request = start(fh, 10);
    MUST(MPI_Cancel(&request));
    completes_cancelled(request, 1);
    MUST(MPI_Wait(&request, &status));

    request = start(fh, 11);
    MUST(MPI_Cancel(&request));
    completes_cancelled(request, 1);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    request = start(fh, 12);
    MUST(MPI_Cancel(&request));
    completes(request, 12);
    MUST(MPI_Wait(&request, &status));

    request = start(fh, 13);
    completes_cancelled(request, 1);
    MUST(MPI_Wait(&request, &status));

    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
