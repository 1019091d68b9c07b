/*
 * digest.h - XXH3-128 of a contiguous buffer, in its canonical big-endian form. It detects
 * accidental damage, not tampering.
 */
#ifndef HAGG_DIGEST_H
#define HAGG_DIGEST_H

#include <stddef.h>
#include <stdint.h>

void digest_bytes(uint8_t digest[16], const void *bytes, size_t n);

#endif
