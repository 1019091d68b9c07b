/*
 * html.h - text in HTML: escaped strings, and numbers for people.
 */
#ifndef HAGG_HTML_H
#define HAGG_HTML_H

#include <stdint.h>

#include "base/text.h"

/* Appends a string, with all characters escaped that have a meaning in text or in an attribute.
 * Bytes that are not UTF-8, control characters, line separators and characters that change the
 * direction of the text become U+FFFD. */
void html_string(struct text *text, const char *s);

/* "1,234,567"; UINT64_MAX means that many or more. */
void html_count(struct text *text, uint64_t n);

/* "1 client", "1,200 clients" */
void html_counted(struct text *text, uint64_t n, const char *one);

#endif
