/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** abi::__cxa_demangle of the Itanium C++ ABI, 3.4: whatever C++ library is there has it. */
typedef char *demangle_function(const char *name, char *buffer, size_t *size, int *status);

static demangle_function *cxx_demangle(void)
{
    static demangle_function *function;
    static bool looked;

    if (!looked) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        if (library)
            *(void **)&function = dlsym(library, "__cxa_demangle");
        looked = true;
    }
    return function;
}

/** gfortran: __module_MOD_procedure. */
static bool demangle_fortran(const char *linkage_name, char *name, size_t size)
{
    const char *procedure = strstr(linkage_name, "_MOD_");

    if (strncmp(linkage_name, "__", 2) != 0 || !procedure)
        return false;
    snprintf(name, size, "%.*s::%s", (int)(procedure - linkage_name - 2), linkage_name + 2,
             procedure + strlen("_MOD_"));
    return true;
}

void mpiot_symbols_demangle(const char *linkage_name, char *name, size_t size)
{
    char *readable = NULL;
    int status = -1;

    if (demangle_fortran(linkage_name, name, size))
        return;
    if (strncmp(linkage_name, "_Z", 2) == 0 && cxx_demangle())
        readable = cxx_demangle()(linkage_name, NULL, NULL, &status);
    if (readable && status == 0)
        snprintf(name, size, "%s", readable);
    else /* a suffix (.isra.0, .part.1) is the compiler's */
        snprintf(name, size, "%.*s", (int)strcspn(linkage_name + 1, ".") + 1, linkage_name);
    free(readable);
}
