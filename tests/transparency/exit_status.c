/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends with the status that the argument gives, after MPI_Finalize, by return, exit or _exit. */
#include <unistd.h>

#include "../trace/testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    if (argc < 3)
        return 1;
    int status = atoi(argv[2]);
    if (strcmp(argv[1], "exit") == 0)
        exit(status);
    if (strcmp(argv[1], "_exit") == 0)
        _exit(status);
    return status;
}
