/*
 * payload.h - the payload of one record in a regular file, to be read block by block between the
 * blocks of other records.
 *
 * Holds no file open and no buffer: some hundred bytes a record, so that thousands of records can
 * be added up side by side.
 */
#ifndef HAGG_PAYLOAD_H
#define HAGG_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct payload;

/* NULL is fine. */
void payload_free(struct payload *p);

/* The next elements, read from fd, which is open on the record's file; its position is neither used
 * nor moved. Fewer than max_elems only at the end, where the digest has been verified; *n_elems =
 * 0: the end. */
int payload_read(struct payload *p, int fd, void *buf, size_t max_elems, size_t *n_elems,
                 struct hagg_err *err);

#endif
