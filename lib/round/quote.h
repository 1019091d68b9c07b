/*
 * quote.h - names and words in the languages that a round is written in.
 */
#ifndef HAGG_ROUND_QUOTE_H
#define HAGG_ROUND_QUOTE_H

#include "err.h"
#include "round/step.h"
#include "base/text.h"

/* Appends what a shell reads as this text, in one word. No character may be a control character. */
void quote_shell(struct text *out, const char *text);

/* The same for a word of a step. */
void quote_word(struct text *out, const struct step_word *word);

/* All words of a step, with spaces between them. */
void quote_command(struct text *out, const struct step *s);

/* What goes before a command that must not run when all its outputs are there. */
void quote_unless_there(struct text *out, const struct step *s);

/* Appends text that is for the shell as a recipe of make has it. */
void quote_recipe(struct text *out, const char *shell_text);

/* Appends a file's name as a rule of make has it. HAGG_E_USAGE for one that make has no way to
 * write. EQUALS must be a variable of make whose value is "=". */
int quote_make_name(struct text *out, const char *name, struct hagg_err *err);

#endif
