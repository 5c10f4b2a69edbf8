/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/error.h"

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

#include "trace/events.h"

/** Classes that calls on files and requests return (MPI-4.1, tables 9.1 to 9.3). */
#define CLASS(name) {name, #name}
static const struct {
    int class;
    const char *name;
} classes[] = {
    CLASS(MPI_ERR_ACCESS),
    CLASS(MPI_ERR_AMODE),
    CLASS(MPI_ERR_ARG),
    CLASS(MPI_ERR_BAD_FILE),
    CLASS(MPI_ERR_BUFFER),
    CLASS(MPI_ERR_COMM),
    CLASS(MPI_ERR_CONVERSION),
    CLASS(MPI_ERR_COUNT),
    CLASS(MPI_ERR_DIMS),
    CLASS(MPI_ERR_DUP_DATAREP),
    CLASS(MPI_ERR_FILE),
    CLASS(MPI_ERR_FILE_EXISTS),
    CLASS(MPI_ERR_FILE_IN_USE),
    CLASS(MPI_ERR_GROUP),
    CLASS(MPI_ERR_INFO),
    CLASS(MPI_ERR_INFO_KEY),
    CLASS(MPI_ERR_INFO_NOKEY),
    CLASS(MPI_ERR_INFO_VALUE),
    CLASS(MPI_ERR_IN_STATUS),
    CLASS(MPI_ERR_INTERN),
    CLASS(MPI_ERR_IO),
    CLASS(MPI_ERR_KEYVAL),
    CLASS(MPI_ERR_NOT_SAME),
    CLASS(MPI_ERR_NO_MEM),
    CLASS(MPI_ERR_NO_SPACE),
    CLASS(MPI_ERR_NO_SUCH_FILE),
    CLASS(MPI_ERR_OP),
    CLASS(MPI_ERR_OTHER),
    CLASS(MPI_ERR_PENDING),
    CLASS(MPI_ERR_QUOTA),
    CLASS(MPI_ERR_RANK),
    CLASS(MPI_ERR_READ_ONLY),
    CLASS(MPI_ERR_REQUEST),
    CLASS(MPI_ERR_ROOT),
    CLASS(MPI_ERR_TAG),
    CLASS(MPI_ERR_TRUNCATE),
    CLASS(MPI_ERR_TYPE),
    CLASS(MPI_ERR_UNKNOWN),
    CLASS(MPI_ERR_UNSUPPORTED_DATAREP),
    CLASS(MPI_ERR_UNSUPPORTED_OPERATION),
};

static const char *class_name(int class, char *buffer, size_t size)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].class == class)
            return classes[i].name;
    snprintf(buffer, size, "%d", class);
    return buffer;
}

void mpiot_error_attributes(struct mpiot_location *location, int rc)
{
    char number[16], text[MPI_MAX_ERROR_STRING + 1] = "";
    int class = MPI_ERR_UNKNOWN, length = 0;

    PMPI_Error_class(rc, &class);
    PMPI_Error_string(rc, text, &length);
    mpiot_event_attribute_string(location, MPIOT_ATTRIBUTE_ERROR_CLASS,
                                 class_name(class, number, sizeof number));
    mpiot_event_attribute_string(location, MPIOT_ATTRIBUTE_ERROR, text);
}
