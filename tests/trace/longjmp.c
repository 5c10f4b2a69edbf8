/* SPDX-License-Identifier: BSD-3-Clause */
/* An error handler that leaves the failing call with longjmp, also out of a nested one. */
#include <setjmp.h>

#include "testing.h"

static jmp_buf out;
static int nested;
static MPI_File other = MPI_FILE_NULL;

static void jump(MPI_File *fh, int *code, ...)
{
    (void)fh;
    (void)code;
    int data = 0;
    if (nested) {
        nested = 0;
        MPI_File_read_at(other, 0, &data, -1, MPI_INT, MPI_STATUS_IGNORE);
    }
    longjmp(out, 1);
}

/** Each fails, and is left by longjmp. */
static void fail_blocking(MPI_File fh)
{
    int data = 0;
    if (setjmp(out) == 0)
        MPI_File_write_at(fh, 0, &data, -1, MPI_INT, MPI_STATUS_IGNORE);
}

static void fail_start(MPI_File fh)
{
    int data = 0;
    MPI_Request request;
    if (setjmp(out) == 0)
        MPI_File_iwrite_at(fh, 0, &data, -1, MPI_INT, &request);
}

static void fail_nested(MPI_File fh)
{
    int data = 0;
    nested = 1;
    if (setjmp(out) == 0)
        MPI_File_write_at(fh, 0, &data, -1, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data = 1;
    MPI_Errhandler handler;
    MUST(MPI_File_create_errhandler(jump, &handler));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    other = open_file(MPI_COMM_SELF, "other.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_set_errhandler(fh, handler));
    MUST(MPI_File_set_errhandler(other, handler));

    fail_blocking(fh);
    MUST(MPI_File_write_at(fh, 4, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    fail_start(fh);
    MUST(MPI_File_write_at(fh, 8, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
    fail_nested(fh);
    MUST(MPI_File_close(&other));
    MUST(MPI_File_close(&fh));
    MUST(MPI_Errhandler_free(&handler));
    printf("done\n");
    MPI_Finalize();
    return 0;
}
