/*
 * stream.h - calls a function for every record of a file.
 */
#ifndef HAGG_STREAM_H
#define HAGG_STREAM_H

#include "reader.h"

/* Calls visit for every record of path until a call fails. "-" is standard input. A stream without
 * records is an error, because a client never sends one. A roster is HAGG_E_MISMATCH, so that visit
 * gets only records with a vector: vectors, shares and transfers. */
int stream_each(const char *path, int (*visit)(void *arg, struct reader *r, struct hagg_err *err),
                void *arg, struct hagg_err *err);

/* The same, but visit gets rosters too. */
int stream_each_any_kind(const char *path,
                         int (*visit)(void *arg, struct reader *r, struct hagg_err *err), void *arg,
                         struct hagg_err *err);

/* As stream_each, but a stream without records is accepted: a station or relay can have nothing to
 * send. */
int stream_each_if_any(const char *path,
                       int (*visit)(void *arg, struct reader *r, struct hagg_err *err), void *arg,
                       struct hagg_err *err);

/* The same, but visit gets rosters too. */
int stream_each_any_kind_if_any(const char *path,
                                int (*visit)(void *arg, struct reader *r, struct hagg_err *err),
                                void *arg, struct hagg_err *err);

#endif
