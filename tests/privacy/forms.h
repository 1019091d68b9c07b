/*
 * forms.h - the messages of clients as linear forms in their vectors and their random values, and
 * what is learnt from such forms by eliminating all random values.
 */
#ifndef PRIVACY_FORMS_H
#define PRIVACY_FORMS_H

#include "instance.h"

/* The unknowns of a client: its random values, then its vector. */
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

/* By client and unknown: what is sent if it is 1 and all others are 0. */
struct forms_units {
    struct instance_cell of[INSTANCE_CLIENTS][FORMS_UNKNOWNS];
};

/* Runs the real client once for each of its unknowns, and a few more times to check that what it
 * sends is linear. HAGG_E_MISMATCH if it is not. */
int forms_measure(const struct instance *in, struct forms_units *units, struct hagg_err *err);

size_t forms_column_of_draw(size_t client, size_t i);
size_t forms_column_of_vector(size_t client, size_t i);

/* Returns the number of symbols of the vectors that are learnt from the forms, which are changed.
 * Sets *knows_sum to whether the sum of the vectors of the honest clients is learnt. */
size_t forms_learn(const struct instance *in, struct forms *f, unsigned colluders, bool *knows_sum);

#endif
