/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeks and position queries, individual and shared, through a strided view, and failing ones. */
#include "testing.h"

/** Prints a position, so that traced and untraced runs can be compared. */
static void show_position(const char *what, MPI_Offset position)
{
    printf("rank %d: %s: %lld\n", world_rank(), what, (long long)position);
}

/** All ranks see the shared pointer where this seek has put it, before another moves it. */
static void seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    MPI_Offset position;
    MUST(MPI_File_seek_shared(fh, offset, whence));
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_get_position_shared(fh, &position));
    show_position("shared position", position);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void seek_each(MPI_File fh, int rank)
{
    MPI_Offset position;
    MUST(MPI_File_seek(fh, 3, MPI_SEEK_SET));
    MUST(MPI_File_seek(fh, 1 + rank, MPI_SEEK_CUR));
    MUST(MPI_File_get_position(fh, &position));
    show_position("position", position);
    MUST(MPI_File_seek(fh, -1, MPI_SEEK_CUR));
    MUST(MPI_File_seek(fh, -2, MPI_SEEK_END));
    MUST(MPI_File_get_position(fh, &position));
    show_position("position", position);
    MUST(MPI_File_get_byte_offset(fh, position, &position));
    show_position("byte offset", position);

    seek_shared(fh, 5, MPI_SEEK_SET);
    seek_shared(fh, -3, MPI_SEEK_CUR);
    seek_shared(fh, 0, MPI_SEEK_END);
}

static void fail_each(MPI_File fh)
{
    MPI_Offset position;
    FAILS(MPI_File_seek(fh, -1, MPI_SEEK_SET));
    FAILS(MPI_File_seek(fh, 0, 4711));
    FAILS(MPI_File_seek(MPI_FILE_NULL, 0, MPI_SEEK_SET));
    FAILS(MPI_File_seek_shared(MPI_FILE_NULL, 0, MPI_SEEK_SET));
    SHOW(MPI_File_get_position(MPI_FILE_NULL, &position));
    SHOW(MPI_File_get_position_shared(MPI_FILE_NULL, &position));
    SHOW(MPI_File_get_byte_offset(MPI_FILE_NULL, 0, &position));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int data[32] = {0};
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at_all(fh, 0, data, 32, MPI_INT, MPI_STATUS_IGNORE));
    seek_each(fh, world_rank());

    /* 8 bytes displaced, of every 4 integers the first 2 */
    MPI_Datatype pair, view;
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_create_resized(pair, 0, 16, &view));
    MUST(MPI_Type_commit(&view));
    MUST(MPI_File_set_view(fh, 8, MPI_INT, view, "native", MPI_INFO_NULL));
    seek_each(fh, world_rank());
    MUST(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    fail_each(fh);
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Type_free(&view));
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
