$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_close_begin(&call, mpiot_argument_file(fh));
    int rc = P$name($arguments);
    mpiot_close_end(&call, rc);
    return rc;
}
