/* SPDX-License-Identifier: BSD-3-Clause */
/* One file opened with one hint, then with another value of it, then as at first. */
#include "testing.h"

static void open_with(const char *value)
{
    MPI_Info info;
    MPI_File fh;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "cb_buffer_size", value));
    MUST(MPI_File_open(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &fh));
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_close(&fh));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    open_with("1048576");
    open_with("2097152");
    open_with("1048576");
    MPI_Finalize();
    return 0;
}
