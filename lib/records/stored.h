/*
 * stored.h - the payload of a record, to be read later: its position in a regular file or, if it
 * arrived through a pipe, a copy of its elements; or a seed.
 */
#ifndef HAGG_STORED_H
#define HAGG_STORED_H

#include "sharing/field.h"
#include "records/filecache.h"
#include "reader.h"

struct stored {
    size_t file; /* in the cache */
    struct payload *payload;
    unsigned char *elems; /* the copy, or NULL */
    uint8_t *seed;        /* that the elements are the expansion of, or NULL */
    size_t elem_size;
    uint64_t n_elems,
        at;        /* number of elements, and how many were read by stored_read or stored_add */
    size_t n_kept; /* elements in the copy */
};

/* Stores the position of the reader's current record, which is in this file of the cache.
 * Returns 1, or 0 if the input is not a regular file, so that the payload must be read now; -1
 * on failure. */
int stored_place(struct stored *s, size_t file, struct reader *r, struct hagg_err *err);

/* The same, but copies the elements into memory if the input is not a regular file. */
int stored_keep(struct stored *s, size_t file, struct reader *r, struct hagg_err *err);

/* Reads a record with a seed, and stores the seed in place of the n elements of its expansion,
 * which are made when they are read. */
int stored_seed(struct stored *s, size_t file, struct reader *r, size_t elem_size, uint64_t n,
                struct hagg_err *err);

/* Stores n zeros, as if they had come from this file of the cache. */
int stored_zeros(struct stored *s, size_t file, size_t elem_size, uint64_t n, struct hagg_err *err);

/* Reads the next n elements, which must exist, and checks that they are elements of the field.
 * Reading the last element verifies the digest; for a record without elements, reading 0 elements
 * does. */
int stored_read(struct stored *s, struct filecache *cache, const struct field *f, void *buf,
                size_t n, struct hagg_err *err);

/* The same, but adds the elements to sum. buf has room for n elements; its content is undefined
 * afterwards. After a failure that of sum is undefined too. */
int stored_add(struct stored *s, struct filecache *cache, const struct field *f, void *sum,
               void *buf, size_t n, struct hagg_err *err);

/* Wipes the copy. s may be all zero. */
void stored_free(struct stored *s);

#endif
