/* SPDX-License-Identifier: BSD-3-Clause */
/* The large-count procedures of MPI-4, with small counts: MPICH 4.0 aborts on those beyond int. */
#include "testing.h"

static void wait_for(MPI_Request *request)
{
    MUST(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void blocking(MPI_File fh, int *data)
{
    MUST(MPI_File_write_at_c(fh, 4, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_at_all_c(fh, 4, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_c(fh, 4, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_all_c(fh, 4, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_c(fh, data, 3, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_all_c(fh, data, 3, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_c(fh, data, 3, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_all_c(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_shared_c(fh, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_ordered_c(fh, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_shared_c(fh, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_ordered_c(fh, data, 4, MPI_INT, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write_at_c(fh, 4, data, -1, MPI_INT, MPI_STATUS_IGNORE));
}

static void nonblocking(MPI_File fh, int *data)
{
    MPI_Request r;
    MUST(MPI_File_iwrite_at_c(fh, 4, data, 10, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iwrite_at_all_c(fh, 4, data, 10, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iread_at_c(fh, 4, data, 10, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iread_at_all_c(fh, 4, data, 10, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iwrite_c(fh, data, 3, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iwrite_all_c(fh, data, 3, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_iread_c(fh, data, 3, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iread_all_c(fh, data, 2, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_iwrite_shared_c(fh, data, 4, MPI_INT, &r));
    wait_for(&r);
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_iread_shared_c(fh, data, 4, MPI_INT, &r));
    wait_for(&r);
    FAILS(MPI_File_iwrite_at_c(fh, 4, data, -1, MPI_INT, &r));
}

static void split(MPI_File fh, int *data)
{
    MUST(MPI_File_write_at_all_begin_c(fh, 4, data, 10, MPI_INT));
    MUST(MPI_File_write_at_all_end(fh, data, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_all_begin_c(fh, 4, data, 10, MPI_INT));
    MUST(MPI_File_read_at_all_end(fh, data, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_all_begin_c(fh, data, 3, MPI_INT));
    MUST(MPI_File_write_all_end(fh, data, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_all_begin_c(fh, data, 2, MPI_INT));
    MUST(MPI_File_read_all_end(fh, data, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_ordered_begin_c(fh, data, 4, MPI_INT));
    MUST(MPI_File_write_ordered_end(fh, data, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_begin_c(fh, data, 4, MPI_INT));
    MUST(MPI_File_read_ordered_end(fh, data, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write_at_all_begin_c(fh, 4, data, -1, MPI_INT));
}

static int int_extent(MPI_Datatype type, MPI_Aint *extent, void *state)
{
    (void)type;
    (void)state;
    *extent = sizeof(int);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data[10] = {0};
    MPI_Count extent;
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_set_size(fh, 256));
    blocking(fh, data);
    nonblocking(fh, data);
    split(fh, data);
    MUST(MPI_File_get_type_extent_c(fh, MPI_INT, &extent));
    MUST(MPI_File_close(&fh));
    SHOW(MPI_Register_datarep_c("mine", NULL, NULL, int_extent, NULL));
    MPI_Finalize();
    return 0;
}
