#include "audit/shares_learnt.h"

#include <stdlib.h>
#include <string.h>

#include "audit/hiding.h"
#include "plan/plan_aligned.h"

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for what coalitions learn");
}

uint32_t shares_learnt_stations(const struct shares_learnt *s, size_t class)
{
    return (uint32_t)s->classes.routes[class].lists[0]->n;
}

uint32_t shares_learnt_colluding(const struct shares_learnt *s, size_t class)
{
    uint32_t n = shares_learnt_stations(s, class);

    return n < s->n_colluding ? n : s->n_colluding;
}

uint64_t shares_learnt_most(const struct shares_learnt *s, size_t class)
{
    return s->learnt[class][shares_learnt_colluding(s, class)];
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Sorts the stations of a class. */
static int sort_stations(struct shares_learnt *s, size_t class, struct hagg_err *err)
{
    size_t n = shares_learnt_stations(s, class);

    s->learnt[class] = calloc(s->n_colluding + (size_t)1, sizeof **s->learnt);
    s->stations[class] = calloc(n + 1, sizeof **s->stations);
    if (!s->learnt[class] || !s->stations[class])
        return no_memory(err);
    memcpy(s->stations[class], s->classes.routes[class].lists[0]->numbers,
           n * sizeof **s->stations);
    qsort(s->stations[class], n, sizeof **s->stations, compare);
    return 0;
}

int shares_learnt_new(struct shares_learnt *s, const struct plan *p, uint32_t n_colluding,
                      struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *s = (struct shares_learnt){ .plan = p, .n_colluding = n_colluding, .den = 1 };
    if (plan_patterns_new(&s->classes, p, PLAN_SHARES, 0, err))
        return -1;
    s->n_clients = calloc(s->classes.n + 1, sizeof *s->n_clients);
    s->first_client = calloc(s->classes.n + 1, sizeof *s->first_client);
    s->learnt = calloc(s->classes.n + 1, sizeof *s->learnt);
    s->stations = calloc(s->classes.n + 1, sizeof *s->stations);
    if (!s->n_clients || !s->first_client || !s->learnt || !s->stations)
        return no_memory(err);
    for (size_t i = 0; i < s->classes.n; i++)
        if (sort_stations(s, i, err))
            return -1;
    for (size_t i = t->n_clients; i-- > 0;) {
        uint32_t class = s->classes.of_group[t->clients[i].group];

        s->n_clients[class]++;
        s->first_client[class] = t->clients[i].number;
    }
    return 0;
}

void shares_learnt_free(struct shares_learnt *s)
{
    for (size_t i = 0; s->learnt && i < s->classes.n; i++)
        free(s->learnt[i]);
    for (size_t i = 0; s->stations && i < s->classes.n; i++)
        free(s->stations[i]);
    free(s->learnt);
    free(s->stations);
    free(s->n_clients);
    free(s->first_client);
    plan_patterns_free(&s->classes);
}

int shares_learnt_add(uint64_t *learnt, const struct sharing *s, uint32_t most, uint64_t n,
                      struct hagg_err *err)
{
    uint32_t *chosen = calloc(most + (size_t)1, sizeof *chosen);
    int status = chosen ? 0 : no_memory(err);

    for (uint32_t a = 0; a < most && status == 0; a++)
        chosen[a] = a;
    for (uint32_t a = 1; a <= most && status == 0; a++) {
        size_t forms = 0;

        status = hiding_learnt(s, chosen, a, &forms, err);
        learnt[a] += n * forms;
    }
    free(chosen);
    return status;
}

/* Adds what is learnt about n blocks like the one of segments first .. end - 1. */
static int add_blocks(struct shares_learnt *s, size_t class, const uint32_t *holders,
                      uint32_t first, uint32_t end, uint64_t n, struct hagg_err *err)
{
    const struct aligned sharing = plan_aligned_class(s->plan->aligned, class);
    struct sharing block;
    int status;

    if (n == 0 || first == end)
        return 0;
    if (aligned_block(&sharing, s->plan->scheme, holders, shares_learnt_stations(s, class), first,
                      end, NULL, &block, err))
        return -1;
    status = shares_learnt_add(s->learnt[class], &block, shares_learnt_colluding(s, class), n, err);
    sharing_free(&block);
    return status;
}

/* Matrices of classes with as many stations and random vectors differ in factors of rows and
 * columns only, so one of them is enough. Returns the first such class. */
static size_t find_like(const struct shares_learnt *s, size_t class)
{
    const uint32_t *randoms = s->plan->aligned->randoms;
    size_t like = 0;

    while (shares_learnt_stations(s, like) != shares_learnt_stations(s, class) ||
           randoms[like] != randoms[class])
        like++;
    return like;
}

int shares_learnt_aligned(struct shares_learnt *s, struct hagg_err *err)
{
    const struct plan_aligned *a = s->plan->aligned;
    uint32_t n = a->sharing.n_segments;
    uint32_t *holders = calloc(a->sharing.n + (size_t)1, sizeof *holders);
    int status = holders ? 0 : no_memory(err);

    s->den = n;
    for (size_t class = 0; class < s->classes.n && status == 0; class ++) {
        uint32_t v = a->parts[class], short_block = n % v;
        size_t like = find_like(s, class);

        for (uint32_t i = 0; like < class && i <= s->n_colluding; i++)
            s->learnt[class][i] = s->learnt[like][i];
        if (like < class)
            continue;
        plan_aligned_holders(a, class, holders);
        status = add_blocks(s, class, holders, 0, v, n / v, err) ||
                         add_blocks(s, class, holders, n - short_block, n, 1, err)
                     ? -1
                     : 0;
    }
    free(holders);
    return status;
}
