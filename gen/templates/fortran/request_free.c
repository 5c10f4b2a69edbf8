$comment
void MPIOT_FORTRAN($name)($parameters)
{
    __typeof__(MPIOT_FORTRAN($name)) *real = mpiot_fortran_real($op);
    if (!mpiot_request_is_pending()) {
        real($plain_arguments);
        return;
    }
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    mpiot_request_free_begin(&call, PMPI_Request_f2c(*request));
    mpiot_forward_begin(&call, real);
    real($arguments);
    mpiot_forward_end(&call);
    mpiot_request_free_end(&call, *error);
}
