/*
 * digest.h - XXH3-128 of bytes in one piece, in its canonical big-endian form. It finds accidents;
 * it is no defence against people.
 */
#ifndef HAGG_DIGEST_H
#define HAGG_DIGEST_H

#include <stddef.h>
#include <stdint.h>

void digest_bytes(uint8_t digest[16], const void *bytes, size_t n);

#endif
