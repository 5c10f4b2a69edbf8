/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/archive.h"
#include "tools/report_events.h"
#include "tools/report_html.h"
#include "tools/report_model.h"
#include "tools/report_options.h"
#include "tools/report_text.h"

/** An option that leaves nothing in is a mistake more often than not. */
static int no_rank(void)
{
    fprintf(stderr, "%s: --ranks=%s: no such rank in %s\n", program_invocation_short_name,
            mpiot_report_options.ranks_text, mpiot_report_options.path);
    return MPIOT_REPORT_UNREADABLE;
}

static int print(void)
{
    static void (*const forms[])(void) = {
        [MPIOT_FORM_TEXT] = mpiot_report_print_text,
        [MPIOT_FORM_JSON] = mpiot_report_print_json,
        [MPIOT_FORM_CSV] = mpiot_report_print_csv,
    };

    if (!mpiot_model.accesses && !mpiot_model.errors && mpiot_model.file_count == 0) {
        fprintf(stderr, "%s: %s: no I/O records\n", program_invocation_short_name,
                mpiot_report_options.path);
        return MPIOT_REPORT_NOTHING;
    }
    if (mpiot_report_options.html && mpiot_report_write_html(mpiot_report_options.html) != 0)
        return MPIOT_REPORT_UNREADABLE;
    forms[mpiot_report_options.form]();
    errno = EIO; /* where an earlier write failed */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return MPIOT_REPORT_DONE;
    fprintf(stderr, "%s: cannot print the report: %s\n", program_invocation_short_name,
            strerror(errno));
    return MPIOT_REPORT_UNREADABLE;
}

/** The whole report, in a process of its own: see mpiot_archive_guard. */
static int report(void *argument)
{
    struct mpiot_archive archive;

    (void)argument;
    if (mpiot_archive_open(&archive, mpiot_report_options.path) != 0)
        return MPIOT_REPORT_UNREADABLE;
    int error = mpiot_report_read_definitions(&archive);
    if (!error) {
        mpiot_options_set_clock();
        mpiot_model_start(&archive);
        if (mpiot_model.rank_count == 0 && mpiot_report_options.ranks)
            return no_rank();
        error = mpiot_report_read_events(&archive);
    }
    mpiot_archive_close(&archive);
    return error ? MPIOT_REPORT_UNREADABLE : print();
}

int main(int argc, char **argv)
{
    mpiot_options_parse(argc, argv);
    return mpiot_archive_guard(mpiot_report_options.path, report, NULL, MPIOT_REPORT_UNREADABLE);
}
