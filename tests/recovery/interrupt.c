/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded: kills the process group before its INTERRUPT_AT-th change of the file system, of which
 * those that have INTERRUPT_NOT in their path do not count; if there are not so many, does nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int *steps; /* shared with children */

__attribute__((constructor)) static void start(void)
{
    steps = mmap(NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void *step(const char *name, const char *path)
{
    const char *exempt = getenv("INTERRUPT_NOT");

    if (!(exempt && path && strstr(path, exempt)) && ++*steps == atoi(getenv("INTERRUPT_AT")))
        kill(0, SIGKILL);
    return dlsym(RTLD_NEXT, name);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *) = step("rename", to);
    return next(from, to);
}

int remove(const char *path)
{
    int (*next)(const char *) = step("remove", path);
    return next(path);
}

int mkdir(const char *path, mode_t mode)
{
    int (*next)(const char *, mode_t) = step("mkdir", path);
    return next(path, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *) =
        *mode == 'r' ? dlsym(RTLD_NEXT, "fopen") : step("fopen", path);
    return next(path, mode);
}
