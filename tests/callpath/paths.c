/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of all kinds; a comment @name marks the line where a function calls the next. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noclone))

/* What follows a call keeps it from being a tail call, which leaves no frame. */
#define DONE __asm__ volatile("")

static MPI_File file;

static NOINLINE void leaf(int value)
{
    MPI_File_write_at(file, value, &value, 1, MPI_BYTE, MPI_STATUS_IGNORE); /* @leaf */
    DONE;
}

static NOINLINE void recurse(int depth)
{
    if (depth == 0)
        leaf(1); /* @bottom */
    else
        recurse(depth - 1); /* @deeper */
    DONE;
}

static NOINLINE void through_pointer(void (*function)(int))
{
    function(2); /* @pointer */
    DONE;
}

static int compare(const void *a, const void *b)
{
    leaf(3); /* @compare */
    return *(const char *)a - *(const char *)b;
}

static NOINLINE void by_the_c_library(void)
{
    char two[2] = {2, 1};
    qsort(two, 2, 1, compare); /* @sort */
    DONE;
}

static void *thread(void *argument)
{
    leaf(4); /* @thread */
    return argument;
}

static NOINLINE void in_a_thread(void)
{
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
}

static NOINLINE void in_a_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void (*enter)(void (*)(int)) = (void (*)(void (*)(int)))dlsym(plugin, "plugin_enter");
    enter(leaf); /* @plugin */
    dlclose(plugin);
}

static void handler(MPI_File *fh, int *code, ...)
{
    (void)fh, (void)code;
    leaf(5); /* @handler */
}

static NOINLINE void in_a_handler(void)
{
    MPI_Errhandler errhandler;
    MPI_File_create_errhandler(handler, &errhandler); /* @create */
    MPI_File_set_errhandler(file, errhandler);        /* @set */
    MPI_File_call_errhandler(file, MPI_ERR_IO);       /* @failing */
    MPI_Errhandler_free(&errhandler);
}

int main(int argc, char **argv)
{
    const int amode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_File_open(MPI_COMM_SELF, "f.dat", amode, MPI_INFO_NULL, &file); /* @open */
    leaf(0);               /* @main_leaf */
    recurse(2);            /* @main_recurse */
    through_pointer(leaf); /* @main_pointer */
    by_the_c_library();    /* @main_sort */
    in_a_thread();         /* @main_thread */
    in_a_plugin(argv[1]);  /* @main_plugin */
    in_a_handler();        /* @main_handler */
    MPI_File_close(&file); /* @close */
    MPI_Finalize();
    return 0;
}
