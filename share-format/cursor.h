/*
 * cursor.h - takes typed CBOR items out of a buffer that may end too soon.
 *
 * Every function returns true and has moved on, or returns false with the cursor's state saying
 * why. Whoever calls stops at the first false.
 */
#ifndef HAGG_CURSOR_H
#define HAGG_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"
#include "head.h"

enum cursor_state {
    CURSOR_GOOD,
    CURSOR_MORE, /* the bytes end before the item does */
    CURSOR_BAD,  /* err is set */
};

struct cursor {
    const uint8_t *bytes;
    size_t n, at;
    enum cursor_state state;
    char field[LIMIT_NAME + 1]; /* of the header, what messages speak of */
    struct hagg_err *err;
};

/* Set the state and return false. */
bool cursor_more(struct cursor *c);
bool cursor_bad(struct cursor *c, const char *what);
bool cursor_no_memory(struct cursor *c);

/* The head of an item of this major type, its argument at most max. */
bool cursor_take(struct cursor *c, enum head_major major, uint64_t max, uint64_t *value);

bool cursor_u32(struct cursor *c, uint32_t *value);
bool cursor_float(struct cursor *c, double *value);
bool cursor_16_bytes(struct cursor *c, uint8_t *bytes, bool *has);

/* Printable ASCII into a buffer of max + 1 bytes, NUL terminated. */
bool cursor_text(struct cursor *c, char *text, size_t max);

/* The text that a map has as its next key, and no other. */
bool cursor_key(struct cursor *c, const char *key);

/* Text that is one of the names that name(0), name(1), ... give until NULL. */
bool cursor_choice(struct cursor *c, const char *(*name)(unsigned), unsigned *choice);

/* The count of an array whose items take at least a byte each: never more than bytes present. */
bool cursor_count(struct cursor *c, uint64_t max, size_t *count);

/* That many integers. *numbers is malloc'ed for the caller, also when this fails, or NULL. */
bool cursor_numbers(struct cursor *c, size_t count, uint32_t **numbers);

#endif
