/*
 * uniform_record.h - a record whose payload is fresh: a key, a mask.
 */
#ifndef HAGG_UNIFORM_RECORD_H
#define HAGG_UNIFORM_RECORD_H

#include "field.h"
#include "progress.h"
#include "random.h"
#include "writer.h"

/* Writes the header and n uniform elements. The progress, which may be NULL, is told of them. */
int uniform_record(struct writer *w, const struct header *h, const struct field *f, uint64_t n,
                   struct random *random, struct progress *progress, struct hagg_err *err);

#endif
