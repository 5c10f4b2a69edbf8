$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_split_finish_begin(&call, $file);
    status = mpiot_status(&call, status);
    int rc = P$name($arguments);
    mpiot_split_finish_end(&call, rc, status);
    return rc;
}
