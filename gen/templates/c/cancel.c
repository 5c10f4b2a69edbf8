$comment
int MPIOT_WRAPPER($name)($parameters)
{
    if (!mpiot_request_is_pending())
        return P$name($arguments);
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_cancel_begin(&call, mpiot_argument_request(request));
    int rc = P$name($arguments);
    mpiot_cancel_end(&call, rc);
    return rc;
}
