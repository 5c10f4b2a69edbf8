/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/view.h"

#include <string.h>

#include "record/file.h"

struct mpiot_view mpiot_view_initial(void)
{
    return (struct mpiot_view){
        .etype_size = 1, .filetype_size = 1, .filetype_extent = 1, .contiguous = true};
}

static bool has_holes(MPI_Datatype type)
{
    MPI_Count size, lower_bound, extent;

    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower_bound, &extent);
    return size != extent || lower_bound != 0;
}

/**
 * Whether a type lays its bytes out one after the other, as far as its construction shows:
 * predefined without holes, or contiguous and duplicates of such. Size and extent alone do not
 * tell: holes and overlaps can make up for each other.
 */
static bool is_contiguous(MPI_Datatype type)
{
    int integers, addresses, datatypes, combiner, count;
    MPI_Aint unused;
    MPI_Datatype inner;

    PMPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return combiner == MPI_COMBINER_NAMED && !has_holes(type);
    if (integers > 1 || addresses > 0 || datatypes != 1)
        return false;

    PMPI_Type_get_contents(type, integers, 0, 1, &count, &unused, &inner);
    bool result = is_contiguous(inner);
    PMPI_Type_get_envelope(inner, &integers, &addresses, &datatypes, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        PMPI_Type_free(&inner);
    return result;
}

struct mpiot_view mpiot_view_make(MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                                  const char *datarep)
{
    MPI_Count etype_size, filetype_size, lower_bound, extent;

    PMPI_Type_size_x(etype, &etype_size);
    PMPI_Type_size_x(filetype, &filetype_size);
    PMPI_Type_get_extent_x(filetype, &lower_bound, &extent);
    return (struct mpiot_view){
        .disp = disp,
        .etype_size = etype_size,
        .filetype_size = filetype_size,
        .filetype_extent = extent,
        .contiguous =
            strcmp(datarep, "native") == 0 && filetype_size > 0 && is_contiguous(filetype),
    };
}

bool mpiot_view_byte(const struct mpiot_file *file, MPI_File fh, MPI_Offset offset, uint64_t *byte)
{
    const struct mpiot_view *view = &file->view;
    MPI_Offset absolute;

    if (offset < 0 || file->sequential || view->filetype_size == 0)
        return false;
    if (view->contiguous) {
        if (__builtin_mul_overflow(offset, view->etype_size, &absolute) ||
            __builtin_add_overflow(absolute, view->disp, &absolute))
            return false;
    } else if (PMPI_File_get_byte_offset(fh, offset, &absolute) != MPI_SUCCESS) {
        return false;
    }
    *byte = absolute;
    return absolute >= 0;
}

bool mpiot_view_position(const struct mpiot_file *file, MPI_File fh, uint64_t *byte)
{
    MPI_Offset position;

    /* A view without bytes makes OMPIO divide by zero. */
    if (file->sequential || file->view.filetype_size == 0 ||
        PMPI_File_get_position(fh, &position) != MPI_SUCCESS)
        return false;
    return mpiot_view_byte(file, fh, position, byte);
}
