#include "cost/packing/packing_proof.h"

#include <stdlib.h>

#include "cost/packing/packing_sum.h"

/* Larger systems of equations take too long or too much memory. A unit of work is a product of two
 * limbs. */
#define MOST_UNKNOWNS 2048
#define MOST_WORK     5e7

/* A rounded sum that exceeds 1 by more than this is above 1. */
#define MARGIN 1e-6

/* Equations between the columns of the basis that are not slacks and the nodes without slack, of
 * which there are as many. The matrix has n rows of n + 1 integers; the last one is the right-hand
 * side. */
struct proof {
    const struct packing *p;
    const struct packing_basis *b;
    uint32_t n;
    uint32_t *columns; /* of the basis */
    uint32_t *nodes;
    uint32_t *place; /* by node: in nodes, or UINT32_MAX */
    mpz_t *matrix;
    mpq_t *y, *x;   /* by index in columns; by node */
    double *prices; /* x, rounded */
    double work;
};

static void proof_free(struct proof *f)
{
    for (size_t i = 0; f->matrix && i < f->n * ((size_t)f->n + 1); i++)
        mpz_clear(f->matrix[i]);
    for (uint32_t i = 0; f->y && i < f->n; i++)
        mpq_clear(f->y[i]);
    for (uint32_t i = 0; f->x && i < f->b->n; i++)
        mpq_clear(f->x[i]);
    free(f->columns);
    free(f->nodes);
    free(f->place);
    free(f->matrix);
    free(f->y);
    free(f->x);
    free(f->prices);
}

static int proof_new(struct proof *f, struct hagg_err *err)
{
    uint32_t n = f->n;

    f->matrix = calloc(n * ((size_t)n + 1) + 1, sizeof *f->matrix);
    for (size_t i = 0; f->matrix && i < n * ((size_t)n + 1); i++)
        mpz_init(f->matrix[i]);
    f->y = calloc(n + (size_t)1, sizeof *f->y);
    for (uint32_t i = 0; f->y && i < n; i++)
        mpq_init(f->y[i]);
    f->x = calloc(f->b->n + (size_t)1, sizeof *f->x);
    for (uint32_t i = 0; f->x && i < f->b->n; i++)
        mpq_init(f->x[i]);
    f->prices = calloc(f->b->n + (size_t)1, sizeof *f->prices);
    return f->matrix && f->y && f->x && f->prices
               ? 0
               : err_errno(err, "no memory for the sharper bound");
}

/* Lists the columns that are not slacks, and the nodes whose slack is not in the basis. */
static int choose(struct proof *f, struct hagg_err *err)
{
    const struct packing_basis *b = f->b;
    uint32_t n_nodes = 0;

    f->columns = calloc(b->n + (size_t)1, sizeof *f->columns);
    f->nodes = calloc(b->n + (size_t)1, sizeof *f->nodes);
    f->place = calloc(b->n + (size_t)1, sizeof *f->place);
    if (!f->columns || !f->nodes || !f->place)
        return err_errno(err, "no memory for the sharper bound");
    for (uint32_t i = 0; i < b->n; i++)
        if (b->columns[i].n > 0)
            f->columns[f->n++] = i;
        else
            f->place[b->columns[i].slack] = UINT32_MAX;
    for (uint32_t u = 0; u < b->n; u++)
        if (f->place[u] == 0) {
            f->place[u] = n_nodes;
            f->nodes[n_nodes++] = u;
        }
    return 0;
}

static mpz_t *at(const struct proof *f, uint32_t row, uint32_t column)
{
    return &f->matrix[row * ((size_t)f->n + 1) + column];
}

/* One equation for each node if by_node is true, otherwise one for each column. Every right-hand
 * side is 1. */
static void fill(struct proof *f, bool by_node)
{
    for (size_t i = 0; i < f->n * ((size_t)f->n + 1); i++)
        mpz_set_ui(f->matrix[i], 0);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct packing_column *column = &f->b->columns[f->columns[i]];

        for (uint32_t j = 0; j < column->n; j++) {
            uint32_t node = f->place[column->nodes[j]];

            if (node != UINT32_MAX)
                mpz_set_ui(by_node ? *at(f, node, i) : *at(f, i, node), 1);
        }
        mpz_set_ui(*at(f, i, f->n), 1);
    }
}

static bool swap_pivot(struct proof *f, uint32_t k)
{
    uint32_t row = k;

    while (row < f->n && mpz_sgn(*at(f, row, k)) == 0)
        row++;
    for (uint32_t j = k; row < f->n && row != k && j <= f->n; j++)
        mpz_swap(*at(f, row, j), *at(f, k, j));
    return row < f->n;
}

/* Subtracts a multiple of row k from row i so that column k becomes zero. */
static void eliminate_row(struct proof *f, uint32_t k, uint32_t i, const mpz_t before)
{
    bool is_zero = mpz_sgn(*at(f, i, k)) == 0;

    if (is_zero && mpz_cmp(*at(f, k, k), before) == 0)
        return;
    for (uint32_t j = k + 1; j <= f->n; j++) {
        bool is_same = is_zero || mpz_sgn(*at(f, k, j)) == 0;

        if (is_same && mpz_sgn(*at(f, i, j)) == 0)
            continue;
        f->work += 1 + (double)(mpz_size(*at(f, i, j)) * mpz_size(*at(f, k, k)));
        mpz_mul(*at(f, i, j), *at(f, i, j), *at(f, k, k));
        if (!is_same)
            mpz_submul(*at(f, i, j), *at(f, i, k), *at(f, k, j));
        mpz_divexact(*at(f, i, j), *at(f, i, j), before);
    }
}

/* Elimination without fractions: every division is exact. Returns false if the equations are
 * dependent, or if it takes too long. */
static bool eliminate(struct proof *f)
{
    mpz_t before;
    bool independent = true;

    mpz_init_set_ui(before, 1);
    for (uint32_t k = 0; k < f->n && (independent = swap_pivot(f, k)); k++) {
        for (uint32_t i = k + 1; i < f->n; i++)
            eliminate_row(f, k, i, before);
        mpz_set(before, *at(f, k, k));
        if (f->work > MOST_WORK)
            break;
    }
    mpz_clear(before);
    return independent && f->work <= MOST_WORK;
}

/* Solves the equations for the values of which pointers are given. */
static bool solve(struct proof *f, mpq_t **values)
{
    mpq_t term;

    if (!eliminate(f))
        return false;
    mpq_init(term);
    for (uint32_t i = f->n; i-- > 0;) {
        mpq_set_z(*values[i], *at(f, i, f->n));
        for (uint32_t j = i + 1; j < f->n; j++)
            if (mpz_sgn(*at(f, i, j)) != 0) {
                mpq_set_z(term, *at(f, i, j));
                mpq_mul(term, term, *values[j]);
                mpq_sub(*values[i], *values[i], term);
            }
        mpq_set_z(term, *at(f, i, i));
        mpq_div(*values[i], *values[i], term);
    }
    mpq_clear(term);
    return true;
}

static int solve_both(struct proof *f, bool *solved, struct hagg_err *err)
{
    mpq_t **values = calloc(f->n + (size_t)1, sizeof *values);

    if (!values)
        return err_errno(err, "no memory for the sharper bound");
    for (uint32_t i = 0; i < f->n; i++)
        values[i] = &f->y[i];
    fill(f, true);
    *solved = solve(f, values);
    for (uint32_t i = 0; i < f->n; i++)
        values[i] = &f->x[f->nodes[i]];
    fill(f, false);
    *solved = *solved && solve(f, values);
    free(values);
    return 0;
}

/* No weight is negative, and no node is in sets of total weight above 1. */
static int check_weights(const struct proof *f, mpq_t total, bool *feasible, struct hagg_err *err)
{
    mpq_t *loads = calloc(f->b->n + (size_t)1, sizeof *loads);

    if (!loads)
        return err_errno(err, "no memory for the sharper bound");
    for (uint32_t u = 0; u < f->b->n; u++)
        mpq_init(loads[u]);
    mpq_set_ui(total, 0, 1);
    for (uint32_t i = 0; i < f->n; i++) {
        const struct packing_column *column = &f->b->columns[f->columns[i]];

        *feasible = *feasible && mpq_sgn(f->y[i]) >= 0;
        mpq_add(total, total, f->y[i]);
        for (uint32_t j = 0; j < column->n; j++)
            mpq_add(loads[column->nodes[j]], loads[column->nodes[j]], f->y[i]);
    }
    for (uint32_t u = 0; u < f->b->n; u++) {
        *feasible = *feasible && mpq_cmp_ui(loads[u], 1, 1) <= 0;
        mpq_clear(loads[u]);
    }
    free(loads);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return mpq_cmp(**(mpq_t *const *)a, **(mpq_t *const *)b);
}

/* True if the sum of x over the set without its z largest terms is at least 1. terms has room for
 * the members. */
static bool is_covered(const struct proof *f, size_t number, mpq_t **terms, mpq_t sum)
{
    const struct topology_list *set = f->p->sets[number];

    for (size_t i = 0; i < set->n; i++)
        terms[i] = &f->x[set->numbers[i] - 1];
    qsort(terms, set->n, sizeof *terms, compare);
    mpq_set_ui(sum, 0, 1);
    for (size_t i = 0; i + packing_z(f->p, number) < set->n; i++)
        mpq_add(sum, sum, *terms[i]);
    return mpq_cmp_ui(sum, 1, 1) >= 0;
}

/* Checks all sets. Rounding errors are far smaller than the margin, so most sets need no exact
 * sum. */
static int check_sets(const struct proof *f, mpq_t **terms, bool *feasible, struct hagg_err *err)
{
    struct packing_sum rounded;
    mpq_t sum;

    if (packing_sum_new(&rounded, f->p->z, err))
        return -1;
    mpq_init(sum);
    for (size_t i = 0; i < f->p->n_sets && *feasible; i++) {
        const struct topology_list *set = f->p->sets[i];

        uint32_t z = packing_z(f->p, i);

        *feasible = set->n <= z || packing_sum_least(&rounded, set, z, f->prices) > 1 + MARGIN ||
                    is_covered(f, i, terms, sum);
    }
    mpq_clear(sum);
    packing_sum_free(&rounded);
    return 0;
}

static int check_prices(const struct proof *f, mpq_t total, bool *feasible, struct hagg_err *err)
{
    mpq_t **terms = calloc(f->b->n + (size_t)1, sizeof *terms);
    int status;

    if (!terms)
        return err_errno(err, "no memory for the sharper bound");
    mpq_set_ui(total, 0, 1);
    for (uint32_t u = 0; u < f->b->n; u++) {
        *feasible = *feasible && mpq_sgn(f->x[u]) >= 0;
        mpq_add(total, total, f->x[u]);
        f->prices[u] = mpq_get_d(f->x[u]);
    }
    status = check_sets(f, terms, feasible, err);
    free(terms);
    return status;
}

static int prove(struct proof *f, mpq_t optimum, bool *proved, struct hagg_err *err)
{
    mpq_t total;
    int status;

    if (proof_new(f, err))
        return -1;
    status = solve_both(f, proved, err);
    if (status || !*proved)
        return status;
    mpq_init(total);
    status = check_weights(f, optimum, proved, err);
    if (status == 0)
        status = check_prices(f, total, proved, err);
    *proved = *proved && status == 0 && mpq_equal(optimum, total);
    mpq_clear(total);
    return status;
}

int packing_prove(mpq_t optimum, bool *proved, const struct packing *p,
                  const struct packing_basis *b, struct hagg_err *err)
{
    struct proof f = { .p = p, .b = b };
    int status = choose(&f, err);

    *proved = false;
    if (status == 0 && f.n <= MOST_UNKNOWNS)
        status = prove(&f, optimum, proved, err);
    proof_free(&f);
    return status;
}
