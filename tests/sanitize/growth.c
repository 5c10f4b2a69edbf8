/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a program does with files again and again, as often as its argument says. */
#include "../trace/testing.h"

static void use(MPI_File fh)
{
    int data[4] = {0};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Datatype strided;
    MPI_Info info;

    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &strided));
    MUST(MPI_Type_commit(&strided));
    MUST(MPI_File_set_view(fh, 0, MPI_INT, strided, "native", MPI_INFO_NULL));
    MUST(MPI_Type_free(&strided));
    MUST(MPI_File_write_at(fh, 0, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_all(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2; i++)
        MUST(MPI_File_iwrite_at(fh, 2 * i, &data[2 * i], 2, MPI_INT, &requests[i]));
    MUST(MPI_Waitall(2, requests, statuses));
    MUST(MPI_File_write_at_all_begin(fh, 0, data, 2, MPI_INT));
    MUST(MPI_File_write_at_all_end(fh, data, MPI_STATUS_IGNORE));
    REQUIRE(MPI_File_seek(fh, -1, MPI_SEEK_SET) != MPI_SUCCESS);
    MUST(MPI_File_get_info(fh, &info));
    MUST(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = atoi(argv[1]); i > 0; i--) {
        MPI_File fh = open_file(MPI_COMM_WORLD, "growth.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
        for (int k = 0; k < 10; k++)
            use(fh);
        MUST(MPI_File_close(&fh));
    }
    MPI_Finalize();
    return 0;
}
