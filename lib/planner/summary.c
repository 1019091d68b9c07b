#include "planner/summary.h"

#include <stdlib.h>
#include <string.h>

#include "cost/count/bound.h"
#include "cost/count/fraction.h"
#include "plan/plan_aligned.h"
#include "plan/plan_collusion.h"
#include "cost/count/plan_cost.h"
#include "planner/summary_field.h"
#include "planner/summary_parts.h"
#include "planner/summary_privacy.h"
#include "planner/table.h"
#include "topology/topology_tolerate.h"

/* The strength is searched at least this far beyond what the topology requires, and further while
 * the maximum flows need at most this many steps, a fraction of a second. */
#define STRENGTH_BEYOND 8
#define STRENGTH_STEPS  UINT64_C(50000000)

/* With no more segments, only very short vectors are much longer than necessary. */
#define FEW_SEGMENTS 12

static void print_ratio(const mpq_t a, const mpq_t b, struct text *text)
{
    mpq_t ratio;

    if (mpq_sgn(b) == 0)
        return;
    mpq_init(ratio);
    mpq_div(ratio, a, b);
    text_printf(text, ", ratio ");
    fraction_print_decimal(ratio, text);
    mpq_clear(ratio);
}

static void print_cost(const struct plan *p, const struct plan_cost *cost, struct text *text)
{
    const char *before = ": ";

    text_printf(text, "cost ");
    fraction_print(cost->total, text);
    text_printf(text, " times the vector");
    if (mpz_sgn(cost->n_seeds) > 0) {
        text_printf(text, " and ");
        fraction_print_integer(cost->n_seeds, text);
        text_printf(text, " seed%s", mpz_cmp_ui(cost->n_seeds, 1) == 0 ? "" : "s");
    }
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (mpq_sgn(cost->links[link]) > 0) {
            text_printf(text, "%s%s ", before, plan_cost_link_name(link));
            fraction_print(cost->links[link], text);
            before = ", ";
        }
    if (p->topology.aligned)
        text_printf(text, " in one sum per station\n");
    else
        text_printf(text, " in %zu pattern%s\n", cost->n_patterns,
                    cost->n_patterns == 1 ? "" : "s");
}

/* With a length, also what the symbols and seeds of a round cost. */
static void print_price(const struct plan *p, const struct plan_cost *cost, struct text *text)
{
    if (!cost->has_prices)
        return;
    text_printf(text, "price ");
    fraction_print(cost->price, text);
    text_printf(text, " times that of the vector on a link of price 1");
    if (p->topology.length > 0) {
        text_printf(text, ", ");
        fraction_print(cost->symbol_price, text);
        text_printf(text, " for the symbols of a round");
    }
    text_printf(text, "; lower bound ");
    fraction_print(cost->price_bound, text);
    print_ratio(cost->price, cost->price_bound, text);
    text_printf(text, "\n");
}

/* Whether the plan would be private if each client shared over its whole reach. Always true under
 * partial collusion. */
static int reaches_are_private(const struct plan *p, enum collusion_condition condition,
                               bool *is_private, struct hagg_err *err)
{
    struct plan_graph graph;
    int status;

    *is_private = true;
    if (!p->topology.full)
        return 0;
    if (plan_graph_new(&graph, p, true, NULL, err))
        return -1;
    status = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x,
                               p->topology.collude_clients, condition, NULL, err);
    *is_private = status == 1;
    plan_graph_free(&graph);
    return status < 0 ? -1 : 0;
}

/* With protocol keys and without relays only: the cost if each client shared over its whole reach.
 */
static int print_whole(const struct plan *p, enum collusion_condition condition, struct text *text,
                       struct hagg_err *err)
{
    struct plan_cost whole;
    bool is_private;

    if (plan_tiers(p) > 1 || p->topology.aligned)
        return 0;
    if (reaches_are_private(p, condition, &is_private, err) || plan_cost_new(&whole, p, true, err))
        return -1;
    text_printf(text, "for comparison, with all stations that clients reach: cost ");
    fraction_print(whole.total, text);
    text_printf(text, "%s\n", is_private ? "" : ", but not private");
    plan_cost_free(&whole);
    return 0;
}

/* With protocol aligned relays may learn the total, so it can cost less than a protocol that hides
 * it from them. */
static void print_bound(const struct plan *p, const struct plan_cost *cost, struct text *text)
{
    bool told = p->topology.aligned && p->topology.n_relays > 0;
    uint64_t n = summary_privacy_clients(&p->topology), n_clients = p->topology.n_clients;

    text_printf(text, "lower bound for any %sprotocol%s%s", n == 0 ? "private " : "",
                n > 0 ? " with this privacy" : "", told ? " that hides the total from relays" : "");
    if (n == n_clients)
        text_printf(text, ", computational");
    else if (n > 0)
        text_printf(text, ", information-theoretic for %llu of %llu clients",
                    (unsigned long long)(n_clients - n), (unsigned long long)n_clients);
    text_printf(text, ": ");
    fraction_print(cost->bound, text);
    print_ratio(cost->total, cost->bound, text);
}

/* The bound of the linear program, if it is larger. */
static int print_sharper(const struct plan *p, const struct plan_cost *cost, struct text *text,
                         struct hagg_err *err)
{
    mpq_t low, high;
    int status;

    mpq_inits(low, high, NULL);
    status = bound_sharper(low, high, NULL, p, err);
    if (status == 0 && mpq_cmp(low, cost->bound) > 0) {
        text_printf(text, "\nsharper lower bound for this network: ");
        fraction_print(low, text);
        print_ratio(cost->total, low, text);
    }
    mpq_clears(low, high, NULL);
    return status;
}

/* A bound that knew of missing nodes would be larger. */
static void print_bound_scope(const struct plan *p, struct text *text)
{
    if (topology_spares(&p->topology, 0) > 0 || topology_spares(&p->topology, 1) > 0)
        text_printf(text, "\nbounds are for rounds in which no station or relay may be missing, so "
                          "the ratio includes the price of spare ones");
}

/* With protocol aligned and a length, symbols are counted, with all rounding. */
static void print_certainty(const struct plan *p, const struct plan_cost *cost,
                            const struct planner_result *result, struct text *text)
{
    const struct planner_certainty *c = &result->certainty;
    bool names_scheme = result->schemes && !p->topology.aligned && (c->proved || c->bound > 0);
    double total = mpq_get_d(cost->has_prices ? cost->price : cost->total);

    if (c->proved)
        text_printf(text, "\nproved: no other private choice of station sets %s",
                    cost->has_prices                                ? "has a lower price"
                    : p->topology.aligned && p->topology.length > 0 ? "sends fewer symbols"
                                                                    : "costs less");
    else if (c->bound > 0)
        text_printf(
            text,
            "\nthe best plan found; no private choice of station sets %s less than %.3f, ratio "
            "%.3f",
            cost->has_prices ? "has a price of" : "costs", total - c->cost + c->bound,
            total / (total - c->cost + c->bound));
    else
        text_printf(text, "\nthe best plan found; there may be a cheaper one");
    if (names_scheme)
        text_printf(text, ", with scheme %s", p->topology.scheme);
}

/* How far the strength is searched. n_vertices flows, each of up to as many clients as may be
 * removed, visit the edges of the graph. */
static uint32_t strength_limit(const struct plan_graph *g, uint32_t required)
{
    uint64_t n_pairs = (uint64_t)g->n_y * g->n_x;
    uint64_t n_edges = g->n_edges < n_pairs ? g->n_edges : n_pairs;
    uint64_t limit = STRENGTH_STEPS / ((uint64_t)g->n_y + g->n_x) / n_edges;

    if (limit < (uint64_t)required + STRENGTH_BEYOND)
        limit = (uint64_t)required + STRENGTH_BEYOND;
    return (uint32_t)(limit < g->n_edges ? limit : g->n_edges);
}

/* Two clients are the fewest whose total is not the vector of one, so more than all others need not
 * be considered. */
static int print_strength(const struct plan *p, enum collusion_condition condition,
                          struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t required = t->collude_clients + t->drop_clients, limit = 0;
    int64_t strength = t->n_clients;
    int status = 0;

    if (!t->aligned && !t->full)
        return 0;
    if (!t->aligned) {
        struct plan_graph g;

        if (plan_graph_new(&g, p, false, NULL, err))
            return -1;
        limit = strength_limit(&g, required);
        status =
            collusion_strength(g.edges, g.n_edges, g.n_y, g.n_x, condition, limit, &strength, err);
        plan_graph_free(&g);
    }
    if (status)
        return -1;
    if (strength < 0) {
        text_printf(text, "\nnot private, even if no client colludes");
        return 0;
    }
    text_printf(text, "\nclients that may collude or be missing: ");
    if ((uint64_t)strength + 2 >= t->n_clients)
        text_printf(text, "any number");
    else
        text_printf(text, "%s%lld", strength == limit ? "at least " : "", (long long)strength);
    text_printf(text, " (required: %u", required);
    if (t->collude_clients > 0 && t->drop_clients > 0)
        text_printf(text, ", %u colluding and %u missing", t->collude_clients, t->drop_clients);
    text_printf(text, ")");
    return 0;
}

/* Such a station has nothing to do in a round. */
static int print_unused(const struct plan *p, struct text *text, struct hagg_err *err)
{
    uint32_t n = p->topology.n_stations;
    struct topology_list unused = { 0 };

    if (!p->aligned || p->aligned->stations.n == n)
        return 0;
    unused.numbers = calloc(n, sizeof *unused.numbers);
    if (!unused.numbers)
        return err_errno(err, "%s", p->name);
    for (uint32_t u = 1; u <= n; u++)
        if (p->aligned->holder_of[u] == UINT32_MAX)
            unused.numbers[unused.n++] = u;
    text_printf(text, "\nnot used by any client: station%s", unused.n == 1 ? "" : "s");
    topology_print_numbers(text, &unused);
    free(unused.numbers);
    return 0;
}

/* The topology has no line for links between stations, so a plan may need some that do not exist.
 */
static void print_station_links(const struct plan *p, const struct plan_cost *cost,
                                struct text *text)
{
    const struct topology *t = &p->topology;

    if (mpq_sgn(cost->links[LINK_STATION_STATION]) == 0)
        return;
    if (!t->aligned) {
        text_printf(text,
                    "\nstations pass on the total of the keys from one to the next: if they cannot "
                    "send to each other, use collude full");
        return;
    }
    if (t->dealers.n == 0)
        return; /* couriers only: see summary_privacy.c */
    text_printf(text, "\nstation%s", t->dealers.n == 1 ? "" : "s");
    topology_print_numbers(text, &t->dealers);
    text_printf(text, " send%s masks to other stations", t->dealers.n == 1 ? "s" : "");
    if (!summary_privacy_couriers(t)) /* which protocol keys does not have under full collusion */
        text_printf(text, ": if %s cannot, use %s--protocol keys",
                    t->dealers.n == 1 ? "it" : "they", t->full ? "" : "collude full and ");
}

static void print_segments(const struct plan *p, struct text *text)
{
    const struct topology *t = &p->topology;

    if (t->aligned && t->length == 0 && t->segments > FEW_SEGMENTS)
        text_printf(text,
                    "\n%u segments, for long vectors: shorter ones are filled up to %u elements; a "
                    "line length N in the topology chooses segments for vectors of N elements",
                    t->segments, t->segments);
}

/* What promises that tolerate something save, against the best plan in which as many stations learn
 * nothing. If that is cheaper, it was chosen. */
static void print_tolerated(const struct plan *p, const struct planner_result *result,
                            const struct plan_cost *cost, struct text *text)
{
    const struct topology *t = &p->topology;
    mpq_t saved;

    for (size_t i = 0; result && i < result->n_attempts; i++) {
        const struct planner_attempt *a = &result->attempts[i];
        int sign;

        if (strcmp(a->name, PLANNER_STRICT) || a->outcome != PLANNER_FOUND)
            continue;
        if (i == result->chosen) {
            text_printf(text,
                        "\ntolerate saves nothing here: the plan has stations=%u instead, with "
                        "which all of them learn nothing",
                        t->collude_stations);
            continue;
        }
        mpq_init(saved);
        mpq_sub(saved, a->cost.total, cost->total);
        sign = mpq_sgn(saved);
        mpq_abs(saved, saved);
        text_printf(text, "\ntolerating");
        for (size_t j = 0; j < t->n_tolerated; j++)
            text_printf(text, "%s %u/%u at %u", j == 0 ? "" : ",", t->tolerated[j].num,
                        t->tolerated[j].den, t->tolerated[j].stations);
        text_printf(text, " stations %s ", sign < 0 ? "costs" : "saves");
        fraction_print(saved, text);
        text_printf(text, " against stations=%u, with which all of them learn nothing",
                    topology_tolerate_most(t));
        mpq_clear(saved);
    }
}

int summary_print(const struct plan *p, const struct planner_result *result,
                  enum collusion_condition condition, struct text *text, struct hagg_err *err)
{
    struct plan_cost cost;
    int status;

    if (plan_cost_new(&cost, p, false, err))
        return -1;
    if (result && result->n_attempts > 1)
        table_print(result, p, text);
    print_cost(p, &cost, text);
    print_price(p, &cost, text);
    status = print_whole(p, condition, text, err);
    print_bound(p, &cost, text);
    if (status == 0)
        status = print_sharper(p, &cost, text, err);
    print_bound_scope(p, text);
    if (p->topology.transform)
        text_printf(text, "\nstations make new shares for the relays: hagg-transform");
    if (status == 0)
        status = summary_parts_print(p, &cost, text, err);
    if (status == 0 && result)
        print_certainty(p, &cost, result, text);
    print_tolerated(p, result, &cost, text);
    if (status == 0)
        print_station_links(p, &cost, text);
    plan_cost_free(&cost);
    if (status || summary_privacy_print(p, text, err) || print_unused(p, text, err) ||
        print_strength(p, condition, text, err))
        return -1;
    if (result)
        print_segments(p, text);
    return summary_field_print(p, text, err);
}
