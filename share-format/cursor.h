/*
 * cursor.h - reads typed CBOR items from a buffer that may end too soon.
 *
 * Every function advances the cursor and returns true, or sets the cursor's state to the reason and
 * returns false. The caller stops at the first false.
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
    char field[LIMIT_NAME + 1]; /* the current key of the header, for messages */
    struct hagg_err *err;
};

/* Set the state and return false. */
bool cursor_more(struct cursor *c);
bool cursor_bad(struct cursor *c, const char *what);
bool cursor_bad_key(struct cursor *c);
bool cursor_no_memory(struct cursor *c);

/* Reads the head of an item of this major type, with an argument of at most max. */
bool cursor_take(struct cursor *c, enum head_major major, uint64_t max, uint64_t *value);

bool cursor_u32(struct cursor *c, uint32_t *value);
bool cursor_float(struct cursor *c, double *value);

/* Reads a byte string of exactly n bytes. */
bool cursor_bytes(struct cursor *c, uint8_t *bytes, size_t n, bool *has);

/* Reads printable ASCII into a buffer of max + 1 bytes, NUL terminated. */
bool cursor_text(struct cursor *c, char *text, size_t max);

/* Reads the next key of a map, which must be this one. */
bool cursor_key(struct cursor *c, const char *key);

/* Reads text that must be one of name(0), name(1), ...; the first NULL ends the list. */
bool cursor_choice(struct cursor *c, const char *(*name)(unsigned), unsigned *choice);

/* Reads the count of an array. Each item has at least one byte, so a count larger than the number
 * of bytes present is refused. */
bool cursor_count(struct cursor *c, uint64_t max, size_t *count);

/* Reads count integers. *numbers is malloc'ed for the caller, even on failure, or NULL. */
bool cursor_numbers(struct cursor *c, size_t count, uint32_t **numbers);

#endif
