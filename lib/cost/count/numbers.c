#include "cost/count/numbers.h"

bool numbers_suffice(const struct uniform *u)
{
    const struct topology *t = &u->plan->topology;

    return u->n_stations >= topology_fewest(t, 0);
}

/* The number of messages of a stage. k stations of each set send transfers. */
static uint64_t count(const struct uniform *u, const struct stage *s, uint32_t k)
{
    const struct topology *t = &u->plan->topology;
    bool is_whole = s->kind == HEADER_VECTOR;

    if (s->from == NODE_CLIENT)
        return t->n_clients * (is_whole ? 1 : (uint64_t)u->n_stations);
    if (is_whole)
        return s->to == NODE_STATION ? t->n_stations - 1 : 1;
    if (s->kind == HEADER_TRANSFER)
        return u->n_patterns * k * u->n_relays;
    return s->from == NODE_STATION ? u->n_patterns * u->n_stations : u->n_relays;
}

int numbers_add_round(struct sheet *sheet, const struct uniform *u, uint64_t length,
                      sheet_counts_fn *counts, struct hagg_err *err)
{
    const struct plan *p = u->plan;
    struct hagg_scheme_shape shapes[PLAN_TIERS] = { 0 };
    uint32_t k[PLAN_TIERS], z;

    if (plan_shape(p, 0, u->n_stations, &k[0], &z, &shapes[0], err) ||
        (p->topology.transform && plan_shape(p, 1, u->n_relays, &k[1], &z, &shapes[1], err)))
        return -1;
    for (const struct stage *s = NULL; (s = protocol_next_stage(&p->topology, s));) {
        struct message each = { .stage = s };

        if (counts && !counts(s))
            continue;
        if (protocol_set_size(&each, &shapes[0], &shapes[1], p->name, err))
            return -1;
        sheet_add_messages(sheet, &each, count(u, s, k[0]), length);
    }
    return 0;
}
