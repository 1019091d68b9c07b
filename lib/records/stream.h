/*
 * stream.h - goes through all records of a file.
 */
#ifndef HAGG_STREAM_H
#define HAGG_STREAM_H

#include "reader.h"

/* Calls take for every record of path, "-" for standard input, until one fails. A stream without
 * any record is an error: a client never sends one. */
int stream_each(const char *path, int (*take)(void *arg, struct reader *r, struct hagg_err *err),
                void *arg, struct hagg_err *err);

/* The same where a stream may have no record: a station or relay can have nothing to send. */
int stream_each_if_any(const char *path,
                       int (*take)(void *arg, struct reader *r, struct hagg_err *err), void *arg,
                       struct hagg_err *err);

#endif
