/*
 * The plugin under test, loaded by path without any other code of hagg. A scheme is tested together
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
    const struct hagg_field *field;   /* NULL until the file is loaded and has this symbol */
    const struct hagg_scheme *scheme; /* likewise */
    struct hagg_param params[SUBJECT_MAX_PARAMS]; /* of the field */
    size_t n_params;
    struct hagg_param scheme_params[SUBJECT_MAX_PARAMS];
    size_t n_scheme_params;
    void *ctx;
    struct hagg_field_info info;
};

/* Opens path and finds which of the two symbols it has. Calls report_wrong on failure. */
bool subject_load(struct subject *s, const char *path);

/* Splits "key=value,key=value" into at most SUBJECT_MAX_PARAMS - 1 parameters. text is modified and
 * must outlive them. NULL means no parameters. Calls report_wrong on failure. */
bool subject_params(struct hagg_param *params, size_t *n_params, char *text);

/* Makes a context for the field. Calls report_wrong on failure. */
bool subject_init_field(struct subject *s);

void subject_free(struct subject *s);

/* Returns a new 16-byte aligned context for the field, to be freed by the caller. All its bytes are
 * fill, so that they are not zero by chance. */
void *subject_new_ctx(const struct subject *s, int fill);

/* Returns memory for n elements, filled with zeros. Exits if there is none. */
void *subject_vector(const struct subject *s, size_t n);

/* Arithmetic on single elements, as numbers below the order. A result that is not an element is
 * reported. */
uint64_t subject_add(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_sub(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_mul(const struct subject *s, uint64_t a, uint64_t b);
uint64_t subject_from_int(const struct subject *s, int64_t a);

/* True if the field has a member that was added after ABI 1 began. */
static inline bool subject_has_add_checked(const struct subject *s)
{
    return s->field->size >= offsetof(struct hagg_field, add_checked) + sizeof(void (*)(void)) &&
           s->field->add_checked;
}

/* The same for a scheme: it has parameters, or its shares have prefixes. */
static inline bool subject_has_prefixes(const struct subject *s)
{
    return s->scheme->size >= offsetof(struct hagg_scheme, matrix_with) + sizeof(void (*)(void)) &&
           s->scheme->shape_with;
}

/* Get and set element i of a vector. */
uint64_t subject_get(const struct subject *s, const void *vector, size_t i);
void subject_set(const struct subject *s, void *vector, size_t i, uint64_t element);

/* Fills a vector with random canonical elements; about one in four is the largest, zero or one. */
void subject_random(const struct subject *s, struct prng *g, void *out, size_t n);

/* Returns the largest number that fits into the bytes of an element. */
uint64_t subject_largest_word(const struct subject *s);

#endif
