$comment
void MPIOT_FORTRAN($name)($parameters)
{
    __typeof__(MPIOT_FORTRAN($name)) *real = mpiot_fortran_real($op);
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    char string[MPIOT_FORTRAN_STRING];
    mpiot_fortran_string(string, filename, filename_length);
    mpiot_open_begin(&call, PMPI_Comm_f2c(*comm), string, *amode);
    mpiot_forward_begin(&call, real);
    real($arguments);
    mpiot_forward_end(&call);
    MPI_File opened = *error == MPI_SUCCESS ? PMPI_File_f2c(*fh) : MPI_FILE_NULL;
    mpiot_open_end(&call, *error, opened);
}
