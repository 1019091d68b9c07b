/* The checks, one function a file; each reports through report_check. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct subject;

/* Of any plugin. False when it cannot be called at all, and nothing else may run. */
bool identity_run(struct subject *s);

/* Of a field that has not been given a context yet. False when nothing else may run. */
bool setup_run(struct subject *s);

/* Of a field with a context. */
void axioms_run(struct subject *s);
void vectors_run(struct subject *s);
void apply_run(struct subject *s);
void canonical_run(struct subject *s);
void checked_run(struct subject *s);
void sampling_run(struct subject *s);
void integers_run(struct subject *s);
void repeat_run(struct subject *s);

/* Words that are not canonical: at the edge, all ones, and each single bit beyond the order. Fills
 * out and returns how many. */
#define CANONICAL_WRONG_WORDS 66
size_t canonical_wrong_words(const struct subject *s, uint64_t *out);

/* Of a scheme, over a field with a context. */
void sharing_run(struct subject *s);

#endif
