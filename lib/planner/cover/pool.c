#include "planner/cover/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define MOST_BYTES (UINT64_C(1) << 27) /* sets and payers together */

int pool_new(struct pool *p, struct reachers *r, struct hagg_err *err)
{
    const struct instance *in = r->in;

    *p = (struct pool){ .reachers = r, .n_table = 1024 };
    p->rate = malloc(in->n_reach_classes * sizeof *p->rate);
    p->own_fee = malloc(in->n_reach_classes * sizeof *p->own_fee);
    p->reach_classes = malloc(in->n_reach_classes * sizeof *p->reach_classes);
    p->start = calloc(1, sizeof *p->start);
    p->table = calloc(p->n_table, sizeof *p->table);
    if (!p->rate || !p->own_fee || !p->reach_classes || !p->start || !p->table) {
        pool_free(p);
        return err_errno(err, "no memory for a pool of patterns");
    }
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);

        p->rate[k] = in->rate[size];
        p->own_fee[k] = in->fee[size];
    }
    return 0;
}

void pool_free(struct pool *p)
{
    free(p->rate);
    free(p->own_fee);
    free(p->reach_classes);
    free(p->sets);
    free(p->fee);
    free(p->start);
    free(p->payers);
    free(p->table);
    *p = (struct pool){ 0 };
}

static uint64_t hash(const uint64_t *set, size_t n_words)
{
    uint64_t h = 0;

    for (size_t w = 0; w < n_words; w++) {
        h = (h ^ set[w]) * 0x9e3779b97f4a7c15;
        h ^= h >> 32;
    }
    return h;
}

/* The index of the set in the table, or of the empty entry where it belongs. */
static size_t place(const struct pool *p, const uint64_t *set)
{
    size_t n_words = p->reachers->in->n_words;
    size_t i = hash(set, n_words) & (p->n_table - 1);

    while (p->table[i] != 0 && !set_equal(pool_set(p, p->table[i] - 1), set, n_words))
        i = (i + 1) & (p->n_table - 1);
    return i;
}

static bool make_room(struct pool *p)
{
    size_t n_words = p->reachers->in->n_words;

    if (p->n == p->max) {
        size_t max = 2 * p->max + 64;
        uint64_t *sets = reallocarray(p->sets, max, n_words * sizeof *sets);
        if (sets)
            p->sets = sets;
        double *fee = reallocarray(p->fee, max, sizeof *fee);
        if (fee)
            p->fee = fee;
        size_t *start = reallocarray(p->start, max + 1, sizeof *start);
        if (start)
            p->start = start;
        if (!sets || !fee || !start)
            return false;
        p->max = max;
    }
    if (2 * (p->n + 1) > p->n_table) {
        uint32_t *table = calloc(2 * p->n_table, sizeof *table);
        if (!table)
            return false;
        free(p->table);
        p->table = table;
        p->n_table *= 2;
        for (size_t i = 0; i < p->n; i++)
            p->table[place(p, pool_set(p, i))] = (uint32_t)i + 1;
    }
    return true;
}

void pool_add(struct pool *p, const uint64_t *set)
{
    const struct instance *in = p->reachers->in;
    uint32_t size = set_count(set, in->n_words);
    double fee = in->fee[size];
    size_t end = p->start[p->n];

    if (isinf(fee) || p->table[place(p, set)] != 0)
        return;
    uint32_t n = reachers_of(p->reachers, set, p->reach_classes);
    if (p->n * in->n_words * sizeof *set + end * sizeof *p->payers > MOST_BYTES || !make_room(p) ||
        ARRAY_RESERVE(p->payers, end + n, p->max_payers)) {
        p->full = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = p->reach_classes[i];
        double surcharge = in->weight[k] * (in->rate[size] - p->rate[k]);

        if (surcharge < p->own_fee[k])
            p->payers[end++] = (struct pool_payer){ .reach_class = k, .surcharge = surcharge };
    }
    p->table[place(p, set)] = (uint32_t)p->n + 1;
    memcpy(p->sets + p->n * in->n_words, set, in->n_words * sizeof *set);
    p->fee[p->n++] = fee;
    p->start[p->n] = end;
}

double pool_offered(const struct pool *p, size_t i, const double *credit)
{
    double sum = 0;

    for (size_t j = p->start[i]; j < p->start[i + 1]; j++) {
        double offer = credit[p->payers[j].reach_class] - p->payers[j].surcharge;

        sum += offer > 0 ? offer : 0;
    }
    return sum;
}
