! SPDX-License-Identifier: BSD-3-Clause
      program ierror
      use mpi_f08
      implicit none
      integer e, buf(4), mode
      type(MPI_Status) st
      type(MPI_File) fh
      type(MPI_Info) info
      type(MPI_Request) r
      integer(kind=MPI_OFFSET_KIND) off
      logical flag
      mode = MPI_MODE_CREATE + MPI_MODE_RDWR
      info = MPI_INFO_NULL
      include 'ierror.inc'
      end program
