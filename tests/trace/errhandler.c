/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers on a file and on MPI_FILE_NULL: made, set, got, called, and calling MPI-IO. */
#include "testing.h"

static int calls;
static MPI_File other = MPI_FILE_NULL;

static void count_call(MPI_File *fh, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    printf("rank %d: handler call %d on %s, class %d\n", world_rank(), ++calls,
           *fh == MPI_FILE_NULL ? "MPI_FILE_NULL" : "a file", class);
}

/** Does what a program may do to save its state: reads and writes another file. */
static void write_other(MPI_File *fh, int *code, ...)
{
    int data = calls;
    count_call(fh, code);
    MUST(MPI_File_write_at(other, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at(other, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 0;
    MPI_Errhandler count, save, got;
    MUST(MPI_File_create_errhandler(count_call, &count));
    MUST(MPI_File_create_errhandler(write_other, &save));

    /* on MPI_FILE_NULL, which failed opens and deletes and calls without a file raise */
    MPI_File fh;
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, count));
    FAILS(MPI_File_open(MPI_COMM_SELF, "no-such.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
    FAILS(MPI_File_delete("no-such.dat", MPI_INFO_NULL));
    FAILS(MPI_File_write(MPI_FILE_NULL, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    REQUIRE(got == count);
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));

    /* on a file */
    other = open_file(MPI_COMM_SELF, "other.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MUST(MPI_File_set_errhandler(fh, count));
    FAILS(MPI_File_write(fh, &data, -1, MPI_INT, MPI_STATUS_IGNORE));
    FAILS(MPI_File_read_at(fh, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    FAILS(MPI_File_write_at(fh, 0, &data, 0, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
    SHOW(MPI_File_call_errhandler(fh, MPI_ERR_IO));

    MUST(MPI_File_set_errhandler(fh, save));
    FAILS(MPI_File_write_at(fh, 8, &data, -1, MPI_INT, MPI_STATUS_IGNORE));
    SHOW(MPI_File_call_errhandler(fh, MPI_ERR_IO));
    MUST(MPI_File_close(&fh));
    MUST(MPI_File_close(&other));

    /* the same calls with arguments that the MPI library refuses */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_File_create_errhandler(NULL, NULL));
    FAILS(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRHANDLER_NULL));
    FAILS(MPI_File_get_errhandler(MPI_FILE_NULL, NULL));
    SHOW(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    printf("%d handler calls\n", calls);
    MUST(MPI_Errhandler_free(&count));
    MUST(MPI_Errhandler_free(&save));
    MPI_Finalize();
    return 0;
}
