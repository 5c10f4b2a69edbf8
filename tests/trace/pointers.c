/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the individual pointer stands: after i-calls that are still active, and on append. */
#include "testing.h"

static void overlapping(MPI_File fh, char *data)
{
    MPI_Request r[3];
    MUST(MPI_File_iwrite(fh, data, 10, MPI_BYTE, &r[0]));
    MUST(MPI_File_iwrite_at(fh, 500, data, 7, MPI_BYTE, &r[1]));
    MUST(MPI_File_iwrite(fh, data, 20, MPI_BYTE, &r[2]));
    MUST(MPI_File_write(fh, data, 3, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    MUST(MPI_File_read_at(fh, 0, data, 5, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_write(fh, data, 2, MPI_BYTE, MPI_STATUS_IGNORE));
}

/** Memory types: what counts is the size, not the extent. */
static void types(MPI_File fh, char *data)
{
    MPI_Datatype vector, spread;
    MPI_Status status;
    MUST(MPI_Type_vector(3, 2, 4, MPI_INT, &vector));
    MUST(MPI_Type_create_resized(MPI_CHAR, 0, 16, &spread));
    MUST(MPI_Type_commit(&vector));
    MUST(MPI_Type_commit(&spread));
    MUST(MPI_File_write_at(fh, 0, data, 2, vector, &status));
    show_bytes("vector", &status);
    MUST(MPI_File_read_at_all(fh, 1, data, 5, spread, &status));
    show_bytes("spread", &status);
    MUST(MPI_File_write_at(fh, 0, data, 3, MPI_LONG_DOUBLE, MPI_STATUS_IGNORE));
    MUST(MPI_Type_free(&vector));
    MUST(MPI_Type_free(&spread));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    static char data[1024];
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    overlapping(fh, data);
    types(fh, data);
    MUST(MPI_File_set_size(fh, 600));
    MUST(MPI_File_close(&fh));

    fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_WRONLY | MPI_MODE_APPEND);
    MUST(MPI_File_write(fh, data, 4, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_write(fh, data, 4, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_set_view(fh, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_write(fh, data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
