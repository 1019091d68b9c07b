/*
 * sha256.h - SHA-256 of a contiguous buffer, for digests that nobody may be able to forge.
 * share-format/digest.h is faster and detects only accidental damage.
 */
#ifndef HAGG_SHA256_H
#define HAGG_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define SHA256_BYTES 32

int sha256_bytes(uint8_t digest[SHA256_BYTES], const void *bytes, size_t n, struct hagg_err *err);

#endif
