#include "planner/cover/cover_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the cost of every set of reach classes as one group. */
static int price_groups(const struct instance *in, double *price)
{
    uint64_t *meet = malloc((COVER_EXACT_MOST + 1) * in->n_words * sizeof *meet);
    uint32_t weight[COVER_EXACT_MOST + 1] = { 0 };

    if (!meet)
        return -1;
    memset(meet, 0xff, in->n_words * sizeof *meet);
    /* depth-first over the sets: the intersection at depth d + 1 adds one reach to the one at d */
    uint32_t member[COVER_EXACT_MOST];
    uint32_t depth = 0, next = 0, group = 0;
    for (;;) {
        if (next < in->n_reach_classes) {
            uint64_t *here = meet + (depth + 1) * in->n_words;
            uint32_t size =
                set_intersect(here, here - in->n_words, instance_reach(in, next), in->n_words);

            group |= UINT32_C(1) << next;
            weight[depth + 1] = weight[depth] + in->weight[next];
            price[group] = weight[depth + 1] * in->rate[size] + in->fee[size];
            member[depth++] = next++;
        } else if (depth > 0) {
            next = member[--depth];
            group &= ~(UINT32_C(1) << next);
            next++;
        } else
            break;
    }
    free(meet);
    return 0;
}

uint32_t cover_exact(const struct instance *in, uint32_t *group, struct hagg_err *err)
{
    uint32_t all = (UINT32_C(1) << in->n_reach_classes) - 1, n_groups = 0;
    double *price = malloc((all + 1) * sizeof *price);
    double *best = malloc((all + 1) * sizeof *best);
    uint32_t *first = malloc((all + 1) * sizeof *first);

    if (!price || !best || !first || price_groups(in, price)) {
        err_errno(err, "no memory for groups of clients");
        goto out;
    }
    best[0] = 0;
    for (uint32_t set = 1; set <= all; set++) {
        uint32_t lowest = set & -set, others = set ^ lowest;

        /* try the lowest reach class together with each subset of the others */
        best[set] = INFINITY;
        for (uint32_t with = others;; with = (with - 1) & others) {
            double cost = price[lowest | with] + best[others ^ with];

            if (cost < best[set]) {
                best[set] = cost;
                first[set] = lowest | with;
            }
            if (with == 0)
                break;
        }
    }
    for (uint32_t set = all; set != 0; set ^= first[set], n_groups++)
        for (uint32_t left = first[set]; left; left &= left - 1)
            group[__builtin_ctz(left)] = n_groups;
out:
    free(price);
    free(best);
    free(first);
    return n_groups;
}
