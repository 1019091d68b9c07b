#include "cost/report/ratios.h"

#include <string.h>

#include "cost/count/bound.h"
#include "cost/count/fraction.h"

static void set_range(struct report_value *v, uint64_t low_num, uint64_t low_den, uint64_t high_num,
                      uint64_t high_den)
{
    v->has_range = true;
    fraction_add(v->low, 1, low_num, low_den);
    fraction_add(v->high, 1, high_num, high_den);
}

/* value = (total - keys) / sharings, where sharings is everything that clients send except keys.
 * Only keys in the clear count as keys. */
static void set_ratio(struct report_value *v, const struct report_row *row)
{
    mpq_t sharings, part;

    mpq_inits(sharings, part, NULL);
    fraction_add(part, row->sheet.n_client_keys, 1, 1);
    mpq_sub(sharings, row->sheet.links[LINK_CLIENT_STATION].times, part);
    mpq_set_ui(part, 0, 1);
    fraction_add(part, row->sheet.n_keys, 1, 1);
    mpq_sub(v->value, row->sheet.total.times, part);
    mpq_div(v->value, v->value, sharings);
    v->has_value = true;
    mpq_clears(sharings, part, NULL);
}

/* The cost of sharings over the chosen sets divided by the cost over all stations that clients
 * reach. */
static void set_xi(struct report_value *v, const struct report_row *row,
                   const struct setsizes *reach, uint32_t z)
{
    mpq_t whole;

    mpq_init(whole);
    for (uint32_t m = z + 1; m <= reach->most; m++)
        fraction_add(whole, 2 * reach->clients[m], m, m - z);
    mpq_div(v->value, row->sheet.links[LINK_CLIENT_STATION].times, whole);
    v->has_value = true;
    mpq_clear(whole);
}

/* Adds a value of the row, computed by set_ratio, and its range. */
static int add_ratio(struct report *r, const char *name, const struct report_row *row,
                     uint64_t low_num, uint64_t low_den, uint64_t high_num, uint64_t high_den,
                     struct hagg_err *err)
{
    struct report_value *v = report_add_value(r, name, row->name, row->sets, err);

    if (!v)
        return -1;
    set_ratio(v, row);
    set_range(v, low_num, low_den, high_num, high_den);
    return 0;
}

int ratios_add(struct report *r, const struct plan *p, const char *sets,
               const struct setsizes *reach, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t n = t->n_clients, b = t->n_stations, z = t->collude_clients;
    const struct report_row *row;
    struct report_value *v;

    for (size_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].sheet.in_part)
            return 0; /* the ranges are for sums that are as long as shares */
    if ((row = report_find(r, "c1", sets)) && add_ratio(r, "beta", row, n + 1, n, 2, 1, err))
        return -1;
    if ((row = report_find(r, "c3", sets)) && add_ratio(r, "beta'", row, n + 2, n, 3, 1, err))
        return -1;
    row = report_find(r, "c2", sets);
    if (!row || plan_tiers(p) > 1 || strcmp(row->against, "not private") == 0)
        return 0;
    if (add_ratio(r, "gamma", row, n + 1, n, 2 + z, 1 + z, err))
        return -1;
    v = report_add_value(r, "xi", "c2", sets, err);
    if (!v)
        return -1;
    set_xi(v, row, reach, t->collude_stations);
    set_range(v, 1, 1, b - t->collude_stations, 1);
    return 0;
}

int ratios_add_tau(struct report *r, const struct plan *p, const char *sets, uint32_t n_reached,
                   uint32_t n_shares, struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    struct report_value *v;
    uint32_t k, z;

    if (plan_shape(p, 0, n_shares, &k, &z, &shape, err))
        return -1;
    v = report_add_value(r, "tau", "c3", sets, err);
    if (!v)
        return -1;
    v->has_value = true;
    fraction_add(v->value, n_reached, shape.symbols, shape.parts);
    return 0;
}

int ratios_add_tau_of_plan(struct report *r, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t n_reached = 0, n_shares = 0;
    double most = 0;

    for (size_t g = 0; g < t->n_groups; g++) {
        struct hagg_scheme_shape shape;
        struct plan_route route;
        uint32_t k, z;

        plan_route(p, &t->groups[g], PLAN_SHARES, &route);
        if (plan_shape(p, 0, (uint32_t)route.lists[0]->n, &k, &z, &shape, err))
            return -1;
        /* the numbers are so small that different fractions are different doubles */
        if ((double)t->groups[g].via.n * shape.symbols / shape.parts > most) {
            most = (double)t->groups[g].via.n * shape.symbols / shape.parts;
            n_reached = (uint32_t)t->groups[g].via.n;
            n_shares = (uint32_t)route.lists[0]->n;
        }
    }
    return ratios_add_tau(r, p, "chosen", n_reached, n_shares, err);
}

/* n + b + (n + 1) r(b, z) and n + b + 2 n (z + 1). */
static void set_c1_range(struct report_value *v, uint64_t n, uint64_t b, uint64_t z)
{
    v->has_range = true;
    fraction_add(v->low, 1, n + b, 1);
    fraction_add(v->low, n + 1, b, b - z);
    fraction_add(v->high, 1, n + b, 1);
    fraction_add(v->high, 2 * n, z + 1, 1);
}

/* n + b + 1 + (n + 2) r(w, z) and n (2 z + 3) + 2 b + 1 + z (H(w - z) - 1), where the paper has one
 * less: docs/errata.md. */
static void set_c3_range(struct report_value *v, uint64_t n, uint64_t b, uint64_t w, uint64_t z)
{
    mpq_t one;

    mpq_init(one);
    fraction_add(one, z, 1, 1);
    v->has_range = true;
    fraction_add(v->low, 1, n + b + 1, 1);
    fraction_add(v->low, n + 2, w, w - z);
    fraction_add(v->high, n, 2 * z + 3, 1);
    fraction_add(v->high, 1, 2 * b + 1, 1);
    for (uint64_t i = 1; i <= w - z; i++)
        fraction_add(v->high, z, 1, i);
    mpq_sub(v->high, v->high, one);
    mpq_clear(one);
}

int ratios_add_ranges(struct report *r, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t b = t->n_stations, w = b < t->n_relays ? b : t->n_relays;
    uint32_t z = t->collude_stations > t->collude_relays ? t->collude_stations : t->collude_relays;
    const char *row = t->n_relays > 0 ? "c3" : "c1";
    struct report_value *v;

    if (t->drop_stations > 0 || t->drop_relays > 0 ||
        (t->n_relays > 0 ? w <= z : b <= t->collude_stations))
        return 0;
    v = report_add_value(r, row, row, "", err);
    if (!v)
        return -1;
    if (t->n_relays > 0)
        set_c3_range(v, t->n_clients, b, w, z);
    else
        set_c1_range(v, t->n_clients, b, t->collude_stations);
    return 0;
}
