#include "audit/affected_sums.h"

#include <stdlib.h>
#include <string.h>

/*
 * Columns are those of exposed.h without the keys: segment * n_profiles + profile. What is known of
 * single clients is a subspace I of the space S of all that is learnt about sums over profiles. S
 * modulo I is a direct sum of subspaces that have no column in common. In reduced echelon form
 * these are the connected components of rows and columns.
 */
struct split {
    const struct exposed_rows *sums;
    size_t n_cols;
    uint32_t *place;  /* of a column in rows: pivots of I first */
    uint32_t *column; /* the inverse of place */
    size_t n_known;
    struct echelon rows;
    uint32_t *parent;  /* by column: a forest whose trees are the components */
    size_t *allowed;   /* by root: how much of the component is the allowed sum */
    bool only_allowed; /* True if S modulo I is the allowed sum. */
};

/* A component, or several over the same profiles. */
struct piece {
    uint32_t root;
    uint32_t *profiles; /* ascending */
    size_t n_profiles;
    size_t rank;
    bool is_sum; /* in every row and segment all profiles have the same factor */
};

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for what a coalition learns");
}

static uint32_t find_root(uint32_t *parent, uint32_t col)
{
    while (parent[col] != col) {
        parent[col] = parent[parent[col]];
        col = parent[col];
    }
    return col;
}

static void split_free(struct split *s)
{
    free(s->place);
    free(s->column);
    free(s->parent);
    free(s->allowed);
    echelon_free(&s->rows);
}

/* Divides S modulo I into components. */
static int split_new(struct split *s, const struct affected *a, const struct exposed_rows *sums,
                     struct hagg_err *err)
{
    size_t n = sums->m->n_profiles * sums->cut, next = 0;

    *s = (struct split){ .sums = sums, .n_cols = n };
    s->place = calloc(n + 1, sizeof *s->place);
    s->column = calloc(n + 1, sizeof *s->column);
    s->parent = calloc(n + 1, sizeof *s->parent);
    s->allowed = calloc(n + 1, sizeof *s->allowed);
    if (!s->place || !s->column || !s->parent || !s->allowed)
        return no_memory(err);
    if (echelon_init(&s->rows, sums->m->field, n, err))
        return -1;
    s->n_known = a->known.rank;
    for (int known = 1; known >= 0; known--)
        for (uint32_t col = 0; col < n; col++)
            if ((a->known.rows[col] != NULL) == known) {
                s->column[next] = col;
                s->place[col] = (uint32_t)next++;
            }
    for (size_t i = n; i < sums->rows.n_cols; i++)
        if (sums->rows.rows[i] &&
            affected_copy_row(&s->rows, sums, sums->rows.rows[i], s->place, err))
            return -1;
    if (echelon_reduce(&s->rows, s->n_known, err))
        return -1;
    for (uint32_t col = 0; col < n; col++)
        s->parent[col] = col;
    for (size_t i = s->n_known; i < n; i++)
        for (size_t j = 1; s->rows.rows[i] && j < s->rows.rows[i]->n; j++)
            s->parent[find_root(s->parent, s->column[s->rows.rows[i]->cols[j]])] =
                find_root(s->parent, s->column[i]);
    return 0;
}

/* One segment of the allowed sum modulo I, by column. values has room for all columns. */
static void allowed_modulo(const struct affected *a, const struct exposed_rows *sums,
                           size_t segment, unsigned char *values)
{
    size_t n = sums->m->n_profiles, size = field_elem_size(sums->m->field);

    memset(values, 0, n * sums->cut * size);
    for (size_t i = 0; i < n; i++)
        hagg_store(values, segment * n + i, size, sums->profile_present[i]);
    for (size_t i = segment * n; i < (segment + 1) * n; i++) {
        const struct echelon_row *row = a->known.rows[i];

        for (size_t j = 0; row && j < row->n; j++)
            field_sub(sums->m->field, values + row->cols[j] * size, values + row->cols[j] * size,
                      row->factors + j * size, 1);
    }
}

static int add_row(struct echelon *e, const struct split *s, const unsigned char *values,
                   bool *independent, struct hagg_err *err)
{
    size_t size = field_elem_size(s->sums->m->field);

    for (uint32_t col = 0; col < s->n_cols; col++)
        if (hagg_load(values, col, size) != 0)
            echelon_term(e, col, values + col * size);
    return echelon_add_row(e, independent, err);
}

/* Counts, for each component, the segments of the allowed sum that it contains, and finds out
 * whether S modulo I has anything else. */
static int find_allowed(struct split *s, const struct affected *a, struct hagg_err *err)
{
    size_t size = field_elem_size(s->sums->m->field);
    unsigned char *values = calloc(s->n_cols + 1, size);
    struct echelon e = { 0 }, within = { 0 };
    int status = !values ? no_memory(err)
                 : echelon_init(&e, s->sums->m->field, s->n_cols, err) == 0 &&
                         echelon_init(&within, s->sums->m->field, s->n_cols, err) == 0
                     ? 0
                     : -1;

    for (size_t i = 0; i < s->sums->cut && status == 0; i++) {
        uint32_t root = UINT32_MAX;
        bool one = true, independent = false;

        allowed_modulo(a, s->sums, i, values);
        for (uint32_t col = 0; col < s->n_cols; col++) {
            if (hagg_load(values, col, size) == 0)
                continue;
            one = one && (root == UINT32_MAX || root == find_root(s->parent, col));
            root = find_root(s->parent, col);
        }
        status = add_row(&e, s, values, NULL, err);
        if (status == 0 && one)
            status = add_row(&within, s, values, &independent, err);
        if (independent)
            s->allowed[root]++;
    }
    s->only_allowed = status == 0 && e.rank + s->n_known == s->rows.rank;
    echelon_free(&within);
    echelon_free(&e);
    free(values);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static int compare_profiles(const struct piece *x, const struct piece *y)
{
    size_t n = x->n_profiles < y->n_profiles ? x->n_profiles : y->n_profiles;

    for (size_t i = 0; i < n; i++)
        if (x->profiles[i] != y->profiles[i])
            return x->profiles[i] < y->profiles[i] ? -1 : 1;
    return (x->n_profiles > y->n_profiles) - (x->n_profiles < y->n_profiles);
}

static int by_root(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return (x->root > y->root) - (x->root < y->root);
}

static int by_profiles(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = compare_profiles(x, y);

    return order ? order : by_root(a, b);
}

/* Makes a piece of one row. */
static int piece_of(struct piece *piece, struct split *s, const struct echelon_row *row,
                    struct hagg_err *err)
{
    size_t n = 0;

    *piece = (struct piece){ .root = find_root(s->parent, s->column[row->cols[0]]), .rank = 1 };
    piece->profiles = calloc(row->n + 1, sizeof *piece->profiles);
    if (!piece->profiles)
        return no_memory(err);
    for (size_t i = 0; i < row->n; i++)
        piece->profiles[i] = s->column[row->cols[i]] % (uint32_t)s->sums->m->n_profiles;
    qsort(piece->profiles, row->n, sizeof *piece->profiles, compare_numbers);
    for (size_t i = 0; i < row->n; i++)
        if (n == 0 || piece->profiles[n - 1] != piece->profiles[i])
            piece->profiles[n++] = piece->profiles[i];
    piece->n_profiles = n;
    piece->is_sum = row->n % n == 0;
    for (size_t i = 0; piece->is_sum && i < row->n; i++) {
        size_t size = field_elem_size(s->sums->m->field), segments = s->sums->m->n_profiles;

        /* places keep the order of columns that are not known */
        piece->is_sum =
            s->column[row->cols[i]] / segments == s->column[row->cols[i / n * n]] / segments &&
            memcmp(row->factors + i * size, row->factors + i / n * n * size, size) == 0;
    }
    return 0;
}

/* Adds piece b to piece a. */
static int join(struct piece *a, const struct piece *b, struct hagg_err *err)
{
    uint32_t *all = calloc(a->n_profiles + b->n_profiles + 1, sizeof *all);
    size_t i = 0, j = 0, n = 0;

    if (!all)
        return no_memory(err);
    while (i < a->n_profiles || j < b->n_profiles) {
        bool from_a = j == b->n_profiles || (i < a->n_profiles && a->profiles[i] <= b->profiles[j]);

        all[n] = from_a ? a->profiles[i] : b->profiles[j];
        i += i < a->n_profiles && a->profiles[i] == all[n];
        j += j < b->n_profiles && b->profiles[j] == all[n];
        n++;
    }
    a->is_sum = a->is_sum && b->is_sum && n == a->n_profiles && n == b->n_profiles;
    a->rank += b->rank;
    free(a->profiles);
    a->profiles = all;
    a->n_profiles = n;
    return 0;
}

/* Joins neighbours that are equal by the comparison. Joined pieces are left with rank 0. */
static int join_equal(struct piece *pieces, size_t n,
                      int equal(const struct piece *, const struct piece *), struct hagg_err *err)
{
    size_t last = 0;

    for (size_t i = 1; i < n; i++) {
        if (pieces[i].rank == 0)
            continue;
        if (pieces[last].rank == 0 || equal(&pieces[last], &pieces[i])) {
            last = i;
            continue;
        }
        if (join(&pieces[last], &pieces[i], err))
            return -1;
        pieces[i].rank = 0;
    }
    return 0;
}

static int other_root(const struct piece *x, const struct piece *y)
{
    return x->root != y->root;
}

/* Pieces over the same profiles are one to a reader, unless only one of them is a sum. */
static int other_clients(const struct piece *x, const struct piece *y)
{
    return compare_profiles(x, y) || x->is_sum != y->is_sum;
}

static int add_pieces(struct split *s, struct piece *pieces, size_t n, struct learnt *l,
                      struct hagg_err *err)
{
    qsort(pieces, n, sizeof *pieces, by_root);
    if (join_equal(pieces, n, other_root, err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (pieces[i].rank > 0)
            pieces[i].rank -= s->allowed[pieces[i].root];
    qsort(pieces, n, sizeof *pieces, by_profiles);
    if (join_equal(pieces, n, other_clients, err))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct learnt_part *part;

        if (pieces[i].rank == 0)
            continue;
        part = affected_add_part(l, pieces[i].is_sum ? LEARNT_SUM : LEARNT_COMBINATION,
                                 pieces[i].rank, err);
        if (!part)
            return -1;
        for (size_t j = 0; j < pieces[i].n_profiles; j++)
            if (affected_add_clients(part, s->sums, pieces[i].profiles[j], COALITION_HONEST, err))
                return -1;
    }
    return 0;
}

int affected_sums(const struct affected *a, const struct exposed_rows *sums, bool allowed,
                  struct learnt *l, struct hagg_err *err)
{
    struct split s;
    struct piece *pieces = NULL;
    size_t n = 0;
    int status = split_new(&s, a, sums, err);

    if (status == 0 && allowed)
        status = find_allowed(&s, a, err);
    if (status == 0) {
        pieces = calloc(s.rows.rank + 1, sizeof *pieces);
        status = pieces ? 0 : no_memory(err);
    }
    for (size_t i = s.n_known; i < s.n_cols && status == 0 && !s.only_allowed; i++)
        if (s.rows.rows[i])
            status = piece_of(&pieces[n++], &s, s.rows.rows[i], err);
    if (status == 0)
        status = add_pieces(&s, pieces, n, l, err);
    for (size_t i = 0; i < n; i++)
        free(pieces[i].profiles);
    free(pieces);
    split_free(&s);
    return status;
}
