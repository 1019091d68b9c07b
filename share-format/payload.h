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

/* Another one of the same record, to be read as well. NULL for lack of memory. */
struct payload *payload_copy(const struct payload *p);

/* The digest as it stands in the file, of a payload that was not read yet, and so unverified.
 * Reading fails if the record has another one by then, also if it is the right one of what is there
 * then. */
int payload_digest(struct payload *p, int fd, uint8_t digest[16], struct hagg_err *err);

/* NULL is fine. */
void payload_free(struct payload *p);

/* The next elements, read from fd, which is open on the record's file; its position is neither used
 * nor moved. Fewer than max_elems only at the end, where the digest has been verified; *n_elems =
 * 0: the end. */
int payload_read(struct payload *p, int fd, void *buf, size_t max_elems, size_t *n_elems,
                 struct hagg_err *err);

#endif
