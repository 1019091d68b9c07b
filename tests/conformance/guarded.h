/*
 * Buffers that notice what should not have happened: no page follows them, so reading too far
 * crashes, and bytes that are written next to them are found afterwards. All zero is an empty one.
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
 * below 64), and fills everything around it with a pattern. The vector itself holds another
 * pattern. What was placed before is gone. Ends the program when there is no memory. */
unsigned char *guarded_place(struct guarded *g, size_t len_bytes, size_t shift);

/* Is the pattern around the vector still there? */
bool guarded_intact(const struct guarded *g);

void guarded_free(struct guarded *g);

#endif
