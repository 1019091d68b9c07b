/* The rank of a small matrix over the field under test. */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>
#include <stdint.h>

struct subject;

/* Returns the rank. Eliminates in place; the entries are elements as numbers, row by row. */
size_t rank_of(const struct subject *s, uint64_t *matrix, size_t n_rows, size_t n_cols);

#endif
