/*
 * seed.h - reads a record that has a seed instead of its elements.
 */
#ifndef HAGG_SEED_H
#define HAGG_SEED_H

#include "reader.h"

/* Reads the seed of the reader's current record and verifies the digest of the record. The seed is
 * secret. */
int seed_read(struct reader *r, uint8_t seed[HEADER_SEED_BYTES], struct hagg_err *err);

#endif
