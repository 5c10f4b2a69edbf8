/* SPDX-License-Identifier: BSD-3-Clause */
/* Every blocking data access, with explicit offset, individual and shared pointer. */
#include "testing.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    int data[10] = {0};
    MPI_Status status;
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);

    MUST(MPI_File_write_at(fh, 40 * rank, data, 10, MPI_INT, &status));
    show_bytes("write_at", &status);
    MUST(MPI_File_write_at_all(fh, 80 + 8 * rank, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at(fh, 40 * rank, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_all(fh, 40 * rank, data, 10, MPI_INT, &status));
    show_bytes("read_at_all", &status);

    MUST(MPI_File_write(fh, data, 3, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_all(fh, data, 5, MPI_CHAR, &status));
    show_bytes("write_all", &status);
    MUST(MPI_File_read(fh, data, 3, MPI_INT, &status));
    show_bytes("read", &status);
    MUST(MPI_File_read_all(fh, data, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
    MUST(MPI_File_write(fh, data, 0, MPI_INT, MPI_STATUS_IGNORE));

    MUST(MPI_File_write_shared(fh, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_write_ordered(fh, data, 1 + rank, MPI_INT, &status));
    show_bytes("write_ordered", &status);
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_shared(fh, data, 4, MPI_INT, &status));
    show_bytes("read_shared", &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_read_ordered(fh, data, 1 + rank, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
