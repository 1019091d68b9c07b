/*
 * shell.h - quotes words for the shell.
 */
#ifndef HAGG_SHELL_H
#define HAGG_SHELL_H

#include "base/text.h"

/* Appends the text quoted as one word for the shell. It must not contain control characters. */
void shell_quote(struct text *out, const char *text);

#endif
