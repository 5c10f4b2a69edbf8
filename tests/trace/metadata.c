/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes, hints, atomicity, groups, handles and data representations, right and failing. */
#include "testing.h"

static int identity_extent(MPI_Datatype type, MPI_Aint *extent, void *state)
{
    (void)state;
    MPI_Aint lower_bound;
    return PMPI_Type_get_extent(type, &lower_bound, extent);
}

static void sizes(MPI_File fh)
{
    MPI_Offset size;
    MUST(MPI_File_set_size(fh, 5000000000));
    MUST(MPI_File_get_size(fh, &size));
    REQUIRE(size == 5000000000);
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_File_set_size(fh, 100));
    MUST(MPI_File_preallocate(fh, 4096));
    FAILS(MPI_File_set_size(fh, -1));
    FAILS(MPI_File_preallocate(MPI_FILE_NULL, 1));
    FAILS(MPI_File_get_size(MPI_FILE_NULL, &size));
}

static void settings(MPI_File fh)
{
    int flag;
    MUST(MPI_File_set_atomicity(fh, 1));
    MUST(MPI_File_get_atomicity(fh, &flag));
    MUST(MPI_File_set_atomicity(fh, 0));
    FAILS(MPI_File_set_atomicity(MPI_FILE_NULL, 1));
    SHOW(MPI_File_get_atomicity(MPI_FILE_NULL, &flag));

    MPI_Info info, used;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "cb_buffer_size", "2097152"));
    MUST(MPI_Info_set(info, "cb_nodes", "1"));
    MUST(MPI_File_set_info(fh, info));
    MUST(MPI_File_get_info(fh, &used));
    MUST(MPI_Info_free(&used));
    FAILS(MPI_File_set_info(MPI_FILE_NULL, info));
    SHOW(MPI_File_get_info(MPI_FILE_NULL, &used));
    MUST(MPI_Info_free(&info));
}

static void queries(MPI_File fh)
{
    int amode;
    MPI_Group group;
    MPI_Aint extent;
    MUST(MPI_File_get_amode(fh, &amode));
    REQUIRE(amode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
    MUST(MPI_File_get_group(fh, &group));
    MUST(MPI_Group_free(&group));
    MUST(MPI_File_get_type_extent(fh, MPI_INT, &extent));
    REQUIRE(extent == sizeof(int));
    SHOW(MPI_File_get_amode(MPI_FILE_NULL, &amode));
    SHOW(MPI_File_get_group(MPI_FILE_NULL, &group));
    SHOW(MPI_File_get_type_extent(MPI_FILE_NULL, MPI_INT, &extent));
    MPI_Fint integer = MPI_File_c2f(fh);
    REQUIRE(MPI_File_f2c(integer) == fh);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* Open MPI's set_info raises the error of a wrong file on the communicator */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_File fh = open_file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    sizes(fh);
    settings(fh);
    queries(fh);
    MUST(MPI_File_sync(fh));
    FAILS(MPI_File_sync(MPI_FILE_NULL));
    MUST(MPI_File_close(&fh));
    SHOW(MPI_Register_datarep("mine", NULL, NULL, identity_extent, NULL));
    FAILS(MPI_Register_datarep("mine", NULL, NULL, identity_extent, NULL));
    MPI_Finalize();
    return 0;
}
