/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and results beyond 2 GiB, offsets beyond 4 GiB, and reads that split an element. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "testing.h"

enum { GIB = 1 << 30 };

/** /dev/null takes any number of bytes, and the memory is never touched. */
static void large(char *memory)
{
    MPI_Status s;
    MPI_Request request;
    MPI_Datatype gib, huge, spread;
    MUST(MPI_Type_contiguous(GIB, MPI_BYTE, &gib));
    MUST(MPI_Type_contiguous(5, gib, &huge));
    MUST(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)8 * GIB, &spread));
    MUST(MPI_Type_commit(&gib));
    MUST(MPI_Type_commit(&huge));
    MUST(MPI_Type_commit(&spread));
    MPI_File fh = open_file(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY);

    MUST(MPI_File_write_at(fh, 0, memory, 3, gib, &s));
    show_bytes("3 x 1 GiB", &s);
    MUST(MPI_File_write(fh, memory, 1, huge, &s));
    show_bytes("1 x 5 GiB", &s);
    MUST(MPI_File_write(fh, memory, 7, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_iwrite_at(fh, (MPI_Offset)6 * GIB, memory, 3, gib, &request));
    MUST(MPI_Wait(&request, &s));
    show_bytes("3 x 1 GiB", &s);

    MUST(MPI_File_set_view(fh, (MPI_Offset)1 << 40, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_at(fh, (MPI_Offset)1 << 33, memory, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_set_view(fh, 12, MPI_INT, spread, "native", MPI_INFO_NULL));
    MUST(MPI_File_write_at(fh, 3, memory, 1, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_close(&fh));
    MUST(MPI_Type_free(&gib));
    MUST(MPI_Type_free(&huge));
    MUST(MPI_Type_free(&spread));
}

/** A file of 13 bytes: three integers and a quarter. */
static void short_reads(char *memory)
{
    MPI_Status s;
    MPI_Datatype gib;
    MUST(MPI_Type_contiguous(GIB, MPI_BYTE, &gib));
    MUST(MPI_Type_commit(&gib));
    MPI_File fh = open_file(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at(fh, 0, memory, 13, MPI_BYTE, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at(fh, 0, memory, 10, MPI_INT, &s));
    show_bytes("integers", &s);
    MUST(MPI_File_read_at_all(fh, 4, memory, 10, MPI_DOUBLE, MPI_STATUS_IGNORE));
    MUST(MPI_File_read(fh, memory, 3, gib, &s));
    show_bytes("3 x 1 GiB", &s);
    MUST(MPI_File_read_at(fh, 5000000000, memory, 3, MPI_INT, &s));
    show_bytes("behind the end", &s);
    MUST(MPI_File_read_shared(fh, memory, 2, MPI_DOUBLE, &s));
    show_bytes("shared", &s);
    MUST(MPI_File_close(&fh));
    MUST(MPI_Type_free(&gib));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char *memory = mmap(NULL, (size_t)5 * GIB, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    large(memory);
    short_reads(memory);
    MPI_Finalize();
    return 0;
}
