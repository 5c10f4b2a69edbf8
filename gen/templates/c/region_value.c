$comment
$returns MPIOT_WRAPPER($name)($parameters)
{
    struct mpiot_call call;
    mpiot_call_init(&call, $op);
    mpiot_region_begin(&call, $file);
    $returns value = P$name($arguments);
    mpiot_region_end(&call, MPI_SUCCESS);
    return value;
}
