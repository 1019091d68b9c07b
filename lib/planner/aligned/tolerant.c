#include "planner/aligned/tolerant.h"

#include <stdlib.h>

/* Numbers with many divisors. A part count that divides the number of segments wastes nothing in a
 * last block, and needs no more random vectors for its promises. */
static const uint32_t numbers[] = { 1,   2,    3,    4,    6,    8,    12,   24,
                                    36,  48,   60,   120,  180,  240,  360,  720,
                                    840, 1260, 1680, 2520, 5040, 7560, 10080 };

static int settle(struct plan *p, uint32_t n_segments, struct hagg_err *err)
{
    struct topology *t = &p->topology;

    free(t->dealers.numbers);
    t->dealers = (struct topology_list){ 0 };
    t->segments = n_segments;
    return plan_settle(p, err);
}

int tolerant_choose(struct plan *p, struct planner_certainty *certainty, struct hagg_err *err)
{
    struct topology *t = &p->topology;
    uint64_t length = t->length > 0 ? t->length + t->samples : UINT64_MAX;
    uint32_t best = 0;
    struct plan_cost least;

    *certainty = (struct planner_certainty){ 0 };
    for (size_t i = 0; i <= sizeof numbers / sizeof *numbers; i++) {
        struct plan_cost cost;
        struct hagg_err why = { 0 };

        /* the default first */
        if (i > 0 && numbers[i - 1] > length)
            break;
        if (settle(p, i > 0 ? numbers[i - 1] : 0, &why)) {
            /* too many for the field, for the format, or for the length */
            if (i > 0 && (why.status == HAGG_E_MALFORMED || why.status == HAGG_E_PRIVACY))
                continue;
            *err = why;
            goto fail;
        }
        if (plan_cost_new(&cost, p, false, err))
            goto fail;
        if (best > 0 && plan_cost_compare(&cost, &least) >= 0) {
            plan_cost_free(&cost);
            continue;
        }
        if (best > 0)
            plan_cost_free(&least);
        least = cost;
        best = t->segments;
    }
    plan_cost_free(&least);
    return settle(p, best, err);
fail:
    if (best > 0)
        plan_cost_free(&least);
    return -1;
}
