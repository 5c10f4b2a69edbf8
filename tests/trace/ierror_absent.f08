! SPDX-License-Identifier: BSD-3-Clause
! Calls without ierror, which mpi_f08 allows; one of each kind, and failing ones.
program ierror_absent
    use mpi_f08
    implicit none
    type(MPI_File) :: fh
    type(MPI_Status) :: st
    type(MPI_Request) :: r(2)
    integer :: buf(4) = 1, n, i(2)
    integer(kind=MPI_OFFSET_KIND) :: zero = 0

    call MPI_Init()
    call MPI_File_open(MPI_COMM_WORLD, 'f.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, fh)
    call MPI_File_set_size(fh, zero)
    call MPI_File_set_view(fh, zero, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
    call MPI_File_write_at(fh, zero, buf, 4, MPI_INTEGER, st)
    call MPI_File_write_at(fh, zero, buf, -1, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_seek(fh, zero, MPI_SEEK_SET)
    call MPI_File_write_all_begin(fh, buf, 2, MPI_INTEGER)
    call MPI_File_write_all_end(fh, buf, MPI_STATUS_IGNORE)
    call MPI_File_iwrite_at(fh, zero, buf, 3, MPI_INTEGER, r(1))
    call MPI_Wait(r(1), MPI_STATUS_IGNORE)
    call MPI_File_iwrite_at(fh, zero, buf, 3, MPI_INTEGER, r(1))
    r(2) = MPI_REQUEST_NULL
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    call MPI_File_iwrite_at(fh, zero, buf, 3, MPI_INTEGER, r(2))
    call MPI_Waitsome(2, r, n, i, MPI_STATUSES_IGNORE)
    call MPI_File_sync(fh)
    call MPI_Pcontrol(1)
    call MPI_File_close(fh)
    call MPI_File_delete('no such file', MPI_INFO_NULL)
    print *, 'done', n
    call MPI_Finalize()
end program
