#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# check_header.sh OPERATIONS_C < preprocessed-mpi.h
#
# Fails, naming it, if mpi.h declares a file procedure that the operation table lacks: the library
# would not see its calls. Part of every build, so that a newer MPI library is noticed.

declared=$(grep -Eo '\bMPI_(File_|Register_datarep)[A-Za-z0-9_]*[[:space:]]*\(' |
           tr -d ' \t(' | sort -u)
case $declared in
*MPI_File_open*) ;;
*) echo "check_header.sh: standard input is not a preprocessed mpi.h" >&2
   exit 1 ;;
esac

status=0
for name in $declared; do
    if ! grep -q "\"$name\"" "$1"; then
        echo "mpi.h declares $name, which has no row in gen/mpi_io.spec: its calls would be" \
            "lost" >&2
        status=1
    fi
done
exit $status
