/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program may call before MPI_Init, MPI_Init without arguments, and calls after the end. */
#include "testing.h"

int main(void)
{
    int flag, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    printf("initialized %d, version %d.%d\n%s\n", flag, version, subversion, text);
    MPI_Finalized(&flag);
    printf("finalized %d\n", flag);

    MPI_Init(NULL, NULL);
    double start = MPI_Wtime();
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_close(&fh));
    REQUIRE(MPI_Wtime() >= start);
    MPI_Finalize();
    MPI_Finalized(&flag);
    printf("finalized %d\n", flag);
    return 0;
}
