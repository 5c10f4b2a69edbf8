$comment
void MPIOT_FORTRAN($name)($parameters)
{
    __typeof__(MPIOT_FORTRAN($name)) *real = mpiot_fortran_real($op);
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    mpiot_region_begin(&call, $file);
    mpiot_forward_begin(&call, real);
    real($arguments);
    mpiot_forward_end(&call);
    mpiot_region_end(&call, *error);
}
