/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2_Reader.h; the order of its calls is that of OTF2's "Usage of the reading interface". */
#include "tools/archive.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/memory.h"

static struct {
    char reason[512]; /**< first error of OTF2 since the last reset */
} state;

static OTF2_ErrorCode keep_reason(void *user, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode error, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function;
    if (!state.reason[0]) {
        char text[256];
        vsnprintf(text, sizeof text, format, arguments);
        snprintf(state.reason, sizeof state.reason, "%s (%s)", OTF2_Error_GetDescription(error),
                 text);
    }
    return error;
}

static void forget_reason(void)
{
    state.reason[0] = '\0';
}

void mpiot_archive_complain(const struct mpiot_archive *archive, const char *what)
{
    fprintf(stderr, "%s: %s: %s%s%s\n", program_invocation_short_name, archive->path, what,
            state.reason[0] ? ": " : "", state.reason);
}

/** The anchor file that `path` means; malloc'ed. */
static char *anchor_of(const char *path)
{
    struct stat status;
    char *anchor = NULL;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return strdup(path);
    return asprintf(&anchor, "%s/traces.otf2", path) < 0 ? NULL : anchor;
}

int mpiot_archive_open(struct mpiot_archive *archive, const char *path)
{
    OTF2_Error_RegisterCallback(keep_reason, NULL);
    forget_reason();
    archive->reader = NULL;
    archive->path = anchor_of(path);
    if (!archive->path) {
        fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, strerror(ENOMEM));
        return -ENOMEM;
    }
    /* OTF2 completes a name that lacks its suffix, and then speaks of a file nobody asked for. */
    if (access(archive->path, R_OK) != 0) {
        int error = -errno;
        mpiot_archive_complain(archive, strerror(errno));
        mpiot_archive_close(archive);
        return error;
    }
    archive->reader = OTF2_Reader_Open(archive->path);
    if (archive->reader &&
        OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader) == OTF2_SUCCESS)
        return 0;
    mpiot_archive_complain(archive, "not an OTF2 archive");
    mpiot_archive_close(archive);
    return -EINVAL;
}

void mpiot_archive_close(struct mpiot_archive *archive)
{
    if (archive->reader)
        OTF2_Reader_Close(archive->reader);
    free(archive->path);
    archive->reader = NULL;
    archive->path = NULL;
}

int mpiot_archive_read_definitions(struct mpiot_archive *archive,
                                   const OTF2_GlobalDefReaderCallbacks *callbacks, void *user,
                                   uint64_t *read)
{
    OTF2_Reader *reader = archive->reader;

    forget_reason();
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    if (!definitions ||
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, user) !=
            OTF2_SUCCESS ||
        OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, read) != OTF2_SUCCESS) {
        mpiot_archive_complain(archive, "cannot read the definitions");
        return -EIO;
    }
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    return 0;
}

/** Reads a location's mapping tables and clock offsets, which OTF2 keeps for its events. */
static OTF2_ErrorCode read_local_definitions(OTF2_Reader *reader, OTF2_LocationRef location)
{
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    OTF2_ErrorCode error;
    uint64_t read;

    if (!definitions)
        return OTF2_SUCCESS; /* a location need not have any */
    do
        error = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
    while (error == OTF2_ERROR_DUPLICATE_MAPPING_TABLE);
    if (!error)
        error = OTF2_Reader_CloseDefReader(reader, definitions);
    return error;
}

/** Definition files are optional, event files are not. */
static OTF2_ErrorCode open_locations(OTF2_Reader *reader, const OTF2_LocationRef *locations,
                                     size_t count)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (size_t i = 0; i < count && !error; i++)
        error = OTF2_Reader_SelectLocation(reader, locations[i]);
    if (!error && OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {
        for (size_t i = 0; i < count && !error; i++)
            error = read_local_definitions(reader, locations[i]);
        if (!error)
            error = OTF2_Reader_CloseDefFiles(reader);
    }
    if (error)
        return error;
    forget_reason(); /* of definition files that are not there */
    return OTF2_Reader_OpenEvtFiles(reader);
}

int mpiot_archive_open_events(struct mpiot_archive *archive, const OTF2_LocationRef *locations,
                              size_t count)
{
    forget_reason();
    if (open_locations(archive->reader, locations, count) == OTF2_SUCCESS)
        return 0;
    mpiot_archive_complain(archive, "cannot read the events");
    return -EIO;
}

static OTF2_ErrorCode read_each(OTF2_Reader *reader, const OTF2_LocationRef *locations,
                                size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!OTF2_Reader_GetEvtReader(reader, locations[i]))
            return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    return OTF2_SUCCESS;
}

int mpiot_archive_read_events(struct mpiot_archive *archive, const OTF2_LocationRef *locations,
                              size_t count, const OTF2_GlobalEvtReaderCallbacks *callbacks,
                              void *user, uint64_t *read)
{
    OTF2_Reader *reader = archive->reader;
    OTF2_GlobalEvtReader *events;

    *read = 0;
    if (count == 0)
        return 0; /* OTF2 takes no selected location for all */
    forget_reason();
    if (open_locations(reader, locations, count) != OTF2_SUCCESS ||
        read_each(reader, locations, count) != OTF2_SUCCESS ||
        !(events = OTF2_Reader_GetGlobalEvtReader(reader)) ||
        OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, user) != OTF2_SUCCESS ||
        OTF2_Reader_ReadAllGlobalEvents(reader, events, read) != OTF2_SUCCESS) {
        mpiot_archive_complain(archive, "cannot read the events");
        return -EIO;
    }
    OTF2_Reader_CloseGlobalEvtReader(reader, events);
    return 0;
}

char *mpiot_archive_creator(const struct mpiot_archive *archive)
{
    char *creator = NULL;

    if (OTF2_Reader_GetCreator(archive->reader, &creator) != OTF2_SUCCESS)
        creator = NULL;
    return creator ? creator : mpiot_text("%s", "");
}

char *mpiot_archive_marks(const struct mpiot_archive *archive)
{
    char *marks = NULL;

    /* Most archives lack the property, which OTF2 takes for an error. */
    if (OTF2_Reader_GetProperty(archive->reader, "MPIOTRACE::MARK", &marks) != OTF2_SUCCESS)
        marks = NULL;
    forget_reason();
    return marks ? marks : mpiot_text("%s", "");
}

bool mpiot_archive_is_marked(const struct mpiot_archive *archive, const char *word)
{
    char *marks = mpiot_archive_marks(archive), *rest = marks, *mark;
    bool found = false;

    while (!found && (mark = strsep(&rest, ",")))
        found = strcmp(mark, word) == 0;
    free(marks);
    return found;
}

bool mpiot_archive_is_own(const struct mpiot_archive *archive)
{
    char *creator = mpiot_archive_creator(archive);
    bool own = strncmp(creator, "mpiotrace", strlen("mpiotrace")) == 0;

    free(creator);
    return own;
}

static bool is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE;
}

int mpiot_archive_guard(const char *path, int (*work)(void *argument), void *argument, int damaged)
{
    int status;
    pid_t child = fork();

    if (child < 0)
        return work(argument); /* worse a crash than no answer */
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        exit(work(argument));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (!is_crash(WTERMSIG(status))) {
        raise(WTERMSIG(status)); /* a closed pipe, say: end as the child did */
        return damaged;
    }
    fprintf(stderr, "%s: %s: the archive is damaged: reading it crashed OTF2 (%s)\n",
            program_invocation_short_name, path, strsignal(WTERMSIG(status)));
    return damaged;
}
