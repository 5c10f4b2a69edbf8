/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed open whose error handler is MPI_ERRORS_ARE_FATAL, or on a file, as the argument says. */
#include "../trace/testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 0;
    int on_file = argc > 1 && strcmp(argv[1], "file") == 0;
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    printf("now it fails\n");
    fflush(stdout);
    if (on_file) {
        MUST(MPI_File_set_errhandler(fh, MPI_ERRORS_ARE_FATAL));
        MPI_File_write_at(fh, 0, &data, -1, MPI_INT, MPI_STATUS_IGNORE);
    } else {
        MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL));
        MPI_File_open(MPI_COMM_SELF, "no-such.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
    }
    printf("not reached\n");
    MPI_Finalize();
    return 0;
}
