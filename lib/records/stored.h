/*
 * stored.h - a record's payload put by to be read later: its place in a regular file, or, when it
 * came through a pipe, its elements.
 */
#ifndef HAGG_STORED_H
#define HAGG_STORED_H

#include "sharing/field.h"
#include "records/filecache.h"
#include "reader.h"

struct stored {
    size_t file; /* in the cache */
    struct payload *payload;
    unsigned char *elems; /* of a pipe, or NULL */
    size_t elem_size;
    uint64_t n_elems, at; /* at: how many were read again */
    size_t n_kept;        /* how many are in elems */
};

/* Remembers the place of the record that reader_next has found in this file of the cache. 1, or 0
 * when it is in no regular file and can be read only now. */
int stored_place(struct stored *s, size_t file, struct reader *r, struct hagg_err *err);

/* The same, and reads the elements into memory where it must. */
int stored_keep(struct stored *s, size_t file, struct reader *r, struct hagg_err *err);

/* The next n elements, which must be there, checked to be elements of the field. The digest has
 * been verified when the last one is read; a record without elements is verified by a read of none.
 */
int stored_read(struct stored *s, struct filecache *cache, const struct field *f, void *buf,
                size_t n, struct hagg_err *err);

/* The same, but adds them to sum; buf has room for n elements and holds nothing of use afterwards.
 * After a failure neither does sum. */
int stored_add(struct stored *s, struct filecache *cache, const struct field *f, void *sum,
               void *buf, size_t n, struct hagg_err *err);

/* Wipes. One that is all zero is fine. */
void stored_free(struct stored *s);

#endif
