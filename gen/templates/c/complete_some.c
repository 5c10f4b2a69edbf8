$comment
int MPIOT_WRAPPER($name)($parameters)
{
    if (!mpiot_request_is_pending())
        return P$name($arguments);
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_complete_begin(&call, $count, $requests);
    $statuses = $own_statuses;
    int rc = P$name($arguments);
    int completed = $completed;
    mpiot_complete_some_end(&call, rc, completed, $indices, $requests, $statuses);
    return rc;
}
