! SPDX-License-Identifier: BSD-3-Clause
! A file opened in Fortran, used and closed in C, with another open in between: one handle each.
program interlanguage
    use, intrinsic :: iso_c_binding
    use mpi
    implicit none
    interface
        function file_f2c(file) bind(C, name='MPI_File_f2c')
            import
            integer(c_int), value :: file
            type(c_ptr) :: file_f2c
        end function
        integer(c_int) function file_sync(file) bind(C, name='MPI_File_sync')
            import
            type(c_ptr), value :: file
        end function
        integer(c_int) function file_set_size(file, size) bind(C, name='MPI_File_set_size')
            import
            type(c_ptr), value :: file
            integer(c_int64_t), value :: size
        end function
        integer(c_int) function file_close(file) bind(C, name='MPI_File_close')
            import
            type(c_ptr) :: file
        end function
    end interface
    integer :: fh, other, e, mode = MPI_MODE_CREATE + MPI_MODE_RDWR
    type(c_ptr) :: c_fh

    call MPI_Init(e)
    call MPI_File_open(MPI_COMM_WORLD, 'f.dat', mode, MPI_INFO_NULL, fh, e)
    call MPI_File_open(MPI_COMM_WORLD, 'g.dat', mode, MPI_INFO_NULL, other, e)
    c_fh = file_f2c(fh)
    e = file_set_size(c_fh, 8_c_int64_t)
    e = file_sync(c_fh)
    call MPI_File_sync(fh, e)
    call MPI_File_sync(other, e)
    call MPI_File_close(other, e)
    e = file_close(c_fh)
    call MPI_Finalize(e)
end program
