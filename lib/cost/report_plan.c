#include "cost/bound.h"
#include "plan/plan_collusion.h"
#include "cost/ratios.h"
#include "cost/report.h"
#include "cost/resharing.h"
#include "cost/title.h"
#include "cost/unprotected.h"

/* The rows of one choice of sets. */
struct choice {
    struct report *r;
    const struct plan *p;
    const char *name;
    struct protocol_sets shares;
    struct protocol_sets keys;
    struct hagg_err *err;
};

/* The plan as if the collusion were of this kind; what it points to stays the plan's. */
static struct plan as_if(const struct plan *p, bool full)
{
    struct plan other = *p;

    other.topology.full = full;
    return other;
}

static bool is_chosen(const struct plan *p)
{
    for (size_t g = 0; g < p->topology.n_groups; g++)
        if (p->topology.groups[g].shares.n > 0)
            return true;
    return false;
}

bool report_is_routed(const struct plan *p)
{
    const struct topology *t = &p->topology;

    for (size_t g = 0; g < t->n_groups && plan_tiers(p) > 1; g++)
        if (t->groups[g].relays.n == 0 || (t->full && t->groups[g].key_relays.n == 0))
            return false;
    return true;
}

static int add_partial(struct choice *c)
{
    struct plan p = as_if(c->p, false);
    struct report *r = c->r;

    if (!protocol_sets_suffice(&c->shares, &p))
        return 0;
    return protocols_client_keys(
        &report_add(r, plan_tiers(&p) > 1 ? "c3" : "c1", c->name, "partial")->sheet, &p, r->length,
        &c->shares, c->err);
}

/* What shared keys over these sets withstand: not all sets keep what clients and federator see
 * from telling more than the sum. NULL on failure. */
static const char *strength(const struct plan *p, bool whole, struct hagg_err *err)
{
    struct plan_graph graph;
    int answer;

    if (plan_graph_new(&graph, p, whole, NULL, err))
        return NULL;
    answer = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x,
                               p->topology.collude_clients + p->topology.drop_clients,
                               COLLUSION_EXACT, NULL, err);
    plan_graph_free(&graph);
    return answer < 0 ? NULL : answer > 0 ? "full" : "not private";
}

static int add_shared_keys(struct choice *c, const struct plan *p, bool whole)
{
    const char *against = strength(p, whole, c->err);
    struct report_row *row;

    if (!against)
        return -1;
    row = report_add(c->r, "c2", c->name, against);
    return protocols_shared_keys(&row->sheet, p, c->r->length, &c->shares, &c->keys, c->err);
}

static int add_full(struct choice *c, bool whole)
{
    struct plan p = as_if(c->p, true);

    /* keys of a plan for partial collusion are no sets */
    if ((!whole && !c->p->topology.full) || !protocol_sets_suffice(&c->shares, &p) ||
        !protocol_sets_suffice(&c->keys, &p))
        return 0;
    return add_shared_keys(c, &p, whole);
}

/* With one pattern the federator sees one sum only, which is the one that it may see. */
static int add_bare(struct choice *c)
{
    const struct setsizes *last = plan_tiers(c->p) > 1 ? &c->shares.relays : &c->shares.stations;

    if (setsizes_count_patterns(last) != 1 || (plan_tiers(c->p) > 1 && c->p->topology.full) ||
        !protocol_sets_suffice(&c->shares, c->p))
        return 0;
    return protocols_bare(
        &report_add(c->r, "bare", c->name, c->p->topology.full ? "full" : "partial")->sheet, c->p,
        c->r->length, &c->shares, c->err);
}

static int add_choice(struct report *r, const struct plan *p, bool whole, struct hagg_err *err)
{
    struct choice c = { .r = r, .p = p, .name = whole ? "reached" : "chosen", .err = err };
    int status = protocol_sets_of_plan(&c.shares, p, whole ? PLAN_REACHES : PLAN_SHARES, err);

    if (status == 0 && (whole || p->topology.full))
        status = protocol_sets_of_plan(&c.keys, p, whole ? PLAN_REACHES : PLAN_KEYS, err);
    if (status == 0)
        status = add_partial(&c);
    if (status == 0)
        status = add_full(&c, whole);
    if (status == 0)
        status = add_bare(&c);
    protocol_sets_free(&c.shares);
    protocol_sets_free(&c.keys);
    return status;
}

static int add_plan(struct report *r, const struct plan *p, struct hagg_err *err)
{
    const char *against = p->topology.full ? strength(p, false, err) : "partial";
    struct report_row *row;

    if (!against)
        return -1;
    row = report_add(r, "plan", is_chosen(p) ? "chosen" : "reached", against);
    if (sheet_add_round(&row->sheet, p, r->length, err))
        return -1;
    return loads_of_plan(&r->loads, p, r->length, err);
}

/* Relays with sharings of their own, whether the plan has that or not. */
static int add_resharing(struct report *r, const struct plan *p, bool full, struct hagg_err *err)
{
    const char *sets = is_chosen(p) ? "chosen" : "reached", *against;
    struct plan other;
    int answer = resharing_plan(&other, p, full, err);
    int status = -1;

    if (answer <= 0)
        return answer;
    against = full ? strength(&other, false, err) : "partial";
    if (against)
        status =
            sheet_add_round(&report_add(r, "direct", sets, against)->sheet, &other, r->length, err);
    if (status == 0 && !full)
        status = resharing_transport_of_plan(&report_add(r, "transport", sets, "partial")->sheet,
                                             &other, r->length, err);
    resharing_plan_free(&other);
    return status;
}

static int add_ratios(struct report *r, const struct plan *p, struct hagg_err *err)
{
    struct setsizes reach;

    if (setsizes_of_plan(&reach, p, PLAN_REACHES, 0, err))
        return -1;
    ratios_add(r, p, "chosen", &reach);
    ratios_add(r, p, "reached", &reach);
    setsizes_free(&reach);
    ratios_add_ranges(r, p);
    return report_find(r, "c3", "chosen") ? ratios_add_tau_of_plan(r, p, err) : 0;
}

int report_of_plan(struct report *r, const struct plan *p, struct hagg_err *err)
{
    bool routed = report_is_routed(p);
    int status;

    *r = (struct report){
        .n_clients = p->topology.n_clients,
        .elem_bytes = field_elem_size(p->field),
        .length = p->topology.length,
    };
    r->length += r->length && p->topology.samples;
    mpq_init(r->bound);
    status = title_of_plan(&r->title, p, r->length, err);
    if (status == 0)
        status = bound_of_plan(r->bound, p, err);
    if (status == 0 && routed)
        status = add_plan(r, p, err);
    if (status == 0 && routed && (is_chosen(p) || plan_tiers(p) > 1) && !p->topology.transform)
        status = add_choice(r, p, false, err);
    if (status == 0 && plan_tiers(p) == 1)
        status = add_choice(r, p, true, err);
    for (int full = 0; full < 2 && status == 0 && plan_tiers(p) > 1; full++)
        status = add_resharing(r, p, full, err);
    if (status == 0)
        status = unprotected_of_plan(&report_add(r, "no privacy", "", "nobody")->sheet, p,
                                     r->length, err);
    if (status == 0) {
        report_finish(r, &p->topology);
        status = add_ratios(r, p, err);
    }
    if (status)
        report_free(r);
    return status;
}
