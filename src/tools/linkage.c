/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/linkage.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** The file that execvp would start; false if there is none. */
static bool find_program(const char *program, char path[PATH_MAX])
{
    char *list, *directory, *rest;
    bool found = false;

    if (strchr(program, '/'))
        return snprintf(path, PATH_MAX, "%s", program) < PATH_MAX && access(path, X_OK) == 0;
    const char *search = getenv("PATH");
    list = rest = strdup(search ? search : "/bin:/usr/bin");
    while (!found && (directory = strsep(&rest, ":")))
        found = snprintf(path, PATH_MAX, "%s/%s", directory[0] ? directory : ".", program) <
                    PATH_MAX &&
                access(path, X_OK) == 0;
    free(list);
    return found;
}

/** Replaces a script's path by its interpreter's; false if it names none. */
static bool follow_script(const char *first_line, char path[PATH_MAX])
{
    const char *start = first_line + 2 + strspn(first_line + 2, " \t");
    size_t length = strcspn(start, " \t\n");

    /* "#!/usr/bin/env python3": what counts is what env starts. */
    if (length >= 4 && strncmp(start + length - 4, "/env", 4) == 0) {
        char name[PATH_MAX];
        start += length + strspn(start + length, " \t");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(start, " \t\n"), start);
        return find_program(name, path);
    }
    return length > 0 && snprintf(path, PATH_MAX, "%.*s", (int)length, start) < PATH_MAX;
}

/** Program interpreter of a dynamically linked ELF file of this machine. */
enum kind { KIND_OTHER, KIND_SCRIPT, KIND_STATIC, KIND_DYNAMIC };

static enum kind inspect(const char *path, char *head, size_t size, char loader[PATH_MAX])
{
    enum kind kind = KIND_OTHER;
    FILE *file = fopen(path, "re");
    if (!file)
        return KIND_OTHER;

    size_t length = fread(head, 1, size - 1, file);
    head[length] = '\0';
    const ElfW(Ehdr) *header = (const void *)head;
    if (length > 2 && head[0] == '#' && head[1] == '!') {
        kind = KIND_SCRIPT;
    } else if (length >= sizeof *header && memcmp(head, ELFMAG, SELFMAG) == 0 &&
               header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) {
        kind = KIND_STATIC;
        for (int i = 0; i < header->e_phnum; i++) {
            ElfW(Phdr) segment;
            if (fseek(file, header->e_phoff + i * sizeof segment, SEEK_SET) != 0 ||
                fread(&segment, sizeof segment, 1, file) != 1)
                break;
            if (segment.p_type == PT_INTERP && segment.p_filesz < PATH_MAX &&
                fseek(file, segment.p_offset, SEEK_SET) == 0 &&
                fread(loader, segment.p_filesz, 1, file) == 1)
                kind = KIND_DYNAMIC;
        }
    }
    fclose(file);
    return kind;
}

/** Whose library it is, as far as its name tells; relatives of MPICH share libmpi.so.12. */
static const char *implementation(const char *soname)
{
    return strncmp(soname, "libmpich.so", 11) == 0 || strcmp(soname, "libmpi.so.12") == 0
               ? "MPICH"
               : "Open MPI";
}

/** Runs "loader --list path" and finds the MPI library in what it prints. */
static void find_mpi(const char *loader, const char *path, char soname[NAME_MAX])
{
    int ends[2];
    char line[2 * PATH_MAX];

    soname[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO);
        unsetenv("LD_PRELOAD");
        execl(loader, loader, "--list", path, NULL);
        _exit(EXIT_FAILURE);
    }
    close(ends[1]);
    FILE *list = fdopen(ends[0], "r");
    while (list && fgets(line, sizeof line, list)) {
        char name[NAME_MAX];
        if (sscanf(line, " %254s", name) == 1 && !soname[0] &&
            (strncmp(name, "libmpi.so", 9) == 0 || strncmp(name, "libmpich.so", 11) == 0))
            snprintf(soname, NAME_MAX, "%s", name);
    }
    if (list)
        fclose(list);
    if (child > 0)
        waitpid(child, NULL, 0);
}

int mpiot_linkage_check(const char *program, const char *library, char *why, size_t size)
{
    char path[PATH_MAX], head[PATH_MAX], loader[PATH_MAX], theirs[NAME_MAX], ours[NAME_MAX];

    if (!find_program(program, path))
        return 0; /* execvp will say so */
    enum kind kind = inspect(path, head, sizeof head, loader);
    if (kind == KIND_SCRIPT && follow_script(head, path))
        kind = inspect(path, head, sizeof head, loader);
    if (kind == KIND_STATIC) {
        snprintf(why, size, "is linked statically, nothing can be preloaded; link it with "
                            "-lmpiotrace instead");
        return -1;
    }
    if (kind != KIND_DYNAMIC)
        return 0;
    find_mpi(loader, path, theirs);
    if (!theirs[0])
        return 0;
    find_mpi(loader, library, ours);
    if (!ours[0] || strcmp(theirs, ours) == 0)
        return 0;
    snprintf(why, size,
             "links %s (%s), but %s was built for %s (%s); --library names another build", theirs,
             implementation(theirs), library, ours, implementation(ours));
    return -1;
}
