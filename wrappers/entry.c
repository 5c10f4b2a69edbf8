/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Decides, when the library is loaded, whether this process is to be traced at all.
 *
 * Two reasons against it are known before the program runs: the user said so, or the program uses
 * another MPI library than the one we were built for, whose handles our wrappers would
 * misunderstand. Then every MPI name leads to the program's MPI library and we are not there.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/config.h"
#include "common/log.h"
#include "wrappers/entry.h"

#ifdef MPIOT_HAVE_ENTRY_STUBS

/** A row of the table that entry_points.S lays out. */
struct mpiot_entry {
    void *target; /**< where the stub jumps */
    const char *name;
};

extern struct mpiot_entry mpiot_entries[], mpiot_entries_end[];

typedef int (*mpiot_version_function)(char *version, int *length);

/* MPI-4.1, 9.1.1: may be called before MPI_Init, which is why it can tell libraries apart. */
static const char mpiot_version_name[] = "PMPI_Get_library_version";

/** What our own dependency defines; NULL where we are linked into the program itself. */
static mpiot_version_function mpiot_entry_own_version(void)
{
    Dl_info self;
    if (!dladdr(mpiot_entries, &self))
        return NULL;
    void *handle = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return NULL;
    mpiot_version_function function = (mpiot_version_function)dlsym(handle, mpiot_version_name);
    dlclose(handle);
    return function;
}

/** The library's name and version, which its text begins with, up to the first ',' or line end. */
static void mpiot_entry_name_library(mpiot_version_function version, char name[static 8192])
{
    int length = 0;
    name[0] = '\0';
    version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    for (char *tab = name; (tab = strchr(tab, '\t')); )
        *tab = ' ';
}

/** Whether the MPI that the program reaches is the one that this library was linked with. */
static bool mpiot_entry_mpi_matches(void)
{
    mpiot_version_function theirs =
        (mpiot_version_function)dlsym(RTLD_DEFAULT, mpiot_version_name);
    mpiot_version_function own = mpiot_entry_own_version();
    if (!own || !theirs || own == theirs)
        return true;

    char own_name[8192], their_name[8192]; /* MPICH's MPI_MAX_LIBRARY_VERSION_STRING */
    mpiot_entry_name_library(own, own_name);
    mpiot_entry_name_library(theirs, their_name);
    mpiot_log_error("this library was built for %s, the program uses %s: nothing is traced",
                    own_name, their_name);
    return false;
}

/** Leads every MPI name that the program's MPI library has to that library. */
static void mpiot_entry_step_aside(void)
{
    for (struct mpiot_entry *entry = mpiot_entries; entry < mpiot_entries_end; entry++) {
        void *next = dlsym(RTLD_NEXT, entry->name);
        if (next)
            entry->target = next;
    }
}

/** Runs when the library is loaded: entry_points.S lists it in .init_array. */
void mpiot_entry_init(void);

void mpiot_entry_init(void)
{
    if (mpiot_config()->disable || !mpiot_entry_mpi_matches())
        mpiot_entry_step_aside();
}

#endif
