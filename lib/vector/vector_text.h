/*
 * vector_text.h - numbers as text, one a line, in the C locale, which no command of hagg leaves.
 *
 * What follows a '#' is a comment; lines without a number, and white space around one, do not
 * count. A number is decimal, or for f4 and f8 also nan, inf or infinity.
 */
#ifndef HAGG_VECTOR_TEXT_H
#define HAGG_VECTOR_TEXT_H

#include <stddef.h>

#include "err.h"

/* Bytes of the longest line, its newline and a NUL: "-2.2250738585072014e-308". */
#define VECTOR_TEXT_LINE 32

/* Takes the numbers out of len bytes of text, which is changed on the way and needs one byte to
 * spare behind its end. *data is malloc'ed for the caller, also when this fails, or NULL; *n_elems
 * of it were written. A number that does not fit the type is an error that names the line. Messages
 * begin with the name. */
int vector_text_parse(char *text, size_t len, const char *type, const char *name, void **data,
                      size_t *n_elems, struct hagg_err *err);

/* Writes lines for the first of n packed elements, until all are done or out has no room for
 * another, and says in *done how many. A number has as many digits as it takes to be read back the
 * same. Returns the bytes written. */
size_t vector_text_format(const void *elems, size_t n, const char *type, char *out, size_t size,
                          size_t *done);

#endif
