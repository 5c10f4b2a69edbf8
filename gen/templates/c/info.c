$comment
int MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_region_begin(&call, $file);
    int rc = P$name($arguments);
    mpiot_info_end(&call, rc, info);
    return rc;
}
