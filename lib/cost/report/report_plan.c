#include "cost/count/bound.h"
#include "cost/count/price_bound.h"
#include "plan/plan_collusion.h"
#include "plan/plan_patterns.h"
#include "cost/report/ratios.h"
#include "cost/report/report.h"
#include "cost/report/title.h"
#include "cost/count/transport.h"
#include "cost/count/unprotected.h"
#include "cost/count/variant.h"

bool report_is_routed(const struct plan *p)
{
    const struct topology *t = &p->topology;

    for (size_t g = 0; g < t->n_groups && plan_tiers(p) > 1 && !t->aligned; g++)
        if (t->groups[g].relays.n == 0 || (t->full && t->groups[g].key_relays.n == 0))
            return false;
    return true;
}

/* The kind of collusion of the plan, with the privacy of its clients. */
static const char *collusion(const struct topology *t)
{
    static const char *const names[2][3] = {
        { "partial", "partial, some computational", "partial, computational" },
        { "full", "full, some computational", "full, computational" },
    };

    return names[t->full][t->computational ? 2 : topology_has_seeds(t) ? 1 : 0];
}

/* The kind of collusion that the plan is private against. Not all sets of keys are private under
 * full collusion. NULL on error. */
static const char *strength(const struct plan *p, struct hagg_err *err)
{
    struct plan_graph graph;
    int answer;

    if (!p->topology.full || p->topology.aligned)
        return collusion(&p->topology);
    if (plan_graph_new(&graph, p, false, NULL, err))
        return NULL;
    answer = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x,
                               p->topology.collude_clients + p->topology.drop_clients,
                               COLLUSION_EXACT, NULL, err);
    plan_graph_free(&graph);
    return answer < 0 ? NULL : answer > 0 ? collusion(&p->topology) : "not private";
}

/* A row with the messages of a round. */
static int add_round(struct report *r, const char *name, const char *sets, const struct plan *p,
                     struct hagg_err *err)
{
    const char *against = strength(p, err);
    struct report_row *row = against ? report_add(r, name, sets, against, err) : NULL;

    return row ? sheet_add_round(&row->sheet, p, r->length, NULL, err) : -1;
}

/* A row without keys. With one pattern the federator sees only one sum, the total, which it may
 * see. */
static int add_bare(struct report *r, const char *name, const char *sets, const struct plan *p,
                    struct hagg_err *err)
{
    struct plan_patterns patterns;
    struct report_row *row;
    size_t n;

    if (plan_patterns_new(&patterns, p, PLAN_SHARES, plan_tiers(p) - 1, err))
        return -1;
    n = patterns.n;
    plan_patterns_free(&patterns);
    if (n != 1 || (plan_tiers(p) > 1 && p->topology.full))
        return 0;
    row = report_add(r, name, sets, collusion(&p->topology), err);
    return row ? sheet_add_round(&row->sheet, p, r->length, sheet_without_keys, err) : -1;
}

static int add_transport(struct report *r, const char *name, const char *sets, const struct plan *p,
                         struct hagg_err *err)
{
    struct report_row *row = report_add(r, name, sets, collusion(&p->topology), err);

    return row ? transport_of_plan(&row->sheet, p, r->length, err) : -1;
}

static bool is_needed(const struct report *r, const char *name)
{
    return !r->names || report_lists(r->names, name);
}

typedef int add_fn(struct report *r, const char *name, const char *sets, const struct plan *p,
                   struct hagg_err *err);

/* A row for a variant of the plan, if there is one. */
static int add_variant(struct report *r, const char *name, const char *sets, const struct plan *p,
                       struct variant v, add_fn *add, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    struct plan other;
    int status = 0;

    if (!is_needed(r, name))
        return 0;
    if (variant_new(&other, p, v, &cause)) {
        if (v.aligned && (cause.status == HAGG_E_MALFORMED || cause.status == HAGG_E_PRIVACY)) {
            r->no_aligned = cause;
            return 0;
        }
        *err = cause;
        return -1;
    }
    if (v.aligned || variant_suffices(&other))
        status = add(r, name, sets, &other, err);
    variant_free(&other);
    return status;
}

/* Rows of protocol aligned, with the sets of the plan and with all stations that clients reach. */
static int add_aligned(struct report *r, const struct plan *p, bool computational,
                       struct hagg_err *err)
{
    struct variant v = { .aligned = true,
                         .full = p->topology.full,
                         .computational = computational };
    const char *name = computational ? "aligned seeds" : "aligned";

    if (variant_is_chosen(p) && add_variant(r, name, "chosen", p, v, add_round, err))
        return -1;
    v.whole = true;
    return add_variant(r, name, "reached", p, v, add_round, err);
}

/* The rows of one choice of sets. */
static int add_choice(struct report *r, const struct plan *p, bool whole, struct hagg_err *err)
{
    const char *sets = whole ? "reached" : "chosen", *keys = plan_tiers(p) > 1 ? "c3" : "c1";
    struct variant partial = { .whole = whole }, full = { .full = true, .whole = whole };
    struct variant seeds = { .whole = whole, .computational = true };

    if (add_variant(r, keys, sets, p, partial, add_round, err) ||
        (plan_tiers(p) == 1 && add_variant(r, "c1 seeds", sets, p, seeds, add_round, err)))
        return -1;
    /* a plan for partial collusion has no sets for keys */
    if ((whole || p->topology.full) && add_variant(r, "c2", sets, p, full, add_round, err))
        return -1;
    return add_variant(r, "bare", sets, p, p->topology.full ? full : partial, add_bare, err);
}

/* The plan; its worst case, if shares are sent in part when all nodes take part; and the plan with
 * stand-by sums. */
static int add_plan(struct report *r, const struct plan *p, struct hagg_err *err)
{
    const char *sets = variant_is_chosen(p) ? "chosen" : "reached";
    const struct report_row *plan = &r->rows[r->n_rows];
    struct report_row *row;

    if (!is_needed(r, "plan") && !is_needed(r, report_worst_name("plan")) &&
        !is_needed(r, "plan stand-by"))
        return 0;
    if (add_round(r, "plan", sets, p, err))
        return -1;
    if (plan->sheet.in_part) {
        row = report_add(r, report_worst_name("plan"), sets, plan->against, err);
        if (!row || sheet_add_worst(&row->sheet, p, r->length, err))
            return -1;
    }
    if (protocol_has_stand_by(p)) {
        row = report_add(r, "plan stand-by", sets, plan->against, err);
        if (!row || sheet_add_stand_by(&row->sheet, p, r->length, err))
            return -1;
    }
    return loads_of_plan(&r->loads, p, r->length, r->record_type ? &r->records : NULL, err);
}

/* Relays with sharings of their own, whether the plan has them or not. */
static int add_resharing(struct report *r, const struct plan *p, struct hagg_err *err)
{
    const char *sets = variant_is_chosen(p) ? "chosen" : "reached";
    struct variant partial = { .transform = true }, full = { .full = true, .transform = true };

    if (add_variant(r, "direct", sets, p, partial, add_round, err) ||
        add_variant(r, "transport", sets, p, partial, add_transport, err))
        return -1;
    return add_variant(r, "direct", sets, p, full, add_round, err);
}

static int add_unprotected(struct report *r, const struct plan *p, struct hagg_err *err)
{
    struct report_row *row = report_add(r, "no privacy", "", "nobody", err);

    return row ? unprotected_of_plan(&row->sheet, p, r->length, err) : -1;
}

static int add_ratios(struct report *r, const struct plan *p, struct hagg_err *err)
{
    struct setsizes reach;
    int status;

    if (topology_has_seeds(&p->topology))
        return 0; /* they are for sharings without seeds */
    if (setsizes_of_plan(&reach, p, err))
        return -1;
    status = ratios_add(r, p, "chosen", &reach, err);
    if (status == 0)
        status = ratios_add(r, p, "reached", &reach, err);
    setsizes_free(&reach);
    if (status || ratios_add_ranges(r, p, err))
        return -1;
    return report_find(r, "c3", "chosen") ? ratios_add_tau_of_plan(r, p, err) : 0;
}

static int find_bounds(struct report *r, const struct plan *p, struct hagg_err *err)
{
    mpq_t tiers[PLAN_TIERS];
    int status = bound_of_plan(r->bound, p, err);

    mpq_inits(tiers[0], tiers[1], NULL);
    if (status == 0 && r->has_sharper)
        status = bound_sharper(r->sharper_low, r->sharper_high, tiers, p, err);
    if (status == 0 && r->price_unit > 0)
        status = price_bound_of_plan(r->price_bound, p, NULL, err);
    if (status == 0 && r->price_unit > 0 && r->has_sharper)
        status = price_bound_of_plan(r->sharper_price, p, tiers, err);
    mpq_clears(tiers[0], tiers[1], NULL);
    return status;
}

int report_of_plan(struct report *r, const struct plan *p, const char *names,
                   const struct bytes_options *records, struct hagg_err *err)
{
    bool routed = report_is_routed(p);
    int status;

    report_begin(r, p);
    r->records = *records;
    if (r->length > 0)
        r->record_type = records->type ? records->type : record_sizes_type(p);
    r->names = names;
    r->has_sharper = is_needed(r, "sharper");
    status = title_of_plan(&r->title, p, r->length, err);
    if (status == 0)
        status = find_bounds(r, p, err);
    if (status == 0 && routed)
        status = add_plan(r, p, err);
    if (status == 0)
        status = add_aligned(r, p, false, err);
    if (status == 0)
        status = add_aligned(r, p, true, err);
    /* the relays of protocol keys are not chosen in a plan of protocol aligned */
    if (status == 0 && routed && (variant_is_chosen(p) || plan_tiers(p) > 1) &&
        !p->topology.transform && !(p->topology.aligned && plan_tiers(p) > 1))
        status = add_choice(r, p, false, err);
    if (status == 0 && plan_tiers(p) == 1)
        status = add_choice(r, p, true, err);
    if (status == 0 && plan_tiers(p) > 1)
        status = add_resharing(r, p, err);
    if (status == 0)
        status = add_unprotected(r, p, err);
    if (status == 0)
        status = report_finish(r, &p->topology, err);
    if (status == 0)
        status = add_ratios(r, p, err);
    if (status)
        report_free(r);
    return status;
}
