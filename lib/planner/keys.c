#include "planner/keys.h"

#include <math.h>
#include <stdlib.h>

#include "planner/apply.h"
#include "planner/cover/cover.h"
#include "planner/joint/joint.h"
#include "planner/relays/meeting.h"
#include "planner/relays/reshared_search.h"
#include "plan/plan_collusion.h"
#include "cost/count/plan_cost.h"
#include "planner/relays/transforming.h"
#include "planner/trim.h"

#define MOST_GROUPS       4  /* tried alone for one side */
#define FEW_REACH_CLASSES 10 /* the exact cover tries 3^9 groupings, in milliseconds */

struct choosing {
    struct plan *p;
    const struct instance *in;
    enum collusion_condition condition;
    struct effort *effort;
    bool chosen; /* p has a private choice */
};

/* Replaces the plan's topology if nothing was chosen yet or *t is cheaper. Frees or moves *t in any
 * case. */
static int keep_cheaper(struct choosing *c, struct topology *t, struct hagg_err *err)
{
    struct plan other = *c->p;
    struct plan_cost before, after;
    bool better = true;

    other.topology = *t;
    if (c->chosen) {
        if (plan_cost_new(&before, c->p, false, err)) {
            topology_free(t);
            return -1;
        }
        if (plan_cost_new(&after, &other, false, err)) {
            plan_cost_free(&before);
            topology_free(t);
            return -1;
        }
        better = plan_cost_compare(&after, &before) < 0;
        plan_cost_free(&before);
        plan_cost_free(&after);
    }
    if (better) {
        topology_free(&c->p->topology);
        c->p->topology = *t;
    } else {
        topology_free(t);
    }
    c->chosen = true;
    return 0;
}

static int use_relays(const struct choosing *c, struct side *side, struct hagg_err *err)
{
    return c->p->topology.transform ? transforming_find(side, c->p, c->in, err)
                                    : side_relay(side, c->p, c->in, c->effort, err);
}

/* Makes *t the topology with these patterns. keys may be NULL. one_set: use the same relays for all
 * patterns if possible. */
static int try_patterns(const struct choosing *c, const uint64_t *patterns, size_t n,
                        const uint32_t *shares, const uint32_t *keys, bool one_set,
                        struct topology *t, struct hagg_err *err)
{
    struct side of_shares = { 0 }, of_keys = { 0 };
    bool relays = c->p->topology.n_relays > 0;
    int status = side_new(&of_shares, c->in, patterns, n, shares, err);

    if (status == 0 && keys)
        status = side_new(&of_keys, c->in, patterns, n, keys, err);
    of_shares.one_set = of_keys.one_set = one_set;
    if (status == 0 && relays)
        status = use_relays(c, &of_shares, err);
    if (status == 0 && relays && keys)
        status = use_relays(c, &of_keys, err);
    if (status == 0)
        status = apply_sides(t, c->p, c->in, &of_shares, keys ? &of_keys : NULL, err);
    side_free(&of_shares);
    side_free(&of_keys);
    return status;
}

static uint32_t *patterns_of_clients(const struct instance *in, const struct cover *cover,
                                     struct hagg_err *err)
{
    uint32_t *of = malloc(in->n_clients * sizeof *of);

    if (!of)
        err_errno(err, "no memory to plan");
    for (uint32_t i = 0; i < in->n_clients && of; i++)
        of[i] = cover->of[in->reach_class[i]];
    return of;
}

/* Checks the graph that the federator sees, in which relays have merged patterns, and that the
 * relays are allowed to merge them. 1 or 0; -1 on error. */
static int is_private(const struct choosing *c, const struct topology *t, struct hagg_err *err)
{
    struct plan other = *c->p;
    struct plan_graph graph;
    int answer;

    other.topology = *t;
    if (plan_collusion_check_relays(&other, err))
        return err->status == HAGG_E_PRIVACY ? 0 : -1;
    if (plan_graph_new(&graph, &other, false, NULL, err))
        return -1;
    answer = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x, c->in->colluders,
                               c->condition, NULL, err);
    plan_graph_free(&graph);
    return answer;
}

/* Like keep_cheaper, but discards *t if it is not private. */
static int keep_private(struct choosing *c, struct topology *t, struct hagg_err *err)
{
    struct hagg_err why = { 0 };
    int answer = c->p->topology.full ? is_private(c, t, &why) : 1;

    if (answer == 1)
        return keep_cheaper(c, t, err);
    topology_free(t);
    if (answer < 0)
        *err = why;
    return answer;
}

/* Tries the patterns with the cheapest relays found and, if n_ways is 2, also with the same relays
 * for all patterns. keys may be NULL. */
static int keep_patterns(struct choosing *c, const uint64_t *patterns, size_t n,
                         const uint32_t *shares, const uint32_t *keys, int n_ways,
                         struct hagg_err *err)
{
    int status = 0;

    for (int one_set = 0; one_set < n_ways && status == 0; one_set++) {
        struct topology t;

        status = try_patterns(c, patterns, n, shares, keys, one_set, &t, err);
        if (status == 0)
            status = keep_private(c, &t, err);
    }
    return status;
}

/* Uses the cover for the vectors and, under full collusion, for the keys. Frees the cover. */
static int use_cover(struct choosing *c, struct cover *cover, struct hagg_err *err)
{
    const struct topology *t = &c->p->topology;
    uint32_t *of = patterns_of_clients(c->in, cover, err);
    /* patterns that relays merge can be private although they are not on their own */
    bool alike = t->full || t->transform;
    int status = of ? keep_patterns(c, cover->patterns, cover->n_patterns, of, t->full ? of : NULL,
                                    alike ? 2 : 1, err)
                    : -1;

    free(of);
    cover_free(cover);
    return status;
}

/* For relays with sharings of their own: restricts all clients to stations that have relays in
 * common. If all sharings then have the same size, the plan is private whichever clients collude.
 */
static int meet_at_relays(struct choosing *c, struct hagg_err *err)
{
    /* the exact cover of few reach classes is fast; with more, each cover is a search */
    uint64_t left = effort_budget(c->effort, c->in->n_reach_classes <= FEW_REACH_CLASSES ? 500 : 4);
    const struct instance *all = c->in;
    struct meeting meeting;
    int got = 1;

    if (meeting_begin(&meeting, c->p, c->in, err))
        return -1;
    c->in = &meeting.in;
    while (got == 1 && left-- > 0 && effort_may_continue(c->effort)) {
        struct cover cover;

        got = meeting_next(&meeting, err);
        if (got == 1 && (cover_find(c->in, c->effort, &cover, err) || use_cover(c, &cover, err)))
            got = -1;
    }
    c->in = all;
    meeting_free(&meeting);
    return got < 0 ? -1 : 0;
}

/* Keeps the plan with these patterns of the reach classes; keys is NULL under partial collusion. */
static int keep_reshared(struct choosing *c, const struct reshared *r, const uint32_t *shares,
                         const uint32_t *keys, struct hagg_err *err)
{
    struct side of_shares = { 0 }, of_keys = { 0 };
    struct topology t;
    int status = reshared_side(r, shares, &of_shares, err);

    if (status == 0 && keys)
        status = reshared_side(r, keys, &of_keys, err);
    if (status == 0)
        status = apply_sides(&t, c->p, c->in, &of_shares, keys ? &of_keys : NULL, err);
    if (status == 0)
        status = keep_private(c, &t, err);
    side_free(&of_shares);
    side_free(&of_keys);
    return status;
}

/* The group with which alone a side may cost least, without those that were tried. */
static uint32_t next_group(const struct reshared *r, double *bounds)
{
    uint32_t best = 0;

    for (uint32_t g = 1; g < r->n_groups; g++)
        if (bounds[g] < bounds[best])
            best = g;
    return isinf(bounds[best]) ? RESHARED_ANY : best;
}

/* Under full collusion a side with one group is private, whatever the other side is. */
static int search_one_group(struct choosing *c, const struct reshared *r, const uint32_t *any,
                            uint32_t *of, struct hagg_err *err)
{
    double *bounds = malloc((r->n_groups + (size_t)1) * sizeof *bounds);
    int status = bounds ? 0 : err_errno(err, "no memory to choose relays");

    for (uint32_t g = 0; g < r->n_groups && status == 0; g++)
        bounds[g] = reshared_group_bound(r, g);
    for (uint32_t n = 0; n < MOST_GROUPS && status == 0; n++) {
        uint32_t group = next_group(r, bounds);

        if (group == RESHARED_ANY)
            break;
        bounds[group] = INFINITY;
        status = reshared_search(r, group, c->effort, of, err);
        if (status == 1)
            status = keep_reshared(c, r, of, any, err);
    }
    free(bounds);
    return status;
}

/* For relays with sharings of their own: searches sets of stations and relays together, by what
 * they cost with the transfers. */
static int search_reshared(struct choosing *c, struct hagg_err *err)
{
    struct effort effort = *c->effort;
    uint32_t *of = malloc(2 * (size_t)c->in->n_reach_classes * sizeof *of);
    uint32_t *any = of ? of + c->in->n_reach_classes : NULL;
    struct reshared r;
    int status = of ? reshared_new(&r, c->p, c->in, err) : err_errno(err, "no memory to plan");

    if (status < 1) {
        free(of);
        return status;
    }
    status = reshared_search(&r, RESHARED_ANY, c->effort, any, err);
    if (status == 1)
        status = keep_reshared(c, &r, any, c->p->topology.full ? any : NULL, err);
    if (status == 0 && c->p->topology.full)
        status = search_one_group(c, &r, any, of, err);
    c->effort->random = effort.random;
    reshared_free(&r);
    free(of);
    return status;
}

/* In prices. Nothing is certain if the search did not know the exact ones. */
static struct planner_certainty certainty_of(const struct choosing *c, double cost, double bound,
                                             bool proved)
{
    double price = c->in->price;

    if (!c->in->exact)
        return (struct planner_certainty){ 0 };
    return (
        struct planner_certainty){ .cost = cost * price, .bound = bound * price, .proved = proved };
}

static int choose_partial(struct choosing *c, struct planner_certainty *certainty,
                          struct hagg_err *err)
{
    struct cover cover;

    if (cover_find(c->in, c->effort, &cover, err))
        return -1;
    *certainty = certainty_of(c, cover.cost, cover.bound, cover.proved);
    if (use_cover(c, &cover, err))
        return -1;
    if (c->p->topology.n_relays == 0)
        return 0;
    /* the search ignored the cost of relays, so using all stations can be cheaper */
    *certainty = (struct planner_certainty){ 0 };
    if (cover_whole(c->in, &cover, err) || use_cover(c, &cover, err))
        return -1;
    if (c->p->topology.transform && (meet_at_relays(c, err) || search_reshared(c, err)))
        return -1;
    return 0;
}

/* Makes the stations' patterns private. Relays that merge vertices of the graph only make it more
 * private, but patterns that cannot be matched with relays are split, so the result is checked
 * again. */
static int choose_by_stations(struct choosing *c, struct planner_certainty *certainty,
                              struct hagg_err *err)
{
    struct joint joint;
    int status;

    if (joint_find(c->in, c->condition, c->effort, c->p->name, c->p->topology.clients, &joint, err))
        return -1;
    if (c->p->topology.n_relays == 0)
        *certainty = certainty_of(c, joint.cost, joint.bound, joint.proved);
    status = keep_patterns(c, joint.patterns, joint.n_patterns, joint.shares, joint.keys,
                           c->p->topology.transform ? 2 : 1, err);
    joint_free(&joint);
    if (status == 0 && !c->chosen)
        status = err_set(err, HAGG_E_PRIVACY,
                         "%s: found no private plan that the links to relays allow: add links, or "
                         "let fewer clients collude",
                         c->p->name);
    return status;
}

/* A choice can be private because relays merge patterns, although the stations' patterns alone are
 * not; and a choice that ignores relays is not always the cheapest. */
static int choose_by_relays(struct choosing *c, struct hagg_err *err)
{
    struct cover cover;

    return cover_find(c->in, c->effort, &cover, err) ? -1 : use_cover(c, &cover, err);
}

static int choose_full(struct choosing *c, struct planner_certainty *certainty,
                       struct hagg_err *err)
{
    struct hagg_err why = { 0 };
    int status;

    *certainty = (struct planner_certainty){ 0 };
    status = choose_by_stations(c, certainty, err);
    if (c->p->topology.n_relays == 0 || (status && err->status != HAGG_E_PRIVACY))
        return status;
    if ((choose_by_relays(c, &why) && why.status != HAGG_E_PRIVACY) ||
        (c->p->topology.transform && (meet_at_relays(c, &why) || search_reshared(c, &why)))) {
        *err = why;
        return -1;
    }
    return c->chosen ? 0 : -1; /* *err is from choose_by_stations */
}

/* Where the search minimises something else than the cost of the plan, the result of a higher level
 * can be more expensive. Then all levels are run, and the cheapest plan of all of them is kept, so
 * that more effort never results in a more expensive plan. */
static int choose_levels(struct choosing *c, struct planner_certainty *certainty,
                         struct hagg_err *err)
{
    const struct topology *t = &c->p->topology;
    const struct effort start = *c->effort;
    bool differs = t->n_relays > 0 || t->length > 0;
    struct hagg_err why = { 0 };
    int status = -1;

    for (unsigned level = differs ? 1 : start.level; level <= start.level; level++) {
        c->effort->level = level;
        c->effort->random = start.random;
        status = t->full ? choose_full(c, certainty, &why) : choose_partial(c, certainty, &why);
        if ((status && why.status != HAGG_E_PRIVACY) || !effort_may_continue(c->effort))
            break;
    }
    c->effort->level = start.level;
    if (c->chosen && (status == 0 || why.status == HAGG_E_PRIVACY))
        return 0;
    *err = why;
    return -1;
}

/* Without relays, and with stations that pay: keeps the plan with smaller sets, if it is private
 * and has a lower price. */
static int trim(struct choosing *c, struct hagg_err *err)
{
    const struct topology *t = &c->p->topology;
    struct topology other;

    if (!t->prices.nodes[TOPOLOGY_PRICED_STATIONS] || t->n_relays > 0)
        return 0;
    return trim_sets(&other, c->p, c->in, err) ? -1 : keep_private(c, &other, err);
}

static int choose(struct plan *p, enum collusion_condition condition, struct effort *effort,
                  struct planner_certainty *certainty, struct hagg_err *err)
{
    struct instance in;
    struct choosing c = { p, &in, condition, effort, false };
    int status;

    if (instance_new(&in, p, err))
        return -1;
    status = choose_levels(&c, certainty, err);
    if (status == 0)
        status = trim(&c, err);
    instance_free(&in);
    return status;
}

int keys_choose(struct plan *p, bool transform, enum collusion_condition condition,
                struct effort *effort, struct planner_certainty *certainty, struct hagg_err *err)
{
    *certainty = (struct planner_certainty){ 0 };
    p->topology.transform = transform;
    topology_default_relays(&p->topology);
    if (choose(p, condition, effort, certainty, err))
        return -1;
    /* the search prices every share, so it knows no bound for a plan with seeds */
    if (topology_has_seeds(&p->topology))
        *certainty = (struct planner_certainty){ 0 };
    return plan_settle(p, err);
}
