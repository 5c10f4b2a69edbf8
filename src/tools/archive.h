/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Reading an OTF2 archive, for the tools: one clear line where that fails.
 *
 * OTF2 prints several lines of its own per error; they are caught, and the first of them is the
 * reason that is reported. One archive and one thread at a time.
 *
 * Functions that return int return 0, or a negative errno after they have printed why.
 */
#ifndef MPIOT_TOOLS_ARCHIVE_H
#define MPIOT_TOOLS_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpiot_archive {
    OTF2_Reader *reader;
    char *path; /**< of the anchor file */
};

/** Opens the archive at `path`: the anchor file, or the directory that has it as traces.otf2. */
int mpiot_archive_open(struct mpiot_archive *archive, const char *path);
void mpiot_archive_close(struct mpiot_archive *archive);

/** Prints "<program>: <anchor file>: <what>: <reason OTF2 gave>". */
void mpiot_archive_complain(const struct mpiot_archive *archive, const char *what);

/** Reads all global definitions; `*read` is their number. */
int mpiot_archive_read_definitions(struct mpiot_archive *archive,
                                   const OTF2_GlobalDefReaderCallbacks *callbacks, void *user,
                                   uint64_t *read);

/**
 * Makes the events of these locations readable: references will be translated by the locations'
 * mapping tables, times corrected by their clock offsets. For tools that read location by location;
 * once per archive, after the definitions. OTF2 takes no location for all.
 */
int mpiot_archive_open_events(struct mpiot_archive *archive, const OTF2_LocationRef *locations,
                              size_t count);

/**
 * Reads the events of these locations in order of time; `*read` is their number. References are
 * translated by the locations' mapping tables, times corrected by their clock offsets. To be
 * called once per archive, after the definitions.
 */
int mpiot_archive_read_events(struct mpiot_archive *archive, const OTF2_LocationRef *locations,
                              size_t count, const OTF2_GlobalEvtReaderCallbacks *callbacks,
                              void *user, uint64_t *read);

/** Who says to have written it, and its property MPIOTRACE::MARK; malloc'ed, "" if not there. */
char *mpiot_archive_creator(const struct mpiot_archive *archive);
char *mpiot_archive_marks(const struct mpiot_archive *archive);

/** Whether the archive's property MPIOTRACE::MARK has this word (man page, "Marks"). */
bool mpiot_archive_is_marked(const struct mpiot_archive *archive, const char *word);

/** Whether the archive says that mpiotrace made it. */
bool mpiot_archive_is_own(const struct mpiot_archive *archive);

/**
 * Runs `work` in a child process and returns what it returned (0 to 255): OTF2 does not check what
 * it reads against the end of its buffers, so that a damaged archive may crash it. That is reported
 * as damage of the archive at `path`, and `damaged` is returned.
 */
int mpiot_archive_guard(const char *path, int (*work)(void *argument), void *argument, int damaged);

#endif
