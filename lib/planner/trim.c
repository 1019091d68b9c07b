#include "planner/trim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/count/prices.h"
#include "plan/plan_patterns.h"
#include "topology/topology_resolve.h"

/* A station of a pattern: the price of a multiple of the vector there, of all clients, and of the
 * sum. */
struct member {
    double clients, sum;
    uint32_t station;
};

static int by_price(const void *x, const void *y)
{
    const struct member *a = x, *b = y;
    double price_a = a->clients + a->sum, price_b = b->clients + b->sum;

    return price_a != price_b ? (price_a > price_b ? 1 : -1)
                              : (a->station > b->station) - (a->station < b->station);
}

static struct member member_of(const struct topology_prices *p, uint32_t station, double n_clients)
{
    struct node node = { NODE_STATION, station };

    return (struct member){ n_clients *
                                (double)prices_hop(p, (struct node){ NODE_CLIENT, 0 }, node),
                            (double)prices_hop(p, node, NODE_THE_FEDERATOR), station };
}

/* How many of the members, sorted by price, have the lowest price together. */
static uint32_t best_size(const struct instance *in, const struct member *members, uint32_t n)
{
    uint32_t best = n;
    double clients = 0, sum = 0, least = INFINITY;

    for (uint32_t m = 1; m <= n; m++) {
        double price;

        clients += members[m - 1].clients;
        sum += members[m - 1].sum;
        price = (clients * in->rate[m] / in->user + sum * in->fee[m]) / m;
        if (in->size[m] == m && price < least) {
            least = price;
            best = m;
        }
    }
    return best;
}

/* Removes stations from a list that n_clients clients use. members is scratch. */
static void trim_list(struct topology_list *list, const struct topology *t,
                      const struct instance *in, double n_clients, struct member *members)
{
    for (size_t i = 0; i < list->n; i++)
        members[i] = member_of(&t->prices, list->numbers[i], n_clients);
    qsort(members, list->n, sizeof *members, by_price);
    list->n = best_size(in, members, (uint32_t)list->n);
    for (size_t i = 0; i < list->n; i++)
        list->numbers[i] = members[i].station;
    topology_sort(list);
}

/* Trims the lists of *t, whose groups are those of the plan. */
static int trim_side(struct topology *t, const struct plan *p, const struct instance *in,
                     enum plan_what what, struct hagg_err *err)
{
    struct plan_patterns patterns;
    struct member *members = calloc(t->n_stations + (size_t)1, sizeof *members);
    double *n_clients = NULL;
    int status = -1;

    if (!members || plan_patterns_new(&patterns, p, what, 0, err)) {
        free(members);
        return err_errno(err, "no memory to plan");
    }
    n_clients = calloc(patterns.n + 1, sizeof *n_clients);
    for (size_t i = 0; i < t->n_clients && n_clients; i++)
        n_clients[patterns.of_group[t->clients[i].group]]++;
    for (size_t g = 0; g < t->n_groups && n_clients; g++) {
        struct topology_list *list =
            what == PLAN_SHARES ? &t->groups[g].shares : &t->groups[g].keys;

        if (t->groups[g].reach.n == 0 && list->n > 0)
            trim_list(list, t, in, n_clients[patterns.of_group[g]], members);
    }
    if (n_clients)
        status = 0;
    else
        err_errno(err, "no memory to plan");
    plan_patterns_free(&patterns);
    free(n_clients);
    free(members);
    return status;
}

/* Prints and parses a topology, which merges groups that have become equal. */
static int copy(struct topology *to, const struct topology *from, const char *name,
                struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    topology_print(from, &text);
    status = text_ok(&text) ? topology_parse(to, name, text.bytes, text.len, err)
                            : err_errno(err, "no memory to plan");
    text_free(&text);
    return status;
}

int trim_sets(struct topology *to, const struct plan *p, const struct instance *in,
              struct hagg_err *err)
{
    struct topology t;
    int status;

    if (copy(&t, &p->topology, p->name, err))
        return -1;
    status = trim_side(&t, p, in, PLAN_SHARES, err);
    if (status == 0 && t.full)
        status = trim_side(&t, p, in, PLAN_KEYS, err);
    if (status == 0)
        status = copy(to, &t, p->name, err);
    if (status == 0) { /* messages refer to line numbers of the user's file */
        to->collude_line = p->topology.collude_line;
        to->drop_line = p->topology.drop_line;
    }
    topology_free(&t);
    return status;
}
