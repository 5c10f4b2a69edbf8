/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel NetCDF-4: HDF5 over MPI-IO. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 500 };

static void check(int rc, int line)
{
    if (rc == NC_NOERR)
        return;
    printf("line %d: %s\n", line, nc_strerror(rc));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define MUST(call) check((call), __LINE__)

int main(int argc, char **argv)
{
    int rank, size, file, dims[2], variable;
    static double data[ROWS * COLUMNS], back[ROWS * COLUMNS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        data[i] = rank;

    MUST(nc_create_par("data.nc4", NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    MUST(nc_def_dim(file, "row", (size_t)size * ROWS, &dims[0]));
    MUST(nc_def_dim(file, "column", COLUMNS, &dims[1]));
    MUST(nc_def_var(file, "v", NC_DOUBLE, 2, dims, &variable));
    MUST(nc_enddef(file));
    MUST(nc_var_par_access(file, variable, NC_COLLECTIVE));
    size_t start[2] = {(size_t)rank * ROWS, 0}, count[2] = {ROWS, COLUMNS};
    MUST(nc_put_vara_double(file, variable, start, count, data));
    MUST(nc_close(file));

    MUST(nc_open_par("data.nc4", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    start[0] = (size_t)((rank + 1) % size) * ROWS;
    MUST(nc_inq_varid(file, "v", &variable));
    MUST(nc_get_vara_double(file, variable, start, count, back));
    MUST(nc_close(file));
    printf("rank %d read %g\n", rank, back[0]);
    MPI_Finalize();
    return 0;
}
