/* SPDX-License-Identifier: BSD-3-Clause */
/** IoRegularFile definitions of this process, by path. Any thread may call. */
#ifndef MPIOT_RECORD_IO_FILE_H
#define MPIOT_RECORD_IO_FILE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * The definition of a file, with its file system and mount point as properties. Its scope is the
 * node where the file system is the node's own, unless processes on several nodes opened it
 * together.
 */
uint32_t mpiot_io_file_define(const char *path, bool spans_nodes);

/** The definition a delete refers to: the one the file was opened under, if it was. */
uint32_t mpiot_io_file_deleted(const char *path);

#endif
