/*
 * forms.h - what clients send as linear forms in their vectors and in what they draw, and what is
 * learnt from such forms when all draws are eliminated.
 */
#ifndef PRIVACY_FORMS_H
#define PRIVACY_FORMS_H

#include "instance.h"

/* Unknowns of a client: what it draws, then its vector. */
enum {
    FORMS_DRAWN = 24,
    FORMS_UNKNOWNS = FORMS_DRAWN + INSTANCE_LENGTH,
    FORMS_COLUMNS = INSTANCE_CLIENTS * FORMS_UNKNOWNS,
    FORMS_ROWS = 5 * INSTANCE_CLIENTS * INSTANCE_SECRETS * INSTANCE_STATIONS * INSTANCE_LENGTH,
};

struct forms {
    unsigned p;
    size_t n;
    uint8_t rows[FORMS_ROWS][FORMS_COLUMNS];
};

/* By client and unknown: what is sent when it is 1 and all others are 0. */
struct forms_units {
    struct instance_cell of[INSTANCE_CLIENTS][FORMS_UNKNOWNS];
};

/* Runs the real client once for each of its unknowns, and a few times more to see that what it
 * sends is linear. HAGG_E_MISMATCH if not. */
int forms_measure(const struct instance *in, struct forms_units *units, struct hagg_err *err);

size_t forms_column_of_draw(size_t client, size_t i);
size_t forms_column_of_vector(size_t client, size_t i);

/* How many symbols of the vectors are learnt from the forms, which are changed. *knows_sum is
 * whether the sum of the vectors of those who are not among the colluders is one of them. */
size_t forms_learn(const struct instance *in, struct forms *f, unsigned colluders, bool *knows_sum);

#endif
