/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * mpiotrace: starts a program with the tracer preloaded.
 *
 * Stands behind mpirun, once per rank, so that it must be quick and must not get in the way: it
 * sets the environment and becomes the program. Its options are the rows of the configuration
 * table, checked by the same parsers.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/config.h"
#include "tools/linkage.h"

enum { EXIT_USAGE = 2, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127, MAX_OPTIONS = 32 };

static const char usage[] =
    "Usage: mpiotrace [OPTION]... PROGRAM [ARGUMENT]...\n"
    "Records what an MPI program does through MPI-IO as an OTF2 archive.\n"
    "\n"
    "    mpirun -n 4 mpiotrace ./app\n"
    "\n"
    "Options stop at the program; each has a variable that does the same.\n";

static const char more_options[] =
    "  --library=FILE\n"
    "      Preload this libmpiotrace.so: one built for another MPI library.\n"
    "  --help, --version\n";

static int fail(int status, const char *what, const char *why)
{
    fprintf(stderr, "mpiotrace: %s: %s\n", what, why);
    return status;
}

/** The library beside this program: installed, or in the build tree. */
static void find_library(char path[PATH_MAX])
{
    static const char *const places[] = {"/.libs/libmpiotrace.so", "/../.libs/libmpiotrace.so",
                                         "/../lib/libmpiotrace.so"};
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(candidate, sizeof candidate, "%s%s", self, places[i]);
        if (access(candidate, R_OK) == 0 && realpath(candidate, path))
            return;
    }
    snprintf(path, PATH_MAX, "%s/libmpiotrace.so", LIBDIR);
}

/** Sets a row's variable from its option, if its parser takes the value. */
static int set_option(const struct mpiot_setting *setting, const char *value)
{
    if (!setting->parse(value, setting->value)) {
        fprintf(stderr, "mpiotrace: --%s=%s is not allowed (%s)\n", setting->option, value,
                setting->allowed);
        return EXIT_USAGE;
    }
    setenv(setting->name, value, 1);
    return 0;
}

static void print_help(void)
{
    fputs(usage, stdout);
    fputc('\n', stdout);
    mpiot_config_print_help(stdout);
    fputs(more_options, stdout);
}

/** Reads the options; returns the index of the program, or exits. */
static int read_options(int argc, char **argv, char library[PATH_MAX])
{
    enum { OPT_HELP = 1000, OPT_VERSION, OPT_LIBRARY, OPT_MARKDOWN, OPT_MAN };
    struct option options[MAX_OPTIONS] = {0};
    int count, choice;
    const struct mpiot_setting *settings = mpiot_config_settings(&count);

    for (int i = 0; i < count; i++)
        options[i] = (struct option){settings[i].option, required_argument, NULL, i};
    options[count] = (struct option){"help", no_argument, NULL, OPT_HELP};
    options[count + 1] = (struct option){"version", no_argument, NULL, OPT_VERSION};
    options[count + 2] = (struct option){"library", required_argument, NULL, OPT_LIBRARY};
    /* For the documentation, which is made from the table too. */
    options[count + 3] = (struct option){"print-markdown", no_argument, NULL, OPT_MARKDOWN};
    options[count + 4] = (struct option){"print-man", no_argument, NULL, OPT_MAN};

    while ((choice = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
        switch (choice) {
        case 'h':
        case OPT_HELP:
            print_help();
            exit(EXIT_SUCCESS);
        case OPT_VERSION:
            puts(PACKAGE_STRING);
            exit(EXIT_SUCCESS);
        case OPT_MARKDOWN:
            mpiot_config_print_markdown(stdout);
            exit(EXIT_SUCCESS);
        case OPT_MAN:
            mpiot_config_print_man(stdout);
            exit(EXIT_SUCCESS);
        case OPT_LIBRARY:
            if (!realpath(optarg, library))
                exit(fail(EXIT_USAGE, optarg, strerror(errno)));
            break;
        case '?':
            fputs("mpiotrace: see mpiotrace --help\n", stderr);
            exit(EXIT_USAGE);
        default:
            if (set_option(&settings[choice], optarg) != 0)
                exit(EXIT_USAGE);
        }
    }
    return optind;
}

/** Puts the library before what is preloaded already. */
static void preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char *list = NULL;

    if (!others || !others[0])
        setenv("LD_PRELOAD", library, 1);
    else if (asprintf(&list, "%s:%s", library, others) >= 0)
        setenv("LD_PRELOAD", list, 1);
    free(list);
}

int main(int argc, char **argv)
{
    char library[PATH_MAX], why[512];

    find_library(library);
    int program = read_options(argc, argv, library);
    if (program == argc)
        return fail(EXIT_USAGE, "no program given", "see mpiotrace --help");
    if (access(library, R_OK) != 0)
        return fail(EXIT_USAGE, library, strerror(errno));
    if (mpiot_linkage_check(argv[program], library, why, sizeof why) != 0)
        return fail(EXIT_USAGE, argv[program], why);

    preload(library);
    execvp(argv[program], argv + program);
    return fail(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, argv[program],
                strerror(errno));
}
