/* SPDX-License-Identifier: BSD-3-Clause */
/* What errno is after each call that worked, if it was something before. */
#include <errno.h>

#include "../trace/testing.h"

#define WITH_ERRNO(call)                                                                           \
    do {                                                                                           \
        errno = 4711;                                                                              \
        MUST(call);                                                                                \
        printf("%.30s: errno %d\n", #call, errno);                                                 \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_File fh;
    MPI_Request request;
    int data = 0, flag;
    MPI_File_open(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    WITH_ERRNO(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    WITH_ERRNO(MPI_File_write(fh, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    WITH_ERRNO(MPI_File_seek(fh, 0, MPI_SEEK_CUR));
    WITH_ERRNO(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    WITH_ERRNO(MPI_File_get_atomicity(fh, &flag));
    WITH_ERRNO(MPI_File_iwrite_at(fh, 0, &data, 1, MPI_INT, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    WITH_ERRNO(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
