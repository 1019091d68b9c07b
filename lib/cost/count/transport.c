#include "cost/count/transport.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_patterns.h"

/* The stages that transport does not replace. */
static bool is_kept(const struct stage *s)
{
    return s->relays != STAGE_RESHARED;
}

/* n_patterns sums, each shared among n_stations, are shared again among n_relays. Then n_sums sums
 * of the new sharings go from the relays to the federator. A station splits its contribution to
 * each relay's share into n_relays - z pieces and sends shares of them through all relays, which
 * add up the shares of all stations and pass them on. */
static int add(struct sheet *sheet, const struct plan *p, uint64_t length, size_t n_stations,
               size_t n_relays, uint64_t n_patterns, uint64_t n_sums, struct hagg_err *err)
{
    struct hagg_scheme_shape before, after;
    uint64_t n = n_relays, pieces, share, n_symbols;
    uint32_t k, z, new_k;

    if (plan_shape(p, 0, (uint32_t)n_stations, &k, &z, &before, err) ||
        plan_shape(p, 1, (uint32_t)n_relays, &new_k, &z, &after, err))
        return -1;
    pieces = n - z;
    share = scheme_share_length(&after, length);
    n_symbols = share / pieces + (share % pieces != 0);
    sheet_line_add_times(&sheet->links[LINK_STATION_RELAY], n_patterns, k * n * n, after.symbols,
                         after.parts * pieces, n_symbols);
    sheet_line_add_times(&sheet->links[LINK_RELAY_RELAY], n_patterns, n * (n - 1), after.symbols,
                         after.parts * pieces, n_symbols);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, n_sums * n, after.symbols, after.parts, share);
    return 0;
}

int transport_of_numbers(struct sheet *sheet, const struct uniform *u, uint64_t length,
                         struct hagg_err *err)
{
    if (numbers_add_round(sheet, u, length, is_kept, err))
        return -1;
    return add(sheet, u->plan, length, u->n_stations, u->n_relays, u->n_patterns, 1, err);
}

static int compare_relays(const void *a, const void *b)
{
    const struct topology_list *x = ((const struct plan_route *)a)->lists[1];
    const struct topology_list *y = ((const struct plan_route *)b)->lists[1];

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return memcmp(x->numbers, y->numbers, x->n * sizeof *x->numbers);
}

/* Sums for the same relays are merged. */
int transport_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                      struct hagg_err *err)
{
    struct plan_patterns patterns;
    int status = 0;

    if (sheet_add_round(sheet, p, length, is_kept, err) ||
        plan_patterns_new(&patterns, p, PLAN_SHARES, 0, err))
        return -1;
    qsort(patterns.routes, patterns.n, sizeof *patterns.routes, compare_relays);
    for (size_t i = 0; i < patterns.n && status == 0; i++) {
        const struct plan_route *route = &patterns.routes[i];
        bool is_new = i == 0 || compare_relays(route - 1, route) != 0;

        status = add(sheet, p, length, route->lists[0]->n, route->lists[1]->n, 1, is_new, err);
    }
    plan_patterns_free(&patterns);
    return status;
}
