/* SPDX-License-Identifier: BSD-3-Clause */
/* Every blocking data access failing: a wrong count, type or access mode, no file. */
#include "testing.h"

/** Each access once, with arguments that the MPI library refuses. */
static void fail_each(MPI_File fh, int count, MPI_Datatype type)
{
    int data[10] = {0};
    MPI_Status status;
    FAILS(MPI_File_write_at(fh, 8, data, count, type, &status));
    FAILS(MPI_File_write_at_all(fh, 8, data, count, type, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write(fh, data, count, type, &status));
    FAILS(MPI_File_write_all(fh, data, count, type, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write_shared(fh, data, count, type, &status));
    FAILS(MPI_File_write_ordered(fh, data, count, type, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_at(fh, 8, data, count, type, &status));
    FAILS(MPI_File_read_at_all(fh, 8, data, count, type, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read(fh, data, count, type, &status));
    FAILS(MPI_File_read_all(fh, data, count, type, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_shared(fh, data, count, type, &status));
    FAILS(MPI_File_read_ordered(fh, data, count, type, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data[10] = {0};
    MPI_Status status;
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    fail_each(fh, -1, MPI_INT);
    fail_each(fh, 1, MPI_DATATYPE_NULL);
    FAILS(MPI_File_read(fh, data, 4, MPI_INT, &status));
    FAILS(MPI_File_read_at(fh, 4, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));

    fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_RDONLY);
    FAILS(MPI_File_write(fh, data, 4, MPI_INT, &status));
    FAILS(MPI_File_write_at(fh, 4, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));

    fail_each(MPI_FILE_NULL, 1, MPI_INT);
    MPI_Finalize();
    return 0;
}
