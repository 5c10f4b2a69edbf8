$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_split_start_begin(&call, $file, $offset, count, datatype);
    int rc = P$name($arguments);
    mpiot_split_start_end(&call, rc);
    return rc;
}
