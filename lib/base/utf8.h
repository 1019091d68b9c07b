/*
 * utf8.h - checks UTF-8.
 */
#ifndef HAGG_UTF8_H
#define HAGG_UTF8_H

#include <stddef.h>

/* Returns the length in bytes of the UTF-8 character at s, which ends with NUL, or 0 if there is no
 * valid one. */
size_t utf8_length(const char *s);

#endif
