#include "cost/packing/packing.h"

#include <math.h>
#include <stdlib.h>

#include "cost/count/fraction.h"
#include "cost/packing/packing_basis.h"
#include "cost/packing/packing_proof.h"
#include "cost/packing/packing_sum.h"

/* The basis has the square of this many numbers. */
#define MOST_NODES 4096

/* Then the search ends, and the solutions so far give the two bounds. Some seconds. */
#define MOST_OPERATIONS 5e9

/* Sets whose constraint is violated least are not examined again until the next pass. */
#define MOST_CANDIDATES 256
#define TOLERANCE       1e-9

/* Solutions are rounded to multiples of 2^-ROUNDING. */
#define ROUNDING 32

struct search {
    const struct packing *p;
    struct packing_basis basis;
    size_t *candidates;
    size_t n_candidates;
    double *violations; /* by set, of the last pass */
    struct packing_sum sum;
    double n_operations;
};

static const struct topology_list *set_of(const struct search *s, size_t i)
{
    return s->p->sets[i];
}

/* True if the set has a constraint. */
static bool counts(const struct packing *p, size_t i)
{
    return p->sets[i]->n > packing_z(p, i);
}

static double least_sum(struct search *s, size_t i)
{
    const struct topology_list *set = set_of(s, i);
    uint32_t z = packing_z(s->p, i);

    s->n_operations += (double)set->n * (1 + z / 4.0);
    return packing_sum_least(&s->sum, set, z, s->basis.prices);
}

/* How much the constraint of a set is violated, relative to its length. */
static double violation(struct search *s, size_t i)
{
    return !counts(s->p, i)
               ? 0
               : (1 - least_sum(s, i)) / sqrt((double)set_of(s, i)->n - packing_z(s->p, i));
}

/* Examines all sets, and keeps those with the largest violations as candidates. */
static void find_candidates(struct search *s)
{
    double most = 0;

    for (size_t i = 0; i < s->p->n_sets; i++) {
        s->violations[i] = violation(s, i);
        most = fmax(most, s->violations[i]);
    }
    s->n_candidates = 0;
    for (size_t i = 0; i < s->p->n_sets && s->n_candidates < MOST_CANDIDATES; i++)
        if (s->violations[i] > TOLERANCE && s->violations[i] >= most / 2)
            s->candidates[s->n_candidates++] = i;
}

/* Returns the candidate with the largest violation, or n_sets. */
static size_t find_entering(struct search *s)
{
    size_t best = s->p->n_sets;
    double most = TOLERANCE;

    for (size_t i = 0; i < s->n_candidates; i++) {
        double v = violation(s, s->candidates[i]);

        if (v > most) {
            most = v;
            best = s->candidates[i];
        }
    }
    return best;
}

/* Returns the node with the least price, if that is negative, or UINT32_MAX. */
static uint32_t find_negative(const struct search *s)
{
    uint32_t best = UINT32_MAX;
    double least = -TOLERANCE;

    for (uint32_t u = 0; u < s->p->n_nodes; u++)
        if (s->basis.prices[u] < least) {
            least = s->basis.prices[u];
            best = u;
        }
    return best;
}

/* The set without the z members that have the largest prices. */
static int make_column(struct search *s, size_t number, struct packing_column *column, double *gain,
                       struct hagg_err *err)
{
    const struct topology_list *set = set_of(s, number);

    *column = (struct packing_column){ .nodes = malloc(set->n * sizeof *column->nodes) };
    if (!column->nodes)
        return err_errno(err, "no memory for the sharper bound");
    *gain = 1 - least_sum(s, number);
    for (size_t i = 0; i < set->n; i++)
        if (!packing_sum_drops(&s->sum, set->numbers[i] - 1))
            column->nodes[column->n++] = set->numbers[i] - 1;
    return 0;
}

static int search(struct search *s, struct hagg_err *err)
{
    struct packing_basis *b = &s->basis;

    find_candidates(s);
    while (s->n_operations + b->n_operations < MOST_OPERATIONS) {
        uint32_t node = find_negative(s);
        size_t set = node == UINT32_MAX ? find_entering(s) : s->p->n_sets;
        struct packing_column column = { .slack = node };
        double gain = 0;

        if (node == UINT32_MAX && set == s->p->n_sets) {
            find_candidates(s);
            if (s->n_candidates == 0)
                return 0;
            continue;
        }
        if (node != UINT32_MAX)
            gain = -b->prices[node];
        else if (make_column(s, set, &column, &gain, err))
            return -1;
        if (!packing_basis_enter(b, column, gain))
            return 0;
    }
    return 0;
}

static void set_ratio(mpq_t q, uint64_t num, uint64_t den)
{
    fraction_set_integer(mpq_numref(q), num);
    fraction_set_integer(mpq_denref(q), den);
    mpq_canonicalize(q);
}

/* Rounds the weights of the basis, and divides them by the largest load of a node. */
static int round_weights(mpq_t low, const struct packing_basis *b, struct hagg_err *err)
{
    uint64_t *loads = calloc(b->n + (size_t)1, sizeof *loads), total = 0, most = 1;

    if (!loads)
        return err_errno(err, "no memory for the sharper bound");
    for (uint32_t i = 0; i < b->n; i++) {
        const struct packing_column *column = &b->columns[i];
        uint64_t weight = column->n > 0 ? (uint64_t)ldexp(b->weights[i], ROUNDING) : 0;

        total += weight;
        for (uint32_t j = 0; j < column->n; j++) {
            loads[column->nodes[j]] += weight;
            if (loads[column->nodes[j]] > most)
                most = loads[column->nodes[j]];
        }
    }
    free(loads);
    set_ratio(low, total, most);
    return 0;
}

/* Rounds the prices, and divides them by the least sum of a set. Leaves high unchanged if that is
 * 0. */
static void round_prices(mpq_t high, struct search *s)
{
    double least = ldexp(1, ROUNDING + 20), total = 0;

    /* integers of this size are exact in floating point */
    for (uint32_t u = 0; u < s->p->n_nodes; u++) {
        s->basis.prices[u] = rint(ldexp(fmin(fmax(s->basis.prices[u], 0), 2), ROUNDING));
        total += s->basis.prices[u];
    }
    for (size_t i = 0; i < s->p->n_sets; i++)
        if (counts(s->p, i))
            least = fmin(least, least_sum(s, i));
    if (least > 0)
        set_ratio(high, (uint64_t)total, (uint64_t)least);
}

/* Keeps the better one of two bounds. */
static void improve(mpq_t bound, const mpq_t other, int direction)
{
    if (mpq_cmp(other, bound) * direction > 0)
        mpq_set(bound, other);
}

static int read_bounds(mpq_t low, mpq_t high, struct search *s, struct hagg_err *err)
{
    bool proved = false;
    mpq_t bound;
    int status;

    mpq_init(bound);
    status = packing_prove(bound, &proved, s->p, &s->basis, err);
    if (proved) {
        mpq_set(low, bound);
        mpq_set(high, bound);
    } else if (status == 0) {
        status = round_weights(bound, &s->basis, err);
        improve(low, bound, 1);
        mpq_set(bound, high);
        round_prices(bound, s);
        improve(high, bound, -1);
    }
    mpq_clear(bound);
    return status;
}

static int search_and_read(mpq_t low, mpq_t high, const struct packing *p, struct hagg_err *err)
{
    struct search s = {
        .p = p,
        .candidates = calloc(MOST_CANDIDATES, sizeof *s.candidates),
        .violations = calloc(p->n_sets + 1, sizeof *s.violations),
    };
    int status = -1;

    if (!s.candidates || !s.violations)
        err_errno(err, "no memory for the sharper bound");
    else
        status = packing_sum_new(&s.sum, p->z, err);
    if (status == 0)
        status = packing_basis_new(&s.basis, p->n_nodes, err);
    if (status == 0)
        status = search(&s, err);
    if (status == 0)
        packing_basis_settle(&s.basis);
    if (status == 0)
        status = read_bounds(low, high, &s, err);
    packing_basis_free(&s.basis);
    free(s.candidates);
    free(s.violations);
    packing_sum_free(&s.sum);
    return status;
}

/* Adds m / (m - z) for sets without common members, small sets first: each can have a weight that
 * is spread evenly over its members. A node in sets with m - z of at least s has the price 1 / s,
 * which covers each of them. */
static int begin(mpq_t low, mpq_t high, const struct packing *p, struct hagg_err *err)
{
    uint32_t *fewest = calloc(p->n_nodes + (size_t)1, sizeof *fewest);
    bool *taken = calloc(p->n_nodes + (size_t)1, sizeof *taken);
    int status = fewest && taken ? 0 : err_errno(err, "no memory for the sharper bound");

    for (size_t i = 0; i < p->n_sets && status == 0; i++) {
        const struct topology_list *set = p->sets[i];
        bool is_free = counts(p, i);
        uint32_t n_left = is_free ? (uint32_t)set->n - packing_z(p, i) : 0;

        for (size_t j = 0; j < set->n && n_left > 0; j++) {
            uint32_t *least = &fewest[set->numbers[j]];

            is_free = is_free && !taken[set->numbers[j]];
            if (*least == 0 || n_left < *least)
                *least = n_left;
        }
        for (size_t j = 0; j < set->n && is_free; j++)
            taken[set->numbers[j]] = true;
        if (is_free)
            fraction_add(low, 1, set->n, n_left);
    }
    for (uint32_t u = 1; u <= p->n_nodes && status == 0; u++)
        if (fewest[u] > 0)
            fraction_add(high, 1, 1, fewest[u]);
    free(fewest);
    free(taken);
    return status;
}

/* Every set has the weight 1, without the z members whose load is the largest so far; small sets
 * first, as long as the total gains more than the largest load. With many similar sets all loads
 * become almost equal, which is almost optimal. */
static int balance(mpq_t low, const struct packing *p, struct hagg_err *err)
{
    double *loads = calloc(p->n_nodes + (size_t)1, sizeof *loads), total = 0, most = 0, best = 0;
    struct packing_sum sum = { 0 };
    int status = loads ? packing_sum_new(&sum, p->z, err)
                       : err_errno(err, "no memory for the sharper bound");
    mpq_t bound;

    mpq_init(bound);
    for (size_t i = 0; i < p->n_sets && status == 0; i++) {
        const struct topology_list *set = p->sets[i];

        if (!counts(p, i))
            continue;
        packing_sum_least(&sum, set, packing_z(p, i), loads);
        for (size_t j = 0; j < set->n; j++)
            if (!packing_sum_drops(&sum, set->numbers[j] - 1))
                most = fmax(most, ++loads[set->numbers[j] - 1]);
        if (++total / most > best) {
            best = total / most;
            set_ratio(bound, (uint64_t)total, (uint64_t)most);
        }
    }
    improve(low, bound, 1);
    mpq_clear(bound);
    packing_sum_free(&sum);
    free(loads);
    return status;
}

int packing_solve(mpq_t low, mpq_t high, const struct packing *p, struct hagg_err *err)
{
    mpq_set_ui(low, 0, 1);
    mpq_set_ui(high, 0, 1);
    if (begin(low, high, p, err) || balance(low, p, err))
        return -1;
    if (p->n_nodes > MOST_NODES || mpq_equal(low, high))
        return 0;
    return search_and_read(low, high, p, err);
}
