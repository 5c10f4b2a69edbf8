/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/recover.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/archive.h"

enum exit_status {
    EXIT_RECOVERED,     /**< or there was nothing to recover */
    EXIT_WITH_LOSSES,   /**< something was damaged and is left out */
    EXIT_NOT_RECOVERED, /**< nothing was changed */
};

static struct {
    struct mpiot_recover_job job;
    char work[PATH_MAX + 32]; /**< where the new archive is made */
} state;

/** Where the cut streams of a process are. */
static void cut_directory(char path[2 * PATH_MAX], const struct mpiot_recover_process *process)
{
    snprintf(path, 2 * PATH_MAX, "%s/rank-%llu", state.work,
             (unsigned long long)process->head.world_rank);
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

/** Without a post-flush callback the writer adds no BufferFlush records of its own. */
static OTF2_Archive *create_archive(const char *directory, uint64_t chunk_size)
{
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    OTF2_Archive *archive =
        OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, chunk_size, 1 << 20,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

    if (archive && OTF2_Archive_SetSerialCollectiveCallbacks(archive) == OTF2_SUCCESS &&
        OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL) == OTF2_SUCCESS &&
        OTF2_Archive_SetCreator(archive, PACKAGE_STRING) == OTF2_SUCCESS)
        return archive;
    mpiot_recover_complain(directory, "cannot make an archive there");
    return NULL;
}

/** Cuts the streams of a process into an archive of their own, which has no definitions. */
static int cut_process(struct mpiot_recover_process *process)
{
    char directory[2 * PATH_MAX], target[2 * PATH_MAX + 64];
    int error = 0;

    cut_directory(directory, process);
    OTF2_Archive *archive = create_archive(directory, process->head.chunk_size);
    if (!archive || OTF2_Archive_Close(archive) != OTF2_SUCCESS)
        return -EIO;
    snprintf(target, sizeof target, "%s/traces", directory);
    if (mkdir(target, 0777) != 0 && errno != EEXIST) {
        error = -errno;
        mpiot_recover_complain(target, "%s", strerror(errno));
    }
    for (size_t i = 0; i < process->location_count && !error; i++) {
        struct mpiot_recover_location *location = &process->locations[i];
        snprintf(target, sizeof target, "%s/traces/%llu.evt", directory,
                 (unsigned long long)location->id);
        error = mpiot_recover_cut(process, location->id, target);
        location->empty = error == -ENODATA;
        if (location->empty)
            error = 0;
    }
    return error;
}

static int write_archive(OTF2_Archive *archive)
{
    int error = OTF2_Archive_OpenEvtFiles(archive) == OTF2_SUCCESS ? 0 : -EIO;

    for (size_t i = 0; i < state.job.process_count && !error; i++) {
        char directory[2 * PATH_MAX];
        cut_directory(directory, &state.job.processes[i]);
        error = mpiot_recover_copy(&state.job.processes[i], directory, archive);
    }
    if (!error && OTF2_Archive_CloseEvtFiles(archive) != OTF2_SUCCESS)
        error = -EIO;
    if (!error)
        error = mpiot_recover_define(&state.job, archive);
    if (OTF2_Archive_SetProperty(archive, "MPIOTRACE::MARK", "recovered", true) != OTF2_SUCCESS ||
        OTF2_Archive_Close(archive) != OTF2_SUCCESS)
        error = error ? error : -EIO;
    return error;
}

/** In a process of its own: OTF2 may crash on what is damaged. */
static int recover(void *argument)
{
    char new[PATH_MAX + 64];
    (void)argument;

    snprintf(new, sizeof new, "%s/new", state.work);
    OTF2_Archive *archive = create_archive(new, 4 << 20);
    int error = archive ? write_archive(archive) : -EIO;
    if (error)
        mpiot_recover_complain(state.job.directory, "cannot be recovered: %s", strerror(-error));
    else
        error = mpiot_recover_install(&state.job, new);
    if (error)
        return EXIT_NOT_RECOVERED;

    bool losses = state.job.losses;
    mpiot_recover_report(&state.job);
    for (size_t i = 0; i < state.job.process_count; i++)
        losses |= state.job.processes[i].damaged;
    printf("recovered: %s\n", state.job.directory);
    return losses ? EXIT_WITH_LOSSES : EXIT_RECOVERED;
}

static int run(const char *directory)
{
    int error = mpiot_recover_find(directory, &state.job);

    if (error == -EEXIST) {
        mpiot_recover_clean(state.job.directory);
        printf("%s: the archive is whole; there is nothing to recover\n", directory);
        return EXIT_RECOVERED;
    }
    if (error)
        return EXIT_NOT_RECOVERED;
    snprintf(state.work, sizeof state.work, "%s/" MPIOT_RECOVER_WORK, state.job.directory);
    error = mpiot_recover_remove(state.work);
    if (!error && mkdir(state.work, 0777) != 0) {
        error = -errno;
        mpiot_recover_complain(state.work, "%s", strerror(errno));
    }
    for (size_t i = 0; i < state.job.process_count && !error; i++)
        error = cut_process(&state.job.processes[i]);
    int status = error ? EXIT_NOT_RECOVERED
                       : mpiot_archive_guard(directory, recover, NULL, EXIT_NOT_RECOVERED);
    mpiot_recover_remove(state.work);
    return status;
}

static error_t parse_option(int key, char *text, struct argp_state *parser)
{
    const char **directory = parser->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (*directory)
            argp_failure(parser, EXIT_NOT_RECOVERED, 0, "%s: only one directory is allowed", text);
        *directory = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(parser, EXIT_NOT_RECOVERED, 0, "no directory given (see --help)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp parser = {
        .parser = parse_option,
        .args_doc = "DIRECTORY",
        .doc = "Make a normal archive of what a dead job left in DIRECTORY, or one of the archives "
               "of single ranks below it, and tell how each rank ended.\v"
               "Exit status: 0 recovered, or nothing to recover; 1 recovered, but something is "
               "damaged and left out; 2 not recovered, and nothing is changed.",
    };
    const char *directory = NULL;

    argp_program_version = PACKAGE_STRING;
    argp_err_exit_status = EXIT_NOT_RECOVERED;
    argp_parse(&parser, argc, argv, 0, NULL, &directory);
    int status = run(directory);
    mpiot_recover_release(&state.job);
    return status;
}
