#include "cost/count/plan_cost.h"

#include "cost/count/bound.h"
#include "cost/count/price_bound.h"
#include "plan/plan_patterns.h"
#include "cost/count/variant.h"

const char *plan_cost_link_name(enum topology_link link)
{
    static const char *const names[N_LINKS] = {
        [LINK_CLIENT_STATION] = "clients to stations",
        [LINK_STATION_STATION] = "station to station",
        [LINK_STATION_RELAY] = "stations to relays",
        [LINK_RELAY_RELAY] = "relay to relay",
        [LINK_STATION_FEDERATOR] = "stations to federator",
        [LINK_RELAY_FEDERATOR] = "relays to federator",
    };

    return names[link];
}

/* Counts the patterns of which the federator receives sums. */
static int add_patterns(struct plan_cost *cost, const struct plan *p, enum plan_what what,
                        struct hagg_err *err)
{
    struct plan_patterns patterns;

    if (plan_patterns_new(&patterns, p, what, plan_tiers(p) - 1, err))
        return -1;
    cost->n_patterns += patterns.n;
    plan_patterns_free(&patterns);
    return 0;
}

static int add_round(struct plan_cost *cost, const struct plan *p, struct sheet *sheet,
                     struct hagg_err *err)
{
    if (add_patterns(cost, p, PLAN_SHARES, err) ||
        (p->topology.full && add_patterns(cost, p, PLAN_KEYS, err)))
        return -1;
    return sheet_add_round(
        sheet, p, p->topology.length > 0 ? p->topology.length + p->topology.samples : 0, NULL, err);
}

static int add_whole(struct plan_cost *cost, const struct plan *p, struct sheet *sheet,
                     struct hagg_err *err)
{
    struct variant whole = { .full = p->topology.full, .whole = true };
    struct plan other;
    int status;

    if (variant_new(&other, p, whole, err))
        return -1;
    status = add_round(cost, &other, sheet, err);
    variant_free(&other);
    return status;
}

void plan_cost_init(struct plan_cost *cost)
{
    mpq_inits(cost->total, cost->bound, cost->price, cost->symbol_price, cost->price_bound, NULL);
    mpz_inits(cost->n_symbols, cost->n_seeds, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_init(cost->links[i]);
    cost->n_patterns = 0;
    cost->has_prices = cost->in_part = false;
}

static void set_prices(struct plan_cost *cost, const struct plan *p, const struct sheet *sheet)
{
    uint32_t unit = prices_unit(&p->topology.prices);

    cost->has_prices = p->topology.prices.unit > 0;
    if (!cost->has_prices)
        return;
    sheet_line_price(cost->price, &sheet->total, unit);
    if (p->topology.length > 0)
        sheet_line_symbol_price(cost->symbol_price, &sheet->total, field_elem_size(p->field), unit);
}

int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err)
{
    struct sheet sheet;
    int status;

    sheet_init(&sheet);
    sheet.prices = &p->topology.prices;
    plan_cost_init(cost);
    status = (whole ? add_whole : add_round)(cost, p, &sheet, err);
    if (status == 0)
        status = bound_of_plan(cost->bound, p, err);
    if (status == 0 && p->topology.prices.unit > 0)
        status = price_bound_of_plan(cost->price_bound, p, NULL, err);
    sheet_close(&sheet);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_set(cost->links[i], sheet.links[i].times);
    mpq_set(cost->total, sheet.total.times);
    mpz_set(cost->n_symbols, sheet.total.n_symbols);
    mpz_set(cost->n_seeds, sheet.total.n_seeds);
    cost->in_part = sheet.in_part;
    set_prices(cost, p, &sheet);
    sheet_clear(&sheet);
    if (status)
        plan_cost_free(cost);
    return status;
}

int plan_cost_compare(const struct plan_cost *a, const struct plan_cost *b)
{
    bool symbols = mpz_sgn(a->n_symbols) > 0 && mpz_sgn(b->n_symbols) > 0;
    int order = 0;

    if (a->has_prices && b->has_prices)
        order = symbols ? mpq_cmp(a->symbol_price, b->symbol_price) : mpq_cmp(a->price, b->price);
    if (order != 0)
        return order;
    if (symbols)
        return mpz_cmp(a->n_symbols, b->n_symbols);
    return mpq_cmp(a->total, b->total);
}

void plan_cost_free(struct plan_cost *cost)
{
    mpq_clears(cost->total, cost->bound, cost->price, cost->symbol_price, cost->price_bound, NULL);
    mpz_clears(cost->n_symbols, cost->n_seeds, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_clear(cost->links[i]);
}
