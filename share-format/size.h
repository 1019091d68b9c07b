/*
 * size.h - the size of a record in bytes, computed without writing it.
 */
#ifndef HAGG_SIZE_H
#define HAGG_SIZE_H

#include "seal.h"

/* The bytes of n_elems elements of elem_size bytes, before they are sealed. */
uint64_t size_elems(size_t elem_size, uint64_t n_elems);

/* The bytes of a record apart from its header, with n_bytes bytes of elements: the tag, heads,
 * elements or sealed chunks, and the digest. */
uint64_t size_without_header(size_t elem_size, uint64_t n_bytes, bool sealed);

/* The bytes of a record whose header header_check accepts. Of a seed, the elements are its bytes.
 */
uint64_t size_record(const struct header *h, size_t elem_size, uint64_t n_elems, bool sealed);

#endif
