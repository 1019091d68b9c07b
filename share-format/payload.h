/*
 * payload.h - the payload of one record in a regular file, read block by block, interleaved with
 * other records.
 *
 * A payload keeps no file open and has no buffer. It takes some hundred bytes per record, so that
 * thousands of records can be added up at the same time.
 */
#ifndef HAGG_PAYLOAD_H
#define HAGG_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct payload;

/* p may be NULL. */
void payload_free(struct payload *p);

/* Reads the next elements from fd, which is open on the record's file; the file position is neither
 * used nor changed. Reads fewer than max_elems only at the end, when the digest has been verified.
 * *n_elems = 0 at the end. */
int payload_read(struct payload *p, int fd, void *buf, size_t max_elems, size_t *n_elems,
                 struct hagg_err *err);

#endif
