/*
 * vector_text.h - numbers as text, one per line, in the C locale, which all commands of hagg use.
 *
 * A '#' starts a comment. Lines without a number and white space around numbers are ignored. A
 * number is decimal or, for f4 and f8, nan, inf or infinity.
 */
#ifndef HAGG_VECTOR_TEXT_H
#define HAGG_VECTOR_TEXT_H

#include <stddef.h>

#include "err.h"

/* Enough for the longest line, such as "-2.2250738585072014e-308", with its newline and a NUL. */
#define VECTOR_TEXT_LINE 32

/* Parses len bytes of text, which is modified and must have room for one more byte. *data is
 * malloc'ed for the caller, even on failure, or NULL; *n_elems elements of it were written. A
 * number that does not fit the type is an error that names the line. Messages begin with the
 * name. */
int vector_text_parse(char *text, size_t len, const char *type, const char *name, void **data,
                      size_t *n_elems, struct hagg_err *err);

/* Writes one line per element until all n are written or out may have no room for another, and sets
 * *done to the number of elements written. Numbers have enough digits to be read back exactly.
 * Returns the number of bytes written. */
size_t vector_text_format(const void *elems, size_t n, const char *type, char *out, size_t size,
                          size_t *done);

#endif
