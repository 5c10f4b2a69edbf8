/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses through displaced, strided and nested views; the view is read from what set_view set. */
#include "testing.h"

/** An explicit access and one with the individual pointer, both at position 5 of the view. */
static void access_both(MPI_File fh, MPI_Datatype type)
{
    double data[4] = {0};
    MUST(MPI_File_write_at(fh, 5, data, 1, type, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(fh, 5, MPI_SEEK_SET));
    MUST(MPI_File_write(fh, data, 1, type, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at_all(fh, 0, data, 1, type, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_all(fh, data, 1, type, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank();
    char zeros[4096] = {0};
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_write_at_all(fh, 0, zeros, 4096, MPI_BYTE, MPI_STATUS_IGNORE));

    /* contiguous, displaced */
    MUST(MPI_File_set_view(fh, 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    access_both(fh, MPI_INT);

    /* strided: pairs of doubles, each rank its own half of 32 bytes */
    MPI_Datatype vector, tile;
    MUST(MPI_Type_vector(2, 2, 4, MPI_DOUBLE, &vector));
    MUST(MPI_Type_create_resized(vector, 0, 64, &tile));
    MUST(MPI_Type_commit(&tile));
    MUST(MPI_File_set_view(fh, 16 * rank, MPI_DOUBLE, tile, "native", MPI_INFO_NULL));
    access_both(fh, MPI_DOUBLE);

    /* nested: an etype of 8 bytes in a view of a view, with a gap in front */
    MPI_Datatype pair, inner, outer;
    int length = 1;
    MPI_Aint gap = 24;
    MUST(MPI_Type_contiguous(2, MPI_FLOAT, &pair));
    MUST(MPI_Type_vector(3, 1, 2, pair, &inner));
    MUST(MPI_Type_create_struct(1, &length, &gap, &inner, &outer));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_Type_commit(&outer));
    MUST(MPI_File_set_view(fh, 1000, pair, outer, "native", MPI_INFO_NULL));
    access_both(fh, pair);

    MPI_Offset disp;
    MPI_Datatype etype, filetype;
    char datarep[MPI_MAX_DATAREP_STRING];
    MUST(MPI_File_get_view(fh, &disp, &etype, &filetype, datarep));
    FAILS(MPI_File_set_view(fh, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL));
    FAILS(MPI_File_set_view(MPI_FILE_NULL, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    SHOW(MPI_File_get_view(MPI_FILE_NULL, &disp, &etype, &filetype, datarep));
    access_both(fh, pair);
    MUST(MPI_File_close(&fh));
    MPI_Finalize();
    return 0;
}
