! SPDX-License-Identifier: BSD-3-Clause
      program ierror
      use mpi
      implicit none
      integer e, buf(4), st(MPI_STATUS_SIZE), fh, info, r, mode
      integer(kind=MPI_OFFSET_KIND) off
      logical flag
      mode = MPI_MODE_CREATE + MPI_MODE_RDWR
      info = MPI_INFO_NULL
      include 'ierror.inc'
      end program
