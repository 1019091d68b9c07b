#include "planner/relays/reshared_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE       UINT32_MAX
#define LEAST_GAIN 1e-9              /* smaller gains are rounding errors */
#define WORK       UINT64_C(6000000) /* options examined at the default effort */
#define NODES      UINT64_C(400000)  /* of the exhaustive search, at the default effort */
#define FEW        4                 /* classes that are taken out at once */

struct search {
    const struct reshared *r;
    struct effort *e;
    uint32_t only; /* the group that may be used, or RESHARED_ANY */
    uint32_t n_classes;
    uint32_t *of;      /* of each class: its pattern, or NONE */
    uint32_t *users;   /* of each pattern: classes that use it */
    uint32_t *members; /* of each group: classes that use it */
    uint32_t *active;  /* of each set of stations: the pattern that was last used */
    double cost;
    uint64_t work;

    uint32_t *out; /* classes that the current move has taken out, and their patterns */
    uint32_t *before;
    uint32_t n_out;
    uint32_t banned_pattern, banned_group, wanted_group; /* of the current move; NONE: none */
};

static void put(struct search *s, uint32_t class, uint32_t pattern)
{
    const struct reshared_pattern *p = &s->r->patterns[pattern];

    s->cost += s->r->in->weight[class] * p->rate + (s->users[pattern]++ == 0 ? p->fee : 0) +
               (s->members[p->group]++ == 0 ? s->r->groups[p->group].fee : 0);
    s->active[p->twin] = pattern;
    s->of[class] = pattern;
}

static void take(struct search *s, uint32_t class)
{
    uint32_t pattern = s->of[class];
    const struct reshared_pattern *p = &s->r->patterns[pattern];

    s->cost -= s->r->in->weight[class] * p->rate + (--s->users[pattern] == 0 ? p->fee : 0) +
               (--s->members[p->group] == 0 ? s->r->groups[p->group].fee : 0);
    s->of[class] = NONE;
}

/* Patterns with the same stations must have the same relays. */
static bool is_allowed(const struct search *s, uint32_t pattern)
{
    const struct reshared_pattern *p = &s->r->patterns[pattern];
    uint32_t active = s->active[p->twin];

    return (s->only == RESHARED_ANY || p->group == s->only) &&
           (active == NONE || active == pattern || s->users[active] == 0);
}

/* The cheapest pattern for a class that is out; NONE if the limits of the move exclude all. */
static uint32_t best_pattern(struct search *s, uint32_t class)
{
    const struct reshared *r = s->r;
    uint32_t best = NONE;
    double least = INFINITY;

    s->work += r->begins[class + 1] - r->begins[class];
    for (uint32_t k = r->begins[class]; k < r->begins[class + 1]; k++) {
        uint32_t i = r->options[k];
        const struct reshared_pattern *p = &r->patterns[i];
        double price = r->in->weight[class] * p->rate + (s->users[i] == 0 ? p->fee : 0) +
                       (s->members[p->group] == 0 ? r->groups[p->group].fee : 0);

        if (price >= least || i == s->banned_pattern || p->group == s->banned_group ||
            (s->wanted_group != NONE && p->group != s->wanted_group) || !is_allowed(s, i))
            continue;
        least = price;
        best = i;
    }
    return best;
}

static void take_out(struct search *s, uint32_t class)
{
    s->out[s->n_out] = class;
    s->before[s->n_out++] = s->of[class];
    take(s, class);
}

/* Undoes the current move. */
static void undo(struct search *s, double cost)
{
    for (uint32_t k = 0; k < s->n_out; k++)
        if (s->of[s->out[k]] != NONE)
            take(s, s->out[k]);
    for (uint32_t k = 0; k < s->n_out; k++)
        put(s, s->out[k], s->before[k]);
    s->cost = cost;
}

/* Inserts the classes that are out, in random order. False if one has no pattern. */
static bool insert(struct search *s)
{
    for (uint32_t k = 0; k < s->n_out; k++) {
        uint32_t other = k + effort_random(s->e, s->n_out - k), class = s->out[other];
        uint32_t before = s->before[other], best;

        s->out[other] = s->out[k];
        s->before[other] = s->before[k];
        s->out[k] = class;
        s->before[k] = before;
        best = best_pattern(s, class);
        if (best == NONE)
            return false;
        put(s, class, best);
    }
    return true;
}

static bool can_use(const struct reshared *r, uint32_t class, uint32_t pattern)
{
    return set_within(r->patterns[pattern].stations, instance_reach(r->in, class), r->in->n_words);
}

/* Moves all classes that can use it to one pattern, and then each to where it is cheapest. */
static bool join(struct search *s, uint32_t pattern)
{
    if (!is_allowed(s, pattern))
        return false;
    for (uint32_t c = 0; c < s->n_classes; c++)
        if (s->of[c] != pattern && can_use(s->r, c, pattern))
            take_out(s, c);
    for (uint32_t k = 0; k < s->n_out; k++)
        put(s, s->out[k], pattern);
    for (uint32_t k = 0; k < s->n_out; k++) {
        take(s, s->out[k]);
        put(s, s->out[k], best_pattern(s, s->out[k]));
    }
    return true;
}

/* Takes classes out: a few, all of a pattern or of a group, or all that fit into a group. Inserts
 * them again, elsewhere or there. */
static bool move(struct search *s)
{
    const struct reshared *r = s->r;
    uint32_t class = effort_random(s->e, s->n_classes), pattern = s->of[class];
    uint32_t group = r->patterns[pattern].group;
    uint32_t kind = effort_random(s->e, 8);

    s->n_out = 0;
    s->banned_pattern = s->banned_group = s->wanted_group = NONE;
    if (kind == 7)
        return join(s, effort_random(s->e, r->n_patterns));
    if (kind == 6) {
        uint32_t n = r->begins[class + 1] - r->begins[class];

        return join(s, r->options[r->begins[class] + effort_random(s->e, n)]);
    }
    if (kind == 5)
        s->wanted_group = effort_random(s->e, r->n_groups);
    if (kind == 4)
        s->banned_group = group;
    if (kind == 3)
        s->banned_pattern = pattern;
    if (kind < 3)
        for (uint32_t n = 1 + effort_random(s->e, FEW); n > 0; n--) {
            uint32_t other = effort_random(s->e, s->n_classes);

            if (s->of[other] != NONE)
                take_out(s, other);
        }
    for (uint32_t c = 0; c < s->n_classes && kind >= 3; c++)
        if (kind == 5 || (kind == 4 && r->patterns[s->of[c]].group == group) ||
            (kind == 3 && s->of[c] == pattern))
            take_out(s, c);
    return insert(s);
}

/* Improves the current choice, which is complete. */
static void improve(struct search *s, uint64_t work)
{
    uint64_t end = s->work + work, look = s->work;

    while (s->work < end) {
        double cost = s->cost;

        if (s->work >= look) {
            if (!effort_may_continue(s->e))
                return;
            look = s->work + 100000;
        }
        s->work += 16; /* a move takes time even if it examines no options */
        if (!move(s) || s->cost > cost + LEAST_GAIN)
            undo(s, cost);
    }
}

/* Exhaustive search: classes one after the other. */
struct exhaust {
    struct search *s;
    uint64_t n_left;
    double *rest; /* the least that the classes from there on cost */
    uint32_t *best;
    double least;
};

static void assign(struct exhaust *x, uint32_t class)
{
    struct search *s = x->s;
    const struct reshared *r = s->r;

    if (s->cost + x->rest[class] >= x->least - LEAST_GAIN)
        return;
    if (class == s->n_classes) {
        x->least = s->cost;
        memcpy(x->best, s->of, s->n_classes * sizeof *s->of);
        return;
    }
    for (uint32_t k = r->begins[class]; k < r->begins[class + 1] && x->n_left > 0; k++) {
        uint32_t twin = r->patterns[r->options[k]].twin, active = s->active[twin];
        double cost = s->cost;

        if (!is_allowed(s, r->options[k]))
            continue;
        x->n_left--;
        put(s, class, r->options[k]);
        assign(x, class + 1);
        take(s, class);
        s->active[twin] = active;
        s->cost = cost;
    }
}

static double least_rate(const struct reshared *r, uint32_t class, uint32_t group)
{
    double least = INFINITY;

    for (uint32_t k = r->begins[class]; k < r->begins[class + 1]; k++) {
        const struct reshared_pattern *p = &r->patterns[r->options[k]];

        if ((group == RESHARED_ANY || p->group == group) && p->rate < least)
            least = p->rate;
    }
    return least * r->in->weight[class];
}

double reshared_group_bound(const struct reshared *r, uint32_t group)
{
    double bound = r->groups[group].fee;

    for (uint32_t c = 0; c < r->in->n_reach_classes; c++)
        bound += least_rate(r, c, group);
    return bound;
}

/* Replaces the best choice if there is a cheaper one among the first n_nodes. */
static int exhaust(struct search *s, uint64_t n_nodes, struct hagg_err *err)
{
    struct exhaust x = { .s = s, .n_left = n_nodes, .least = s->cost };
    int status = 0;

    x.rest = calloc(s->n_classes + (size_t)1, sizeof *x.rest);
    x.best = malloc(s->n_classes * sizeof *x.best);
    if (!x.rest || !x.best) {
        status = err_errno(err, "no memory to choose relays");
    } else {
        memcpy(x.best, s->of, s->n_classes * sizeof *s->of);
        for (uint32_t c = s->n_classes; c-- > 0;)
            x.rest[c] = x.rest[c + 1] + least_rate(s->r, c, s->only);
        for (uint32_t c = 0; c < s->n_classes; c++)
            take(s, c);
        s->cost = 0;
        assign(&x, 0);
        for (uint32_t c = 0; c < s->n_classes; c++)
            put(s, c, x.best[c]);
    }
    free(x.rest);
    free(x.best);
    return status;
}

/* Inserts the classes one after the other, and then improves the choice. 0 if one has no pattern.
 */
static int run(struct search *s, struct hagg_err *err)
{
    s->banned_pattern = s->banned_group = s->wanted_group = NONE;
    memset(s->of, 0xff, s->n_classes * sizeof *s->of);
    memset(s->active, 0xff, s->r->n_twins * sizeof *s->active);
    for (uint32_t c = 0; c < s->n_classes; c++) {
        uint32_t best = best_pattern(s, c);

        if (best == NONE)
            return 0;
        put(s, c, best);
    }
    improve(s, effort_budget(s->e, WORK));
    return exhaust(s, effort_budget(s->e, NODES), err) ? -1 : 1;
}

int reshared_search(const struct reshared *r, uint32_t group, struct effort *e, uint32_t *of,
                    struct hagg_err *err)
{
    uint32_t n = r->in->n_reach_classes;
    struct search s = {
        .r = r,
        .e = e,
        .only = group,
        .n_classes = n,
        .of = of,
        .users = calloc(r->n_patterns + (size_t)1, sizeof *s.users),
        .members = calloc(r->n_groups + (size_t)1, sizeof *s.members),
        .active = calloc(r->n_twins + (size_t)1, sizeof *s.active),
        .out = calloc(n + (size_t)1, sizeof *s.out),
        .before = calloc(n + (size_t)1, sizeof *s.before),
    };
    int status = s.users && s.members && s.active && s.out && s.before
                     ? run(&s, err)
                     : err_errno(err, "no memory to choose relays");

    free(s.users);
    free(s.members);
    free(s.active);
    free(s.out);
    free(s.before);
    return status;
}
