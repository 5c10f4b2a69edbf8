/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/job.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/** The argument after `option` in a command line as /proc has it, or NULL. */
static const char *argument_of(const char *option, const char *arguments, size_t size)
{
    const char *end = arguments + size;
    bool found = false;

    for (; arguments < end; arguments += strlen(arguments) + 1) {
        if (found)
            return arguments;
        found = strcmp(arguments, option) == 0;
    }
    return NULL;
}

/**
 * A Hydra proxy, one per node and world, is told where its mpiexec listens ("node:port", which no
 * other job has at the time) and which of the worlds of that mpiexec it serves.
 */
char *mpiot_job_of_hydra(int pmi_fd)
{
    struct ucred proxy;
    socklen_t length = sizeof proxy;
    char path[64], arguments[4096], *job;

    if (getsockopt(pmi_fd, SOL_SOCKET, SO_PEERCRED, &proxy, &length) != 0 || proxy.pid <= 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)proxy.pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    ssize_t size = read(fd, arguments, sizeof arguments - 1);
    close(fd);
    if (size <= 0)
        return NULL;
    arguments[size] = '\0';

    const char *port = argument_of("--control-port", arguments, size);
    const char *world = argument_of("--pgid", arguments, size);
    if (!port || asprintf(&job, "%s-%s", port, world ? world : "0") < 0)
        return NULL;
    return job;
}
