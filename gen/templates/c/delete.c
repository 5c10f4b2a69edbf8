$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_delete_begin(&call, filename);
    int rc = P$name($arguments);
    mpiot_delete_end(&call, rc);
    return rc;
}
