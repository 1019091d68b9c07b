#include "forms.h"

#include <string.h>

size_t forms_column_of_draw(size_t client, size_t i)
{
    return client * FORMS_DRAWN + i;
}

size_t forms_column_of_vector(size_t client, size_t i)
{
    return INSTANCE_CLIENTS * FORMS_DRAWN + client * INSTANCE_LENGTH + i;
}

/* The input whose element `at` is 1 and all others are 0; all are 0 if at is beyond the last. */
static size_t unit_input(const struct instance *in, size_t at)
{
    size_t n_values = 2 * in->max_int + 1, number = 0;

    for (size_t i = in->length; i-- > 0;)
        number = number * n_values + in->max_int + (i == at);
    return number;
}

/* Adds a multiple of a cell. */
static void add_cell(unsigned p, struct instance_cell *sum, unsigned factor,
                     const struct instance_cell *cell)
{
    uint8_t *to = &sum->shares[0][0][0];
    const uint8_t *from = &cell->shares[0][0][0];

    for (size_t i = 0; i < sizeof sum->shares; i++)
        to[i] = (uint8_t)((to[i] + factor * from[i]) % p);
    for (size_t i = 0; i < sizeof sum->key; i++)
        sum->key[i] = (uint8_t)((sum->key[i] + factor * cell->key[i]) % p);
}

/* Tries a few values of all unknowns at once. */
static int check_linear(const struct instance *in, size_t client,
                        const struct instance_cell units[FORMS_UNKNOWNS], struct hagg_err *err)
{
    const struct instance_client *c = &in->clients[client];

    for (size_t try = 0; try < 8; try++) {
        size_t point = (size_t)(UINT64_C(0x9e3779b97f4a7c15) * (try + 1) % c->n_points);
        size_t input = try * 7 % in->n_inputs, rest = point;
        struct instance_cell cell, sum = { 0 };

        for (size_t i = 0; i < c->n_digits; i++, rest /= in->p)
            add_cell(in->p, &sum, (unsigned)(rest % in->p), &units[i]);
        for (size_t i = 0; i < in->length; i++)
            add_cell(in->p, &sum, ((unsigned)instance_input(in, input, i) + in->p) % in->p,
                     &units[FORMS_DRAWN + i]);
        if (instance_send(in, client, input, point, &cell, err))
            return -1;
        if (memcmp(&cell, &sum, sizeof sum))
            return err_set(err, HAGG_E_MISMATCH, "client %u is not linear", c->number);
    }
    return 0;
}

static int measure_client(const struct instance *in, size_t client,
                          struct instance_cell units[FORMS_UNKNOWNS], struct hagg_err *err)
{
    static const struct instance_cell none;
    const struct instance_client *c = &in->clients[client];
    struct instance_cell cell;
    size_t point = 1;

    if (c->n_digits > FORMS_DRAWN || in->length > INSTANCE_LENGTH)
        return err_set(err, HAGG_E_USAGE, "client %u draws too much", c->number);
    if (instance_send(in, client, unit_input(in, in->length), 0, &cell, err))
        return -1;
    if (memcmp(&cell, &none, sizeof cell))
        return err_set(err, HAGG_E_MISMATCH, "client %u makes something of nothing", c->number);
    for (size_t i = 0; i < c->n_digits; i++, point *= in->p)
        if (instance_send(in, client, unit_input(in, in->length), point, &units[i], err))
            return -1;
    for (size_t i = 0; i < in->length; i++)
        if (instance_send(in, client, unit_input(in, i), 0, &units[FORMS_DRAWN + i], err))
            return -1;
    return check_linear(in, client, units, err);
}

int forms_measure(const struct instance *in, struct forms_units *units, struct hagg_err *err)
{
    memset(units, 0, sizeof *units);
    for (size_t i = 0; i < in->n_clients; i++)
        if (measure_client(in, i, units->of[i], err))
            return -1;
    return 0;
}

/* Brings the rows from begin on into echelon form in the columns from .. to. Returns the first row
 * without a leading entry there. */
static size_t eliminate(struct forms *f, size_t begin, size_t from, size_t to)
{
    for (size_t c = from; c < to && begin < f->n; c++) {
        uint8_t kept[FORMS_COLUMNS];
        size_t pivot = begin;
        unsigned inverse = 1;

        while (pivot < f->n && f->rows[pivot][c] == 0)
            pivot++;
        if (pivot == f->n)
            continue;
        memcpy(kept, f->rows[pivot], sizeof kept);
        memcpy(f->rows[pivot], f->rows[begin], sizeof kept);
        memcpy(f->rows[begin], kept, sizeof kept);
        while (inverse * kept[c] % f->p != 1)
            inverse++;
        for (size_t i = begin + 1; i < f->n; i++) {
            unsigned factor = f->p - f->rows[i][c] * inverse % f->p;

            for (size_t j = c; factor < f->p && j < FORMS_COLUMNS; j++)
                f->rows[i][j] = (uint8_t)((f->rows[i][j] + factor * kept[j]) % f->p);
        }
        begin++;
    }
    return begin;
}

size_t forms_learn(const struct instance *in, struct forms *f, unsigned colluders, bool *knows_sum)
{
    size_t vectors = INSTANCE_CLIENTS * FORMS_DRAWN;
    size_t first = eliminate(f, 0, 0, vectors);
    size_t learnt = eliminate(f, first, vectors, FORMS_COLUMNS) - first;

    /* the sum was learnt if adding it does not increase the rank */
    f->n = first + learnt + in->length;
    for (size_t e = 0; e < in->length; e++) {
        uint8_t *row = f->rows[first + learnt + e];

        memset(row, 0, FORMS_COLUMNS);
        for (size_t i = 0; i < in->n_clients; i++)
            row[forms_column_of_vector(i, e)] = !(colluders >> i & 1);
    }
    *knows_sum = eliminate(f, first, vectors, FORMS_COLUMNS) - first == learnt;
    return learnt;
}
