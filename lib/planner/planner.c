#include "planner/planner.h"

#include "planner/aligned/aligned_sets.h"
#include "planner/aligned/tolerant.h"
#include "planner/keys.h"
#include "planner/summary_privacy.h"
#include "topology/topology_tolerate.h"

struct planning {
    const char *name;
    const struct text *topology;
    const struct planner_options *options;
    struct effort *effort;
    struct planner_result *result;
    struct plan best; /* all zero until there is one */
};

static struct planner_attempt *begin_attempt(struct planning *s, const char *name)
{
    struct planner_attempt *a = &s->result->attempts[s->result->n_attempts++];

    *a = (struct planner_attempt){ .name = name, .outcome = PLANNER_NOT_POSSIBLE };
    return a;
}

static bool has_best(const struct planning *s)
{
    return s->best.name != NULL;
}

static const struct planner_attempt *best_attempt(const struct planning *s)
{
    return &s->result->attempts[s->result->chosen];
}

static const struct plan_cost *best_cost(const struct planning *s)
{
    return &best_attempt(s)->cost;
}

/* More clients with information-theoretic privacy are worth any cost. */
static bool is_better(const struct planner_attempt *a, const struct planner_attempt *best)
{
    if (a->n_computational != best->n_computational)
        return a->n_computational < best->n_computational;
    return plan_cost_compare(&a->cost, &best->cost) < 0;
}

/* Counts what the plan costs, and keeps it if it is the best so far. Frees or moves *p. */
static int keep_better(struct planning *s, struct planner_attempt *a, struct plan *p,
                       const struct planner_certainty *certainty, struct hagg_err *err)
{
    if (plan_cost_new(&a->cost, p, false, err)) {
        plan_free(p);
        return -1;
    }
    a->outcome = PLANNER_FOUND;
    a->n_computational = summary_privacy_clients(&p->topology);
    if (has_best(s) && !is_better(a, best_attempt(s))) {
        plan_free(p);
        return 0;
    }
    plan_free(&s->best);
    s->best = *p;
    s->result->chosen = (size_t)(a - s->result->attempts);
    s->result->certainty = *certainty;
    return 0;
}

/* Returns 0 if the error means that there is no such plan, which is then the attempt's outcome. */
static int refuse(struct planner_attempt *a, const struct hagg_err *why, struct hagg_err *err)
{
    if (why->status == HAGG_E_MALFORMED || why->status == HAGG_E_PRIVACY) {
        a->why = *why;
        return 0;
    }
    *err = *why;
    return -1;
}

/* All stations that clients reach, with the default segments and dealers. */
static int count_whole(struct planner_attempt *a, struct plan *p, struct hagg_err *err)
{
    struct hagg_err why = { 0 };

    if (plan_settle(p, &why))
        return refuse(a, &why, err);
    a->outcome = PLANNER_FOUND;
    a->n_computational = summary_privacy_clients(&p->topology);
    if (plan_cost_new(&a->cost, p, false, err) == 0)
        return 0;
    a->outcome = PLANNER_NOT_POSSIBLE;
    return -1;
}

/* With privacy computational the search overestimates masks, so its plan may cost more than that
 * with all stations. With prices it may have the same price, but send more. Then makes *p the
 * latter. */
static int use_cheaper_whole(struct planning *s, const struct planner_attempt *whole,
                             struct plan *p, struct hagg_err *err)
{
    struct plan_cost cost;
    bool cheaper;

    if ((!p->topology.computational && p->topology.prices.unit == 0) ||
        whole->outcome != PLANNER_FOUND)
        return 0;
    if (plan_cost_new(&cost, p, false, err))
        return -1;
    cheaper = plan_cost_compare(&whole->cost, &cost) < 0;
    plan_cost_free(&cost);
    if (!cheaper)
        return 0;
    plan_free(p);
    if (plan_parse_to_choose(p, TOPOLOGY_ALIGNED, s->name, s->topology, err)) {
        *p = (struct plan){ 0 };
        return -1;
    }
    return plan_settle(p, err);
}

/* Instead of promises that tolerate something: the cheapest plan in which as many stations learn
 * nothing. It keeps these promises, too. */
static int try_strict(struct planning *s, struct hagg_err *err)
{
    struct planner_attempt *a = begin_attempt(s, PLANNER_STRICT);
    struct effort effort = *s->effort;
    struct planner_certainty certainty;
    struct hagg_err why = { 0 };
    struct plan p;
    int status;

    if (plan_parse_to_choose(&p, TOPOLOGY_ALIGNED, s->name, s->topology, &why))
        return refuse(a, &why, err);
    topology_tolerate_strict(&p.topology);
    status = aligned_sets_choose(&p, &effort, &certainty, &why);
    s->effort->cut_short = s->effort->cut_short || effort.cut_short;
    if (status == 0)
        /* with other sets of stations, promises that tolerate something might cost less */
        return keep_better(s, a, &p, &(struct planner_certainty){ 0 }, err);
    plan_free(&p);
    return refuse(a, &why, err);
}

static int try_aligned(struct planning *s, struct hagg_err *err)
{
    struct planner_attempt *a = begin_attempt(s, "aligned"), *whole;
    struct effort effort = *s->effort;
    struct planner_certainty certainty;
    struct hagg_err why = { 0 };
    struct plan p;
    int status;

    if (plan_parse_to_choose(&p, TOPOLOGY_ALIGNED, s->name, s->topology, &why))
        return refuse(a, &why, err);
    if (aligned_sets_check_relays(&p, &why)) {
        plan_free(&p);
        return refuse(a, &why, err);
    }
    whole = begin_attempt(s, "aligned, all stations");
    if (count_whole(whole, &p, err)) {
        plan_free(&p);
        return -1;
    }
    if (p.topology.n_tolerated > 0)
        status = tolerant_choose(&p, &certainty, &why);
    else
        status = aligned_sets_choose(&p, &effort, &certainty, &why);
    s->effort->cut_short = effort.cut_short;
    if (status == 0)
        status = use_cheaper_whole(s, whole, &p, &why);
    if (status == 0) {
        bool tolerant = p.topology.n_tolerated > 0;

        if (keep_better(s, a, &p, &certainty, err))
            return -1;
        return tolerant ? try_strict(s, err) : 0;
    }
    plan_free(&p);
    return refuse(a, &why, err);
}

/* A plan that other commands refuse is not an alternative to one that they accept. */
static bool is_protected(const struct plan *p, struct hagg_err *why)
{
    struct topology t = p->topology;

    t.transform = true;
    topology_default_relays(&t);
    return topology_check_protected(&p->topology, p->name, why) != 0 ||
           topology_check_protected(&t, p->name, why) == 0;
}

/* Parses the topology for protocol keys, with scheme staircase if asked for. */
static int parse_keys(struct plan *p, const struct planning *s, bool staircase,
                      struct hagg_err *err)
{
    if (plan_parse_to_choose(p, TOPOLOGY_KEYS, s->name, s->topology, err))
        return -1;
    if (!staircase || plan_change_scheme(p, "staircase", err) == 0)
        return 0;
    plan_free(p);
    return -1;
}

static int search_keys(struct planning *s, bool transform, bool staircase, struct hagg_err *err)
{
    static const char *const names[2][2] = {
        { "keys", "keys, staircase" },
        { "keys with transform", "keys with transform, staircase" },
    };
    struct planner_attempt *a = begin_attempt(s, names[transform][staircase]);
    struct effort effort = *s->effort; /* the same random choices, whatever was tried before */
    struct planner_certainty certainty;
    struct hagg_err why = { 0 };
    struct plan p;
    int status;

    if (parse_keys(&p, s, staircase, &why))
        return refuse(a, &why, err);
    if (transform && has_best(s) && !is_protected(&p, &why))
        status = -1;
    else
        status = keys_choose(&p, transform, s->options->condition, &effort, &certainty, &why);
    s->effort->cut_short = effort.cut_short;
    if (status == 0)
        return keep_better(s, a, &p, &certainty, err);
    plan_free(&p);
    return refuse(a, &why, err);
}

/* Ends the attempt if every plan with protocol keys costs at least as much as the best plan.
 * Returns 1 if so, 0 if not, -1 on failure. */
static int skip_keys(struct planning *s, struct hagg_err *err)
{
    const struct topology *t = &s->best.topology;
    struct planner_attempt *a = begin_attempt(s, "keys");
    mpz_t length;

    plan_cost_init(&a->cost);
    a->outcome = PLANNER_AT_LEAST;
    if (keys_bound(a->cost.total, a->cost.price, &s->best, err))
        return -1;
    mpq_set(a->cost.bound, best_cost(s)->bound);
    mpq_set(a->cost.price_bound, best_cost(s)->price_bound);
    a->cost.has_prices = best_cost(s)->has_prices;
    if (t->length > 0) {
        mpz_init_set_ui(length, t->length + t->samples);
        mpq_set_z(a->cost.symbol_price, length);
        mpq_mul(a->cost.symbol_price, a->cost.symbol_price, a->cost.price);
        mpz_mul(a->cost.n_symbols, length, mpq_numref(a->cost.total));
        mpz_cdiv_q(a->cost.n_symbols, a->cost.n_symbols, mpq_denref(a->cost.total));
        mpz_clear(length);
    }
    if (plan_cost_compare(&a->cost, best_cost(s)) >= 0)
        return 1;
    plan_cost_free(&a->cost);
    s->result->n_attempts--;
    return 0;
}

/* If nodes may be missing, sums cost less with scheme staircase as long as none is. A topology with
 * a scheme line has chosen. */
static bool may_use_staircase(const struct topology *t)
{
    return !t->scheme_stated && (t->drop_stations > 0 || t->drop_relays > 0) &&
           !topology_has_seeds(t);
}

static int search_schemes(struct planning *s, bool transform, bool staircase, struct hagg_err *err)
{
    return search_keys(s, transform, false, err) ||
                   (staircase && search_keys(s, transform, true, err))
               ? -1
               : 0;
}

static int try_keys(struct planning *s, struct hagg_err *err)
{
    enum planner_transform when = s->options->transform;
    struct hagg_err why = { 0 };
    struct topology t = { 0 };
    bool staircase = false;
    int skipped = has_best(s) ? skip_keys(s, err) : 0;

    if (skipped)
        return skipped < 0 ? -1 : 0;
    /* without a topology, search_keys reports why */
    if (topology_parse_to_choose(&t, TOPOLOGY_KEYS, s->name, s->topology->bytes, s->topology->len,
                                 &why))
        when = PLANNER_TRANSFORM_NEVER;
    else if (t.n_relays == 0)
        when = PLANNER_TRANSFORM_NEVER;
    else if (when == PLANNER_TRANSFORM_AUTO && t.transform)
        when = PLANNER_TRANSFORM_ALWAYS;
    staircase = may_use_staircase(&t);
    s->result->schemes = staircase;
    topology_free(&t);
    if (when != PLANNER_TRANSFORM_ALWAYS && search_schemes(s, false, staircase, err))
        return -1;
    return when != PLANNER_TRANSFORM_NEVER ? search_schemes(s, true, staircase, err) : 0;
}

/* There is no plan: returns the error of the first attempt. A sharing for stations alone needs
 * fewer stations than one that relays pass on, so an error about numbers does not apply to it. */
static int fail(const struct planner_result *r, struct hagg_err *err)
{
    const struct hagg_err *first = &r->attempts[0].why, *last = &r->attempts[r->n_attempts - 1].why;

    *err = first->status == HAGG_E_MALFORMED && last->status == HAGG_E_PRIVACY ? *last : *first;
    return -1;
}

int planner_choose(struct plan *p, const char *name, const struct text *topology,
                   const struct planner_options *options, struct effort *effort,
                   struct planner_result *result, struct hagg_err *err)
{
    struct planning s = {
        .name = name, .topology = topology, .options = options, .effort = effort, .result = result
    };
    enum planner_protocol protocol = options->protocol;
    enum topology_protocol stated = topology_stated(topology->bytes);
    int status = 0;

    *result = (struct planner_result){ 0 };
    if (protocol == PLANNER_STATED && stated != TOPOLOGY_ANY)
        protocol = stated == TOPOLOGY_KEYS ? PLANNER_KEYS : PLANNER_ALIGNED;
    if (protocol != PLANNER_KEYS)
        status = try_aligned(&s, err);
    if (status == 0 && protocol != PLANNER_ALIGNED)
        status = try_keys(&s, err);
    if (status == 0 && !has_best(&s))
        status = fail(result, err);
    if (status) {
        plan_free(&s.best);
        planner_result_free(result);
        return -1;
    }
    *p = s.best;
    return 0;
}

void planner_result_free(struct planner_result *result)
{
    for (size_t i = 0; i < result->n_attempts; i++)
        if (result->attempts[i].outcome != PLANNER_NOT_POSSIBLE)
            plan_cost_free(&result->attempts[i].cost);
    *result = (struct planner_result){ 0 };
}
