#include "cost/packing/packing_sum.h"

#include <stdlib.h>

int packing_sum_new(struct packing_sum *s, uint32_t z, struct hagg_err *err)
{
    *s = (struct packing_sum){
        .largest = calloc(z + (size_t)1, sizeof *s->largest),
        .nodes = calloc(z + (size_t)1, sizeof *s->nodes),
    };
    if (s->largest && s->nodes)
        return 0;
    packing_sum_free(s);
    return err_errno(err, "no memory for the sharper bound");
}

void packing_sum_free(struct packing_sum *s)
{
    free(s->largest);
    free(s->nodes);
    *s = (struct packing_sum){ 0 };
}

double packing_sum_least(struct packing_sum *s, const struct topology_list *set, uint32_t z,
                         const double *prices)
{
    uint32_t n = 0;
    double sum = 0;

    for (size_t i = 0; i < set->n; i++) {
        uint32_t node = set->numbers[i] - 1, at;
        double price = prices[node];

        sum += price;
        if (n == z && (n == 0 || price <= s->largest[n - 1]))
            continue;
        for (at = n < z ? n++ : n - 1; at > 0 && s->largest[at - 1] < price; at--) {
            s->largest[at] = s->largest[at - 1];
            s->nodes[at] = s->nodes[at - 1];
        }
        s->largest[at] = price;
        s->nodes[at] = node;
    }
    for (uint32_t i = 0; i < n; i++)
        sum -= s->largest[i];
    s->n = n;
    return sum;
}

bool packing_sum_drops(const struct packing_sum *s, uint32_t node)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->nodes[i] == node)
            return true;
    return false;
}
