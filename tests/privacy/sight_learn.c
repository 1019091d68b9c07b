#include "sight_learn.h"

#include <string.h>

size_t sight_learn(const struct instance *in, const struct forms_units *units,
                   const struct sight_observer *who, bool *knows_sum)
{
    static struct forms f;
    static struct sight s;

    sight_collect(in, who, &s);
    if (s.n > SIGHT_MOST || s.n + in->length > FORMS_ROWS)
        return SIZE_MAX;
    memset(&f, 0, sizeof f);
    f.p = in->p;
    for (; f.n < s.n; f.n++)
        for (size_t i = 0; i < in->n_clients; i++) {
            uint8_t *row = f.rows[f.n];

            for (size_t j = 0; j < in->clients[i].n_digits; j++)
                row[forms_column_of_draw(i, j)] = sight_term(&s.sums[f.n], i, &units->of[i][j]);
            for (size_t j = 0; j < in->length; j++)
                row[forms_column_of_vector(i, j)] =
                    sight_term(&s.sums[f.n], i, &units->of[i][FORMS_DRAWN + j]);
        }
    return forms_learn(in, &f, who->clients, knows_sum);
}
