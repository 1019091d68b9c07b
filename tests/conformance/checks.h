/* The checks, one function per file; each reports through report_check. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct subject;

/* For any plugin. False if it cannot be called at all; then nothing else may run. */
bool identity_run(struct subject *s);

/* For a field without a context. False if nothing else may run. */
bool setup_run(struct subject *s);

/* For a field with a context. */
void axioms_run(struct subject *s);
void vectors_run(struct subject *s);
void apply_run(struct subject *s);
void canonical_run(struct subject *s);
void checked_run(struct subject *s);
void sampling_run(struct subject *s);
void integers_run(struct subject *s);
void repeat_run(struct subject *s);

/* Fills out with words that are not canonical: at the edge, all ones, and each single bit beyond
 * the order. Returns their number. */
#define CANONICAL_WRONG_WORDS 66
size_t canonical_wrong_words(const struct subject *s, uint64_t *out);

/* For a scheme, over a field with a context. */
void sharing_run(struct subject *s);

/* For a scheme with shape_with, after the checks of every scheme. */
void prefixes_run(struct subject *s);

#endif
