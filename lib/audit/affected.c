#include "audit/affected_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for what a coalition learns");
}

static size_t first_column(const struct exposed_rows *r)
{
    return r->m->n_profiles * r->cut;
}

static size_t count(const struct exposed_rows *r, size_t profile, enum coalition_client state)
{
    return coalition_count(r->c, r->m, profile, state);
}

int affected_copy_row(struct echelon *e, const struct exposed_rows *r,
                      const struct echelon_row *row, const uint32_t *place, struct hagg_err *err)
{
    size_t size = field_elem_size(r->m->field);

    for (size_t i = 0; i < row->n; i++) {
        size_t col = row->cols[i] - first_column(r);

        echelon_term(e, place ? place[col] : col, row->factors + i * size);
    }
    return echelon_add_row(e, NULL, err);
}

/* Adds the row for one client or, if client is UINT32_MAX, for all honest clients, to the forms. */
static int add_form(const struct exposed_rows *r, const struct echelon_row *row, uint32_t client,
                    struct learnt *l, struct hagg_err *err)
{
    size_t size = field_elem_size(r->m->field), n = r->m->n_profiles;
    struct learnt_forms *f = &l->forms;

    f->left_out = f->left_out || f->n_terms + row->n > LEARNT_FORM_TERMS;
    for (size_t i = 0; i < row->n && !f->left_out; i++) {
        size_t col = row->cols[i] - first_column(r);
        const struct model_profile *p = &r->m->profiles[col % n];

        for (size_t j = 0; j < p->n_clients && !f->left_out; j++) {
            if (client != UINT32_MAX ? p->clients[j] != client
                                     : r->c->clients[p->first + j] != COALITION_HONEST)
                continue;
            f->left_out = f->n_terms == LEARNT_FORM_TERMS;
            if (f->left_out)
                break;
            if (ARRAY_RESERVE(f->terms, f->n_terms + 1, f->max_terms))
                return no_memory(err);
            f->terms[f->n_terms] =
                (struct learnt_term){ .client = p->clients[j], .segment = (uint32_t)(col / n) };
            memcpy(f->terms[f->n_terms++].factor, row->factors + i * size, size);
        }
    }
    if (f->left_out)
        return 0;
    if (ARRAY_RESERVE(f->ends, f->n + 1, f->max_ends))
        return no_memory(err);
    f->ends[f->n++] = f->n_terms;
    return 0;
}

int affected_begin(struct affected *a, const struct exposed_rows *sums, struct hagg_err *err)
{
    a->own = calloc(sums->m->n_profiles + 1, sizeof *a->own);
    a->honest = calloc(sums->m->n_profiles + 1, sizeof *a->honest);
    if (!a->own || !a->honest)
        return no_memory(err);
    return echelon_init(&a->known, sums->m->field, first_column(sums), err);
}

int affected_own(struct affected *a, const struct exposed_rows *own, uint32_t profile,
                 struct learnt *l, struct hagg_err *err)
{
    const struct model_profile *p = &own->m->profiles[profile];
    size_t first = first_column(own), honest = count(own, profile, COALITION_HONEST);

    a->own[profile] = echelon_rank_from(&own->rows, first);
    for (size_t i = first; i < own->rows.n_cols; i++) {
        const struct echelon_row *row = own->rows.rows[i];

        if (!row)
            continue;
        /* all that is known of an only honest client is found among the sums */
        if (honest > 1 && affected_copy_row(&a->known, own, row, NULL, err))
            return -1;
        for (size_t j = 0; j < p->n_clients; j++)
            if (own->c->clients[p->first + j] != COALITION_MEMBER &&
                add_form(own, row, p->clients[j], l, err))
                return -1;
    }
    return 0;
}

int affected_forms(const struct exposed_rows *sums, struct learnt *l, struct hagg_err *err)
{
    for (size_t i = first_column(sums); i < sums->rows.n_cols; i++)
        if (sums->rows.rows[i] && add_form(sums, sums->rows.rows[i], UINT32_MAX, l, err))
            return -1;
    return 0;
}

/* Finds what is learnt about the only honest client of a profile, and adds it to known. In a
 * combination of the rows, the rows with pivots in columns of other profiles have the factor 0, so
 * the rows that begin in a column of this profile are enough. */
static int find_only(struct affected *a, const struct exposed_rows *sums, uint32_t profile,
                     struct hagg_err *err)
{
    size_t n = sums->m->n_profiles, n_cols = n * sums->cut, n_rows = 0;
    struct echelon e;
    int status;

    for (size_t i = 0; i < sums->cut; i++)
        n_rows += sums->rows.rows[n_cols + i * n + profile] != NULL;
    if (n_rows == 0)
        return 0;
    status = echelon_init(&e, sums->m->field, n_cols + sums->cut, err);
    for (size_t i = 0; i < sums->cut && status == 0; i++) {
        const struct echelon_row *row = sums->rows.rows[n_cols + i * n + profile];
        size_t size = field_elem_size(sums->m->field);

        for (size_t j = 0; row && j < row->n; j++) {
            size_t col = row->cols[j] - n_cols;

            echelon_term(&e, col % n == profile ? n_cols + col / n : col, row->factors + j * size);
        }
        status = row ? echelon_add_row(&e, NULL, err) : 0;
    }
    for (size_t i = n_cols; i < e.n_cols && status == 0; i++) {
        const struct echelon_row *row = e.rows[i];

        a->honest[profile] += row != NULL;
        for (size_t j = 0; row && j < row->n; j++)
            echelon_term(&a->known, (row->cols[j] - n_cols) * n + profile,
                         row->factors + j * field_elem_size(sums->m->field));
        status = row ? echelon_add_row(&a->known, NULL, err) : 0;
    }
    echelon_free(&e);
    return status;
}

struct learnt_part *affected_add_part(struct learnt *l, enum learnt_kind kind, size_t rank,
                                      struct hagg_err *err)
{
    if (ARRAY_RESERVE(l->parts, l->n_parts + 1, l->max_parts)) {
        no_memory(err);
        return NULL;
    }
    l->parts[l->n_parts] = (struct learnt_part){ .kind = kind, .rank = rank };
    return &l->parts[l->n_parts++];
}

int affected_add_clients(struct learnt_part *part, const struct exposed_rows *r, uint32_t profile,
                         enum coalition_client state, struct hagg_err *err)
{
    const struct model_profile *p = &r->m->profiles[profile];

    for (size_t i = 0; i < p->n_clients; i++)
        if (r->c->clients[p->first + i] == state &&
            rangeset_append(&part->clients, p->clients[i], p->clients[i], err))
            return -1;
    return 0;
}

/* Adds a part for all clients of whom equally much is known, the most first. */
static int add_each(const struct affected *a, const struct exposed_rows *sums, struct learnt *l,
                    struct hagg_err *err)
{
    size_t n = sums->m->n_profiles, last = SIZE_MAX;

    for (;;) {
        struct learnt_part *part;
        size_t rank = 0;

        for (size_t i = 0; i < n; i++) {
            rank = a->own[i] < last && a->own[i] > rank ? a->own[i] : rank;
            rank = a->honest[i] < last && a->honest[i] > rank ? a->honest[i] : rank;
        }
        if (rank == 0)
            return 0;
        part = affected_add_part(l, LEARNT_EACH, rank, err);
        if (!part)
            return -1;
        for (uint32_t i = 0; i < n; i++)
            if ((a->honest[i] == rank &&
                 affected_add_clients(part, sums, i, COALITION_HONEST, err)) ||
                (a->own[i] == rank && affected_add_clients(part, sums, i, COALITION_MISSING, err)))
                return -1;
        if (part->clients.n == 0)
            l->n_parts--; /* none of the profile is missing */
        last = rank;
    }
}

int affected_parts(struct affected *a, const struct exposed_rows *sums, bool allowed,
                   struct learnt *l, struct hagg_err *err)
{
    for (uint32_t i = 0; i < sums->m->n_profiles; i++) {
        size_t honest = count(sums, i, COALITION_HONEST);

        a->honest[i] = honest > 1 ? a->own[i] : 0;
        if (honest == 1 && find_only(a, sums, i, err))
            return -1;
    }
    if (echelon_reduce(&a->known, 0, err) || add_each(a, sums, l, err) ||
        affected_sums(a, sums, allowed, l, err))
        return -1;
    for (size_t i = 0; i < l->n_parts; i++)
        rangeset_settle(&l->parts[i].clients);
    return 0;
}

void affected_free(struct affected *a)
{
    free(a->own);
    free(a->honest);
    echelon_free(&a->known);
}
