#include "cost/count/transport.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_patterns.h"

/* The stages that transport does not replace. */
static bool is_kept(const struct stage *s)
{
    return s->relays != STAGE_RESHARED;
}

/* A pattern of stations, or several of the same size, and the relays that share its sums again. */
struct resharing {
    uint64_t n_patterns, n_sums;
    size_t n_stations, n_relays;
    const struct topology_list *stations, *relays; /* NULL if only the numbers are known */
};

/* Adds what the nodes of the list pay for n messages each. */
static void charge(struct sheet *sheet, enum topology_link link, enum node_tier tier,
                   const struct topology_list *list, size_t n_nodes,
                   uint64_t (*pays)(const struct topology_prices *, struct node), uint64_t n,
                   struct sheet_size size)
{
    for (size_t i = 0; list && sheet->prices && i < n_nodes; i++) {
        size.price = pays(sheet->prices, (struct node){ tier, list->numbers[i] });
        sheet_line_charge(&sheet->links[link], n, size);
    }
}

/* The sums of the patterns are shared again among the relays. Then n_sums sums of the new sharings
 * go from the relays to the federator. A station splits its contribution to each relay's share
 * into n_relays - z pieces and sends shares of them through all relays, which add up the shares of
 * all stations and pass them on. The station draws the random vectors of the new sharing, and z for
 * each relay's share. */
static int add(struct sheet *sheet, const struct plan *p, uint64_t length,
               const struct resharing *r, struct hagg_err *err)
{
    struct hagg_scheme_shape before, after;
    uint64_t n = r->n_relays, pieces, share;
    struct sheet_size piece, sum;
    uint32_t k, z, new_k;

    if (plan_shape(p, 0, (uint32_t)r->n_stations, &k, &z, &before, err) ||
        plan_shape(p, 1, (uint32_t)r->n_relays, &new_k, &z, &after, err))
        return -1;
    pieces = n - z;
    share = scheme_share_length(&after, length);
    piece = (struct sheet_size){ .num = after.symbols,
                                 .den = after.parts * pieces,
                                 .n_symbols = share / pieces + (share % pieces != 0) };
    sum = (struct sheet_size){ .num = after.symbols, .den = after.parts, .n_symbols = share };
    sheet_add_times(sheet, LINK_STATION_RELAY, r->n_patterns, k * n * n, piece);
    sheet_add_times(sheet, LINK_RELAY_RELAY, r->n_patterns, n * (n - 1), piece);
    sheet_add(sheet, LINK_RELAY_FEDERATOR, r->n_sums * n, sum);
    if (after.randoms > 0)
        sheet_line_add(&sheet->draws[DRAWS_STATIONS], r->n_patterns * k, after.randoms, after.parts,
                       after.randoms * (share / after.symbols));
    sheet_line_add_times(&sheet->draws[DRAWS_STATIONS], r->n_patterns, k * n * z, piece);
    charge(sheet, LINK_STATION_RELAY, NODE_STATION, r->stations, k, prices_send, n * n, piece);
    charge(sheet, LINK_STATION_RELAY, NODE_RELAY, r->relays, n, prices_receive, k * n, piece);
    charge(sheet, LINK_RELAY_RELAY, NODE_RELAY, r->relays, n, prices_send, n - 1, piece);
    charge(sheet, LINK_RELAY_RELAY, NODE_RELAY, r->relays, n, prices_receive, n - 1, piece);
    charge(sheet, LINK_RELAY_FEDERATOR, NODE_RELAY, r->relays, n, prices_send, r->n_sums, sum);
    return 0;
}

int transport_of_numbers(struct sheet *sheet, const struct uniform *u, uint64_t length,
                         struct hagg_err *err)
{
    if (numbers_add_round(sheet, u, length, false, is_kept, err))
        return -1;
    return add(sheet, u->plan, length,
               &(struct resharing){ .n_patterns = u->n_patterns,
                                    .n_sums = 1,
                                    .n_stations = u->n_stations,
                                    .n_relays = u->n_relays },
               err);
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

        status = add(sheet, p, length,
                     &(struct resharing){ .n_patterns = 1,
                                          .n_sums = is_new,
                                          .n_stations = route->lists[0]->n,
                                          .n_relays = route->lists[1]->n,
                                          .stations = route->lists[0],
                                          .relays = route->lists[1] },
                     err);
    }
    plan_patterns_free(&patterns);
    return status;
}
