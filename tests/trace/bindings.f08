! SPDX-License-Identifier: BSD-3-Clause
! The statements of bindings.inc with use mpi_f08.
      module callbacks
      contains

      subroutine handler(file, code)
      use mpi_f08
      type(MPI_File) file
      integer code
      print *, 'handler'
      end subroutine

      subroutine extents(datatype, extent, extra, ierr)
      use mpi_f08
      type(MPI_Datatype) datatype
      integer(kind=MPI_ADDRESS_KIND) extent, extra
      integer ierr
      extent = 4
      ierr = MPI_SUCCESS
      end subroutine

      subroutine convert(user, datatype, n, file, pos, extra, ierr)
      use, intrinsic :: iso_c_binding, only: c_ptr
      use mpi_f08
      type(c_ptr), value :: user, file
      type(MPI_Datatype) datatype
      integer n, ierr
      integer(kind=MPI_OFFSET_KIND) pos
      integer(kind=MPI_ADDRESS_KIND) extra
      ierr = MPI_ERR_CONVERSION
      end subroutine
      end module

      program bindings
      use mpi_f08
      use callbacks
      implicit none
      integer e, n, last, i(3), buf(10), mode
      type(MPI_Status) st, sts(3)
      type(MPI_File) fh
      type(MPI_Group) group
      type(MPI_Info) info, none
      type(MPI_Datatype) etype, ftype
      type(MPI_Errhandler) eh
      type(MPI_Request) r(3)
      integer(kind=MPI_OFFSET_KIND) size, skip, off, next, at
      integer(kind=MPI_ADDRESS_KIND) extent
      logical flag
      character(len=MPI_MAX_DATAREP_STRING) rep
      character(len=9) name
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
