/* SPDX-License-Identifier: BSD-3-Clause */
/* PnetCDF: collective, independent and non-blocking access to a variable. */
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 500 };

static void check(int rc, int line)
{
    if (rc == NC_NOERR)
        return;
    printf("line %d: %s\n", line, ncmpi_strerror(rc));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define MUST(call) check((call), __LINE__)

int main(int argc, char **argv)
{
    int rank, size, file, dims[2], variable, request, status;
    static float data[ROWS * COLUMNS], back[ROWS * COLUMNS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        data[i] = rank;

    MUST(ncmpi_create(MPI_COMM_WORLD, "data.nc", NC_CLOBBER, MPI_INFO_NULL, &file));
    MUST(ncmpi_def_dim(file, "row", (MPI_Offset)size * ROWS, &dims[0]));
    MUST(ncmpi_def_dim(file, "column", COLUMNS, &dims[1]));
    MUST(ncmpi_def_var(file, "v", NC_FLOAT, 2, dims, &variable));
    MUST(ncmpi_put_att_text(file, NC_GLOBAL, "title", 4, "test"));
    MUST(ncmpi_enddef(file));
    MPI_Offset start[2] = {(MPI_Offset)rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    MUST(ncmpi_put_vara_float_all(file, variable, start, count, data));
    MUST(ncmpi_iput_vara_float(file, variable, start, count, data, &request));
    MUST(ncmpi_wait_all(file, 1, &request, &status));
    MUST(ncmpi_close(file));

    MUST(ncmpi_open(MPI_COMM_WORLD, "data.nc", NC_NOWRITE, MPI_INFO_NULL, &file));
    start[0] = (MPI_Offset)((rank + 1) % size) * ROWS;
    MUST(ncmpi_get_vara_float_all(file, 0, start, count, back));
    MUST(ncmpi_begin_indep_data(file));
    MUST(ncmpi_get_vara_float(file, 0, start, count, back));
    MUST(ncmpi_end_indep_data(file));
    MUST(ncmpi_close(file));
    printf("rank %d read %g\n", rank, back[0]);
    MPI_Finalize();
    return 0;
}
