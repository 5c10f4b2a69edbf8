/* SPDX-License-Identifier: BSD-3-Clause */
/* The six pairs of split collectives, and both halves failing. */
#include "testing.h"

static void end_with(const char *what, int rc, MPI_Status *status)
{
    MUST(rc);
    if (status)
        show_bytes(what, status);
}

static void run_each(MPI_File fh, int *data, int rank)
{
    MPI_Status s;
    MUST(MPI_File_write_at_all_begin(fh, 40 * rank, data, 10, MPI_INT));
    end_with("write_at_all", MPI_File_write_at_all_end(fh, data, &s), &s);
    MUST(MPI_File_read_at_all_begin(fh, 40 * rank, data, 9, MPI_INT));
    end_with("read_at_all", MPI_File_read_at_all_end(fh, data, MPI_STATUS_IGNORE), NULL);
    MUST(MPI_File_write_all_begin(fh, data, 3, MPI_INT));
    end_with("write_all", MPI_File_write_all_end(fh, data, MPI_STATUS_IGNORE), NULL);
    MUST(MPI_File_read_all_begin(fh, data, 4, MPI_INT));
    end_with("read_all", MPI_File_read_all_end(fh, data, &s), &s);
    MUST(MPI_File_write_ordered_begin(fh, data, 1 + rank, MPI_INT));
    end_with("write_ordered", MPI_File_write_ordered_end(fh, data, &s), &s);
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_begin(fh, data, 2, MPI_INT));
    end_with("read_ordered", MPI_File_read_ordered_end(fh, data, MPI_STATUS_IGNORE), NULL);
}

static void fail_each(MPI_File fh, int *data)
{
    FAILS(MPI_File_write_at_all_begin(fh, 0, data, -1, MPI_INT));
    FAILS(MPI_File_read_at_all_begin(fh, 0, data, -1, MPI_INT));
    FAILS(MPI_File_write_all_begin(fh, data, -1, MPI_INT));
    FAILS(MPI_File_read_all_begin(fh, data, -1, MPI_INT));
    FAILS(MPI_File_write_ordered_begin(fh, data, -1, MPI_INT));
    FAILS(MPI_File_read_ordered_begin(fh, data, -1, MPI_INT));
    FAILS(MPI_File_write_at_all_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_at_all_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write_all_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_all_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
    SHOW(MPI_File_write_ordered_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_ordered_end(MPI_FILE_NULL, data, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data[10] = {0};
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    run_each(fh, data, world_rank());
    fail_each(fh, data);
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
