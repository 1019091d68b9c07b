/*
 * text.h - a growing string.
 */
#ifndef HAGG_TEXT_H
#define HAGG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise to all zero. When memory runs out, the text stays as it is and text_ok returns false
 * from then on, so it is enough to check once, before the text is used. */
struct text {
    char *bytes; /* NUL-terminated; NULL until something is added */
    size_t len, capacity;
    bool failed;
};

void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a character and a decimal number: "%c%llu", in a tenth of the time. */
void text_number(struct text *t, char before, uint64_t number);

/* Discards the content and keeps the memory. */
void text_reset(struct text *t);

bool text_ok(const struct text *t);

void text_free(struct text *t);

/* Appends two hexadecimal digits per byte. */
void text_hex(struct text *t, const uint8_t *bytes, size_t n);

/* Appends words, which end with NULL, as in "a, b or c". */
void text_choices(struct text *t, const char *const *words);

/* Parses exactly 2 n hexadecimal digits. Returns -1 for anything else. */
int text_unhex(uint8_t *bytes, size_t n, const char *digits);

#endif
