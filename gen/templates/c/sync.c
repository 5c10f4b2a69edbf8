$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_sync_begin(&call, $file);
    int rc = P$name($arguments);
    mpiot_sync_end(&call, rc);
    return rc;
}
