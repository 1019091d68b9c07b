/*
 * text.h - text that grows.
 */
#ifndef HAGG_TEXT_H
#define HAGG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins all zero. When memory runs out the text stays as it is and text_ok turns false, so that
 * only whoever uses the result has to ask. */
struct text {
    char *bytes; /* NUL terminated, or NULL while nothing was added */
    size_t len, capacity;
    bool failed;
};

void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forgets the content and keeps the memory. */
void text_reset(struct text *t);

bool text_ok(const struct text *t);

void text_free(struct text *t);

/* Two hexadecimal digits a byte. */
void text_hex(struct text *t, const uint8_t *bytes, size_t n);

#endif
