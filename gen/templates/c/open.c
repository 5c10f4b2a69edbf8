$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_open_begin(&call, comm, filename, amode);
    int rc = P$name($arguments);
    mpiot_open_end(&call, rc, rc == MPI_SUCCESS ? *fh : MPI_FILE_NULL);
    return rc;
}
