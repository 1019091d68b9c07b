/*
 * stream.h - calls a function for every record of a file.
 */
#ifndef HAGG_STREAM_H
#define HAGG_STREAM_H

#include "reader.h"

enum {
    /* Accept a stream without records: a station or relay can have nothing to send. Otherwise it is
     * an error, because a client never sends one. */
    STREAM_EMPTY = 1,
    /* Accept records of any kind. Otherwise rosters and data are HAGG_E_MISMATCH, so that visit
     * gets only records with a vector. */
    STREAM_ANY_KIND = 2,
};

/* Calls visit for every record of path until a call fails. "-" is standard input. accept is a sum
 * of the values above. The opener may be NULL; see reader.h. */
int stream_each(const char *path, unsigned accept, struct opener *opener,
                int (*visit)(void *arg, struct reader *r, struct hagg_err *err), void *arg,
                struct hagg_err *err);

#endif
