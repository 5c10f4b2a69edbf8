$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_transfer_begin(&call, $file, $offset, count, datatype);
    status = mpiot_status(&call, status);
    int rc = P$name($arguments);
    mpiot_transfer_end(&call, rc, status);
    return rc;
}
