/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that closes its file inside MPI_Finalize, and a file that nobody closes. */
#include "completion.h"

static int close_file(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)state;
    int data = 7;
    MPI_File fh = *(MPI_File *)value;
    MUST(MPI_File_write_at(fh, 4, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key, data = 0;
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close_file, &key, NULL));
    MUST(MPI_Comm_set_attr(MPI_COMM_SELF, key, &fh));
    MUST(MPI_File_write_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));

    MPI_File left = open_file(MPI_COMM_SELF, "open.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Request request = start_write(left, 0, 0);
    MUST(MPI_Request_free(&request));
    MPI_Finalize();
    printf("the end\n");
    return 0;
}
