/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads do I/O from a plugin and from the program while another loads and unloads plugins. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, OPERATIONS = 2000 };

static MPI_File file;
static atomic_bool stop;
static const char *path;

static void operation(int value)
{
    MPI_File_write_at(file, value, &value, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    __asm__ volatile("");
}

static void *do_io(void *argument)
{
    for (int i = 0; i < OPERATIONS; i++)
        operation(i);
    return argument;
}

static void *load(void *argument)
{
    long loaded = 0;
    while (!atomic_load(&stop)) {
        void *plugin = dlopen(path, RTLD_NOW);
        void (*enter)(void (*)(int)) = (void (*)(void (*)(int)))dlsym(plugin, "plugin_enter");
        enter(operation);
        dlclose(plugin);
        loaded++;
    }
    *(long *)argument = loaded;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS], loader;
    long loaded;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    path = argv[1];
    MPI_File_open(MPI_COMM_SELF, "f.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    pthread_create(&loader, NULL, load, &loaded);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, do_io, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&stop, 1);
    pthread_join(loader, NULL);
    MPI_File_close(&file);
    MPI_Finalize();
    printf("%ld\n", loaded);
    return 0;
}
