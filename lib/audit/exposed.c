#include "audit/exposed.h"

#include <stdlib.h>
#include <string.h>

static size_t first_column(const struct exposed_rows *r)
{
    return r->m->n_profiles * r->cut;
}

/* True if in every segment of the row all profiles present have the same factor: a combination of
 * segments of the total. */
static bool is_allowed(const struct exposed_rows *r, const struct echelon_row *row)
{
    size_t n = r->m->n_profiles, size = field_elem_size(r->m->field), n_present = 0, at = 0;

    for (size_t i = 0; i < n; i++)
        n_present += r->profile_present[i];
    while (at < row->n) {
        size_t segment = row->cols[at] / n, from = at;

        for (; at < row->n && row->cols[at] / n == segment; at++)
            if (memcmp(row->factors + at * size, row->factors + from * size, size))
                return false;
        if (at - from != n_present)
            return false;
    }
    return true;
}

static size_t clients_in(const struct exposed_rows *r, const struct echelon_row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->n; i++)
        n += coalition_count(r->c, r->m, row->cols[i] % r->m->n_profiles, COALITION_HONEST);
    return n;
}

/* True if the same combination, shifted by this many segments, is known too. */
static bool is_repeated(const struct exposed_rows *r, const struct echelon_row *row,
                        size_t segments)
{
    size_t size = field_elem_size(r->m->field), on = segments * r->m->n_profiles;
    const struct echelon_row *other =
        row->cols[0] + on < r->rows.n_cols ? r->rows.rows[row->cols[0] + on] : NULL;

    if (!other || other->n != row->n || memcmp(row->factors, other->factors, row->n * size))
        return false;
    for (size_t i = 0; i < row->n; i++)
        if (row->cols[i] + on != other->cols[i])
            return false;
    return true;
}

/* True if the row is the first element of a combination of vectors cut into `parts` parts, all
 * elements of which are known. */
static bool is_of_parts(const struct exposed_rows *r, const struct echelon_row *row, uint32_t parts)
{
    size_t length = r->cut / parts;

    if (r->cut % parts)
        return false;
    for (size_t i = 0; i < row->n; i++)
        if ((row->cols[i] - first_column(r)) / r->m->n_profiles % length)
            return false;
    for (size_t i = 1; i < length; i++)
        if (!is_repeated(r, row, i))
            return false;
    return true;
}

/* The smallest number of parts for which is_of_parts is true. */
static uint32_t fewest_parts(const struct exposed_rows *r, const struct echelon_row *row)
{
    uint32_t parts = 1;

    while (!is_of_parts(r, row, parts))
        parts++;
    return parts;
}

static int compare_terms(const void *a, const void *b)
{
    const struct learnt_term *x = a, *y = b;

    return x->client != y->client ? (x->client > y->client) - (x->client < y->client)
                                  : (x->segment > y->segment) - (x->segment < y->segment);
}

/* Allocates n terms for the row. */
static int begin(const struct exposed_rows *r, const struct echelon_row *row, size_t n,
                 struct learnt *l, struct hagg_err *err)
{
    l->terms = calloc(n + 1, sizeof *l->terms);
    if (!l->terms)
        return err_errno(err, "no memory for the exposed combinations");
    l->term_cut = fewest_parts(r, row);
    return 0;
}

static void put_term(const struct exposed_rows *r, const struct echelon_row *row, size_t i,
                     uint32_t client, struct learnt *l)
{
    size_t segment = (row->cols[i] - first_column(r)) / r->m->n_profiles;
    size_t size = field_elem_size(r->m->field);
    struct learnt_term *term = &l->terms[l->n_terms++];

    *term = (struct learnt_term){
        .client = client,
        .segment = (uint32_t)segment / (r->cut / l->term_cut),
    };
    memcpy(term->factor, row->factors + i * size, size);
}

int exposed_sum(const struct exposed_rows *r, bool any, struct learnt *l, struct hagg_err *err)
{
    const struct echelon_row *best = NULL;

    for (size_t i = first_column(r); i < r->rows.n_cols; i++) {
        const struct echelon_row *row = r->rows.rows[i];

        if (row && (any || !is_allowed(r, row)) &&
            (!best || clients_in(r, row) < clients_in(r, best)))
            best = row;
    }
    if (!best)
        return 0;
    if (begin(r, best, clients_in(r, best), l, err))
        return -1;
    for (size_t i = 0; i < best->n; i++) {
        const struct model_profile *profile = &r->m->profiles[best->cols[i] % r->m->n_profiles];

        for (size_t j = 0; j < profile->n_clients; j++)
            if (r->c->clients[profile->first + j] == COALITION_HONEST)
                put_term(r, best, i, profile->clients[j], l);
    }
    qsort(l->terms, l->n_terms, sizeof *l->terms, compare_terms);
    return 0;
}

int exposed_single(const struct exposed_rows *r, uint32_t profile, struct learnt *l,
                   struct hagg_err *err)
{
    const struct model_profile *k = &r->m->profiles[profile];
    const struct echelon_row *row = NULL;
    size_t who = 0;

    for (size_t i = first_column(r); i < r->rows.n_cols && !row; i++)
        row = r->rows.rows[i];
    while (who < k->n_clients && r->c->clients[k->first + who] == COALITION_MEMBER)
        who++;
    if (!row || who == k->n_clients)
        return 0;
    if (begin(r, row, row->n, l, err))
        return -1;
    for (size_t i = 0; i < row->n; i++)
        put_term(r, row, i, k->clients[who], l);
    return 0;
}
