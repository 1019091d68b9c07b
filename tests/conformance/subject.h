/*
 * The plugin under test, loaded by path without any of hagg's own code. A scheme is tested together
 * with a field.
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hagg/plugin.h>

#include "prng.h"

#define SUBJECT_MAX_PARAMS 16

struct subject {
    const char *path;
    const struct hagg_field *field;   /* NULL until the file has told that it is one */
    const struct hagg_scheme *scheme; /* likewise */
    struct hagg_param params[SUBJECT_MAX_PARAMS];
    size_t n_params;
    void *ctx;
    struct hagg_field_info info;
};

/* Opens path and finds which of the two symbols it has. On failure says so with report_wrong. */
bool subject_load(struct subject *s, const char *path);

/* Cuts "key=value,key=value" apart; text is changed and must stay. NULL means no parameters. */
bool subject_params(struct subject *s, char *text);

/* Gives the field a context. On failure says so with report_wrong. */
bool subject_init_field(struct subject *s);

void subject_free(struct subject *s);

/* A new 16-byte aligned context for the field, to be freed. Its bytes are fill, never zero by
 * chance. */
void *subject_new_ctx(const struct subject *s, int fill);

/* Memory for n elements, filled with zeros. Ends the program when there is none. */
void *subject_vector(const struct subject *s, size_t n);

/* Arithmetic on single elements, held as numbers below the order. A result that is none is
 * reported.
 */
uint64_t subject_add(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_sub(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_mul(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_from_int(const struct subject *s, int64_t a);

/* Whether the field has a member that came after ABI 1 began. */
static inline bool subject_has_add_checked(const struct subject *s)
{
    return s->field->size >= offsetof(struct hagg_field, add_checked) + sizeof(void (*)(void)) &&
           s->field->add_checked;
}

/* Element i of a vector, and how to set it. */
uint64_t subject_get(const struct subject *s, const void *vector, size_t i);
void subject_set(const struct subject *s, void *vector, size_t i, uint64_t element);

/* Fills a vector with canonical elements: random, every fourth or so the largest, zero or one. */
void subject_random(const struct subject *s, struct prng *g, void *out, size_t n);

/* The largest number that fits an element's bytes. */
uint64_t subject_largest_word(const struct subject *s);

#endif
