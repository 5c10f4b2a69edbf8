! SPDX-License-Identifier: BSD-3-Clause
! The statements of bindings.inc with use mpi.
      program bindings
      use mpi
      implicit none
      integer e, n, last, i(3), buf(10), st(MPI_STATUS_SIZE)
      integer sts(MPI_STATUS_SIZE, 3), fh, group, info, etype, ftype
      integer eh, r(3), mode, none
      integer(kind=MPI_OFFSET_KIND) size, skip, off, next, at
      integer(kind=MPI_ADDRESS_KIND) extent
      logical flag
      character(len=MPI_MAX_DATAREP_STRING) rep
      character(len=9) name
      external handler, convert, extents
      mode = MPI_MODE_CREATE + MPI_MODE_RDWR
      info = MPI_INFO_NULL
      none = MPI_INFO_NULL
      etype = MPI_INTEGER
      size = 100
      skip = 0
      off = 0
      next = 1
      rep = 'native'
      name = ' a file  '
      include 'bindings.inc'
      end program

      subroutine handler(file, code)
      integer file, code
      print *, 'handler'
      end subroutine

      subroutine extents(datatype, extent, extra, ierr)
      use mpi
      integer datatype, ierr
      integer(kind=MPI_ADDRESS_KIND) extent, extra
      extent = 4
      ierr = MPI_SUCCESS
      end subroutine

      subroutine convert(user, datatype, n, file, pos, extra, ierr)
      use mpi
      integer user(*), file(*), datatype, n, ierr
      integer(kind=MPI_OFFSET_KIND) pos
      integer(kind=MPI_ADDRESS_KIND) extra
      ierr = MPI_ERR_CONVERSION
      end subroutine
