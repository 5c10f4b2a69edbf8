! SPDX-License-Identifier: BSD-3-Clause
! An error handler in Fortran that does MPI-IO itself: its calls are recorded in the failing one,
! also where the MPI library's Fortran layer calls the procedures of its C layer.
module callback_handler
    use mpi
    implicit none
    integer :: other, handled = 0
contains
    subroutine handler(file, code)
        integer :: file, code, e, c
        integer(kind=MPI_OFFSET_KIND) :: size
        call MPI_Error_class(code, c, e)
        handled = handled + 1
        print *, 'handler', c
        call MPI_File_sync(other, e)
        call MPI_File_get_size(other, size, e)
        if (.false.) print *, file
    end subroutine
end module

program callback
    use callback_handler
    implicit none
    integer :: fh, e, eh, buf(1), mode = MPI_MODE_CREATE + MPI_MODE_RDWR
    integer(kind=MPI_OFFSET_KIND) :: zero = 0

    call MPI_Init(e)
    call MPI_File_open(MPI_COMM_WORLD, 'f.dat', mode, MPI_INFO_NULL, fh, e)
    call MPI_File_open(MPI_COMM_WORLD, 'g.dat', mode, MPI_INFO_NULL, other, e)
    call MPI_File_create_errhandler(handler, eh, e)
    call MPI_File_set_errhandler(fh, eh, e)
    call MPI_File_read_at(fh, zero, buf, -1, MPI_INTEGER, MPI_STATUS_IGNORE, e)
    call MPI_File_seek(fh, zero, -5, e)
    print *, 'handled', handled
    call MPI_File_close(other, e)
    call MPI_File_close(fh, e)
    call MPI_Finalize(e)
end program
