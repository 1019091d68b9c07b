/*
 * Buffers that detect accesses out of bounds. The page after them is not accessible, so reading too
 * far crashes, and bytes written next to them are detected afterwards. An all-zero struct is empty.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>

struct guarded {
    unsigned char *map;
    size_t map_bytes; /* writable; the page after them is not accessible */
    unsigned char *data;
    size_t len_bytes;
};

/* Places a vector of len_bytes so that it ends shift bytes before the inaccessible page (shift
 * below 64), fills it with a pattern, and everything around it with another. Replaces the previous
 * vector. Exits if there is no memory. */
unsigned char *guarded_place(struct guarded *g, size_t len_bytes, size_t shift);

/* True if the pattern around the vector is unchanged. */
bool guarded_intact(const struct guarded *g);

void guarded_free(struct guarded *g);

#endif
