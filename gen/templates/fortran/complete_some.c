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
    struct mpiot_fortran_completion completion;
    MPI_Fint own_error, *error = ierror ? ierror : &own_error;
    mpiot_fortran_complete_begin(&call, &completion, $count, $requests);
    $statuses = mpiot_fortran_statuses(&call, &completion, $statuses);
    mpiot_forward_begin(&call, real);
    real($arguments);
    mpiot_forward_end(&call);
    MPI_Fint completed = $completed;
    mpiot_fortran_complete_some_end(&call, &completion, &mpiot_binding, *error, completed, $indices, $statuses);
}
