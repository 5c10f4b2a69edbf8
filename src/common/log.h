/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Messages to the user: one line each on stderr, written with a single write(2), so that lines of
 * different processes do not mix. The function that detects a failure logs it, once.
 *
 * Any thread may call, also before mpiot_log_set_rank. errno is preserved. Format as printf.
 */
#ifndef MPIOT_COMMON_LOG_H
#define MPIOT_COMMON_LOG_H

/** Prefix of later messages becomes "mpiotrace: rank N: "; before it is "mpiotrace: ". */
void mpiot_log_set_rank(int rank);

/** What the user must know: something is lost, or an input was wrong. */
void mpiot_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Worth knowing, nothing lost; shown with MPIOTRACE_VERBOSE >= 1. */
void mpiot_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** For whoever debugs the tracer; shown with MPIOTRACE_VERBOSE >= 2. */
void mpiot_log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
