/*
 * quote.h - quotes names and words for the shell and for make.
 */
#ifndef HAGG_ROUND_QUOTE_H
#define HAGG_ROUND_QUOTE_H

#include "err.h"
#include "round/step.h"
#include "base/text.h"

/* Shell text below may contain settings. Each is a mark that the functions quote_script,
 * quote_recipe and quote_here replace by a variable of the script. */

/* Quotes a word of a step. */
void quote_word(struct text *out, const struct step_word *word);

/* All words of a step, separated by spaces. */
void quote_command(struct text *out, const struct step *s);

/* The same for a program that does not know which files exist: the command runs only if one of the
 * step's outputs is missing, unless the layer runs always. */
void quote_job(struct text *out, const struct step_layer *l, const struct step *s);

/* Appends shell text as it is in a script. */
void quote_script(struct text *out, const char *shell_text);

/* Appends shell text, escaped for a variable of make. */
void quote_recipe(struct text *out, const char *shell_text);

/* Appends shell text, escaped for a here-document in which the shell replaces variables. */
void quote_here(struct text *out, const char *shell_text);

/* Appends a file name, escaped for a rule of make. HAGG_E_USAGE for a name that make cannot
 * represent. EQUALS must be a variable of make whose value is "=". */
int quote_make_name(struct text *out, const char *name, struct hagg_err *err);

#endif
