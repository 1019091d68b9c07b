/*
 * digest_mutator.h - corrects the digests of a stream and, if TOY_SEAL is defined and tags is true,
 * the tags of the sealed chunks.
 */
#ifndef HAGG_DIGEST_MUTATOR_H
#define HAGG_DIGEST_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void mend(uint8_t *data, size_t size, bool tags);

#endif
