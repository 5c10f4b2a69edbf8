! SPDX-License-Identifier: BSD-3-Clause
! Module procedures, an internal procedure, a function outside of any module.
module solver
    use mpi
    implicit none
contains
    subroutine save_state(fh, step)
        integer, intent(in) :: fh, step
        integer(MPI_OFFSET_KIND) :: offset
        integer :: ierror
        offset = step
        call MPI_File_write_at(fh, offset, step, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror) ! @write
    end subroutine
end module

program paths
    use solver
    implicit none
    integer :: fh, ierror
    call MPI_Init(ierror)
    call MPI_File_open(MPI_COMM_SELF, 'f.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, &
        fh, ierror) ! @open
    call save_state(fh, 0) ! @direct
    call twice(fh) ! @internal
    call MPI_File_close(fh, ierror) ! @close
    call MPI_Finalize(ierror)
contains
    subroutine twice(fh)
        integer, intent(in) :: fh
        call save_state(fh, 1) ! @first
        call save_state(fh, 2) ! @second
    end subroutine
end program
