#include "joint_grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE   24 /* clients that one step tries to bring in */
#define REFUSALS 6  /* clients that may be found not to be spared, for one group */
#define MISSES   3  /* steps that may find nothing, one after another */

/* The core is a set of groups that no z clients separate. A client is in when no z clients separate
 * it from the core, because one of its groups is in the core or both together are held firmly
 * enough; for the paper's condition both its groups must be in the core. When all clients are in,
 * the choice is private: a cut of at most z clients leaves the core whole, and nobody who is in on
 * its other side. */
struct grow {
    struct choice *c;
    struct effort *e;
    bool *core;      /* of each vertex */
    uint32_t *seeds; /* clients that are not in yet */
    uint32_t n_seeds;
    uint32_t *lenders; /* clients that may join a group, the cheapest first */
    bool *taken;       /* clients of the group that is being made, or refused to it */
    uint64_t *set;     /* of that group */
    struct move *done; /* what leads back from the step that is tried */
    uint32_t n_done;
};

struct move {
    uint32_t client, group;
    unsigned side;
};

enum means {
    JOIN, /* the client goes to a group of the core */
    DRAW, /* its group comes in, with further clients that the core holds */
    MAKE, /* a new group of it and of clients that the core holds */
    PAIR, /* two such groups, which hold the client together */
};

struct step {
    double price; /* for each client brought in */
    enum means means;
    uint32_t client;
    unsigned side;
};

static bool in_core(const struct grow *w, uint32_t client, unsigned side)
{
    return w->core[choice_vertex(side, w->c->side[side].of[client])];
}

/* How many clients hold the group to the core. */
static uint32_t n_holding(const struct grow *w, unsigned side, uint32_t group)
{
    const struct linkage *l = &w->c->links;
    uint32_t v = choice_vertex(side, group), n = 0;

    for (uint32_t i = l->first[v]; i != LINKAGE_END; i = linkage_next(l, i, v))
        if (w->core[linkage_across(l, i, v)])
            n += l->links[i].clients;
    return n;
}

static bool is_seed(const struct grow *w, uint32_t client)
{
    const struct choice *c = w->c;
    uint32_t y = c->side[0].of[client], x = c->side[1].of[client];

    if (c->condition == COLLUSION_PAPER)
        return !in_core(w, client, 0) || !in_core(w, client, 1);
    return !in_core(w, client, 0) && !in_core(w, client, 1) &&
           n_holding(w, 0, y) + n_holding(w, 1, x) <= c->z;
}

static void find_seeds(struct grow *w)
{
    w->n_seeds = 0;
    for (uint32_t i = 0; i < w->c->in->n_clients; i++)
        if (is_seed(w, i))
            w->seeds[w->n_seeds++] = i;
}

/* Groups that are held by more than z clients already come in for nothing. */
static void absorb(struct grow *w)
{
    bool more;

    do {
        more = false;
        for (unsigned s = 0; s < 2; s++)
            for (uint32_t g = 0; g < w->c->room; g++)
                if (!w->core[choice_vertex(s, g)] && w->c->side[s].clients[g] > w->c->z &&
                    n_holding(w, s, g) > w->c->z)
                    more = w->core[choice_vertex(s, g)] = true;
    } while (more);
}

static void move(struct grow *w, uint32_t client, unsigned side, uint32_t group)
{
    w->done[w->n_done++] = (struct move){ client, w->c->side[side].of[client], side };
    choice_move(w->c, client, side, group);
}

static void undo(struct grow *w)
{
    while (w->n_done > 0) {
        const struct move *m = &w->done[--w->n_done];

        choice_move(w->c, m->client, m->side, m->group);
    }
}

/* Moves a client that the core holds by its other group, unless that would loosen the core. A group
 * that is empty then is just no more. */
static bool lend(struct grow *w, uint32_t client, unsigned side, uint32_t group)
{
    struct choice *c = w->c;
    uint32_t from = c->side[side].of[client];
    uint32_t u = choice_vertex(!side, c->side[!side].of[client]), v = choice_vertex(side, from);

    choice_move(c, client, side, group);
    if (!w->core[v] || c->side[side].clients[from] == 0 ||
        linkage_holds(&c->links, &u, 1, &v, 1, c->z + 1)) {
        w->done[w->n_done++] = (struct move){ client, from, side };
        return true;
    }
    choice_move(c, client, side, from);
    return false;
}

/* A new group, which is not in the core even if an emptied one that was has left its place to it.
 */
static uint32_t open_group(struct grow *w, unsigned side, const uint64_t *set)
{
    uint32_t group = choice_open(w->c, side, set);

    if (group != LINKAGE_END)
        w->core[choice_vertex(side, group)] = false;
    return group;
}

/* The cheapest group of the core that the client can join. */
static uint32_t haven(const struct grow *w, uint32_t client, unsigned side)
{
    const struct choice *c = w->c;
    uint32_t best = LINKAGE_END;

    for (uint32_t g = 0; g < c->room; g++)
        if (w->core[choice_vertex(side, g)] && c->side[side].clients[g] > 0 &&
            (best == LINKAGE_END || c->side[side].rate[g] < c->side[side].rate[best]) &&
            choice_fits(c, client, side, g))
            best = g;
    return best;
}

/* The client not taken yet whose reach leaves most of the set; with held one that the core holds.
 */
static uint32_t nearest(const struct grow *w, const uint64_t *set, unsigned side, bool held,
                        uint32_t *n_left)
{
    const struct choice *c = w->c;
    uint32_t best = LINKAGE_END, most = 0;

    for (uint32_t i = 0; i < c->in->n_clients; i++) {
        const uint64_t *reach = choice_reach(c, i);
        uint32_t left = 0;

        if (w->taken[i] || (held && !in_core(w, i, !side)))
            continue;
        for (size_t k = 0; k < c->in->n_words; k++)
            left += (uint32_t)__builtin_popcountll(set[k] & reach[k]);
        if (left > most) {
            most = left;
            best = i;
        }
    }
    *n_left = isinf(c->in->rate[most]) ? 0 : most;
    return *n_left ? best : LINKAGE_END;
}

static void take(struct grow *w, uint32_t client)
{
    w->taken[client] = true;
    set_meet(w->set, w->set, choice_reach(w->c, client), w->c->in->n_words);
}

static void begin_group(struct grow *w, uint32_t client)
{
    memset(w->taken, 0, w->c->in->n_clients * sizeof *w->taken);
    memset(w->set, 0xff, w->c->in->n_words * sizeof *w->set);
    take(w, client);
}

static int dearest_first(const void *a, const void *b, void *arg)
{
    const struct choice_side *s = arg;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    double x = s->rate[s->of[i]], y = s->rate[s->of[j]];

    if (x != y)
        return x > y ? -1 : 1;
    return (i > j) - (i < j);
}

/* Who could join the group: held by the core on the other side. Who pays most now loses least. */
static uint32_t find_lenders(struct grow *w, unsigned side, uint32_t group)
{
    struct choice *c = w->c;
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (c->side[side].of[i] != group && in_core(w, i, !side) && choice_fits(c, i, side, group))
            w->lenders[n++] = i;
    qsort_r(w->lenders, n, sizeof *w->lenders, dearest_first, &c->side[side]);
    return n;
}

/* Brings the client's group into the core, with further clients that hold it. */
static bool draw(struct grow *w, uint32_t client, unsigned side)
{
    uint32_t group = w->c->side[side].of[client];
    uint32_t n = find_lenders(w, side, group), held = n_holding(w, side, group);

    if (w->c->condition == COLLUSION_EXACT)
        held += n_holding(w, !side, w->c->side[!side].of[client]);
    for (uint32_t k = 0; k < n && held <= w->c->z; k++)
        held += lend(w, w->lenders[k], side, group);
    return held > w->c->z;
}

static void give_set(struct choice *c, unsigned side, uint32_t group, const uint64_t *set)
{
    memcpy(choice_set(c, side, group), set, c->in->n_words * sizeof *set);
    c->side[side].rate[group] = c->in->rate[set_count(set, c->in->n_words)];
}

/* A new group of the client, of clients that hold it to the core, and of all others not yet in that
 * can use it. */
static bool make(struct grow *w, uint32_t client, unsigned side)
{
    struct choice *c = w->c;
    uint32_t group = open_group(w, side, choice_reach(c, client));
    uint32_t held = in_core(w, client, !side), left, refusals = 0;

    if (group == LINKAGE_END)
        return false;
    begin_group(w, client);
    move(w, client, side, group);
    while (held <= c->z) {
        uint32_t lender = nearest(w, w->set, side, true, &left);

        if (lender == LINKAGE_END)
            return false;
        if (lend(w, lender, side, group)) {
            take(w, lender);
            held++;
        } else if (++refusals > REFUSALS) {
            return false;
        }
        w->taken[lender] = true;
    }
    give_set(c, side, group, w->set);
    for (uint32_t k = 0; k < w->n_seeds; k++)
        if (!w->taken[w->seeds[k]] && !in_core(w, w->seeds[k], side) &&
            choice_fits(c, w->seeds[k], side, group))
            move(w, w->seeds[k], side, group);
    return true;
}

/* Two new groups for the client, with z + 1 clients in both together that the core holds. */
static bool pair(struct grow *w, uint32_t client)
{
    struct choice *c = w->c;
    const uint64_t *reach = choice_reach(c, client);
    uint32_t refusals = 0;
    uint32_t group[2] = { open_group(w, 0, reach), open_group(w, 1, reach) };

    if (group[0] == LINKAGE_END || group[1] == LINKAGE_END)
        return false;
    begin_group(w, client);
    for (unsigned s = 0; s < 2; s++)
        move(w, client, s, group[s]);
    for (uint32_t held = 0; held <= c->z;) {
        uint32_t left[2], lender[2];

        for (unsigned s = 0; s < 2; s++)
            lender[s] = nearest(w, choice_set(c, s, group[s]), s, true, &left[s]);
        unsigned s = left[1] > left[0];
        if (lender[s] == LINKAGE_END)
            return false;
        w->taken[lender[s]] = true;
        if (!lend(w, lender[s], s, group[s])) {
            if (++refusals > REFUSALS)
                return false;
            continue;
        }
        set_meet(w->set, choice_set(c, s, group[s]), choice_reach(c, lender[s]), c->in->n_words);
        give_set(c, s, group[s], w->set);
        held++;
    }
    return true;
}

static bool take_step(struct grow *w, const struct step *step)
{
    uint32_t to;

    w->n_done = 0;
    switch (step->means) {
    case JOIN:
        to = haven(w, step->client, step->side);
        if (to != LINKAGE_END)
            move(w, step->client, step->side, to);
        return to != LINKAGE_END;
    case DRAW:
        return draw(w, step->client, step->side);
    case MAKE:
        return make(w, step->client, step->side);
    case PAIR:
        return step->side == 0 && w->c->condition == COLLUSION_EXACT && pair(w, step->client);
    }
    return false;
}

/* What the step that has just been taken cost, for each client that it brings in. */
static double price(const struct grow *w, const struct step *step)
{
    const struct choice *c = w->c;
    const struct choice_side *s = &c->side[step->side];
    double sum = 0, n = 0;

    if (step->means == MAKE || step->means == PAIR)
        sum += s->rate[s->of[step->client]];
    if (step->means == PAIR)
        sum += c->side[1].rate[c->side[1].of[step->client]];
    for (uint32_t k = 0; k < w->n_done; k++) {
        const struct choice_side *t = &c->side[w->done[k].side];
        uint32_t to = t->of[w->done[k].client], from = w->done[k].group;

        sum += t->rate[to] - t->rate[from] * (t->clients[from] ? 1 : 2);
    }
    for (uint32_t k = 0; k < w->n_seeds; k++)
        n += s->of[w->seeds[k]] == s->of[step->client];
    return sum / (step->means == DRAW || step->means == MAKE ? n : 1);
}

/* Tries all ways to bring a client in, and takes none. */
static void weigh(struct grow *w, uint32_t client, struct step *best)
{
    static const enum means all[] = { JOIN, DRAW, MAKE, PAIR };

    for (unsigned s = 0; s < 2; s++) {
        if (in_core(w, client, s))
            continue;
        for (unsigned m = 0; m < 4; m++) {
            struct step step = { 0, all[m], client, s };

            if (take_step(w, &step) &&
                (w->c->condition == COLLUSION_PAPER || !is_seed(w, client))) {
                step.price = price(w, &step);
                if (step.price < best->price)
                    *best = step;
            }
            undo(w);
        }
    }
}

/* Where no client can be spared to hold another group: the cheapest merge of a group of a client
 * that is not in with one of the core. */
static bool merge_in(struct grow *w)
{
    struct choice *c = w->c;
    double least = INFINITY;
    uint32_t to = 0, from = 0;
    unsigned side = 0;

    for (unsigned s = 0; s < 2; s++)
        for (uint32_t k = 0; k < w->n_seeds; k++) {
            uint32_t g = c->side[s].of[w->seeds[k]];

            if (w->core[choice_vertex(s, g)])
                continue;
            for (uint32_t h = 0; h < c->room; h++) {
                if (!w->core[choice_vertex(s, h)] || c->side[s].clients[h] == 0)
                    continue;
                double price = choice_merge_price(c, s, h, g);
                if (price < least) {
                    least = price;
                    to = h;
                    from = g;
                    side = s;
                }
            }
        }
    if (isinf(least))
        return false;
    choice_merge(c, side, to, from);
    return true;
}

/* The first core: the client's groups, when they hold each other, or a new pair with the clients
 * that are nearest to it. */
static bool found(struct grow *w, uint32_t client)
{
    struct choice *c = w->c;
    uint32_t groups[2] = { c->side[0].of[client], c->side[1].of[client] };
    uint32_t ends[2] = { choice_vertex(0, groups[0]), choice_vertex(1, groups[1]) };

    memset(w->core, 0, 2 * (size_t)c->room * sizeof *w->core);
    if (!linkage_holds(&c->links, &ends[0], 1, &ends[1], 1, c->z + 1)) {
        begin_group(w, client);
        for (uint32_t k = 0; k < c->z; k++) {
            uint32_t left, other = nearest(w, w->set, 0, false, &left);

            if (other == LINKAGE_END)
                return false;
            take(w, other);
        }
        for (unsigned s = 0; s < 2; s++) {
            groups[s] = open_group(w, s, w->set);
            if (groups[s] == LINKAGE_END)
                return false;
            ends[s] = choice_vertex(s, groups[s]);
            for (uint32_t i = 0; i < c->in->n_clients; i++)
                if (w->taken[i])
                    choice_move(c, i, s, groups[s]);
        }
    }
    w->core[ends[0]] = w->core[ends[1]] = true;
    return true;
}

/* One of the clients with large groups. */
static uint32_t choose_start(struct grow *w)
{
    const struct choice *c = w->c;
    uint32_t best = effort_random(w->e, c->in->n_clients);

    for (unsigned k = 0; k < 8; k++) {
        uint32_t i = effort_random(w->e, c->in->n_clients);

        if (c->side[0].clients[c->side[0].of[i]] > c->side[0].clients[c->side[0].of[best]])
            best = i;
    }
    return best;
}

static bool grow(struct grow *w)
{
    uint32_t n = w->c->in->n_clients, failures = 0;
    uint32_t sample = n > 200000 / SAMPLE ? 200000 / n + 2 : SAMPLE;
    uint64_t patience = 200 + n / 2; /* steps may undo each other */

    if (!found(w, choose_start(w)))
        return false;
    for (absorb(w), find_seeds(w); w->n_seeds > 0; absorb(w), find_seeds(w)) {
        struct step best = { .price = INFINITY };
        bool all = w->n_seeds <= sample;

        if (patience-- == 0 || !effort_goes_on(w->e))
            return false;
        for (uint32_t k = 0; k < (all ? w->n_seeds : sample); k++)
            weigh(w, w->seeds[all ? k : effort_random(w->e, w->n_seeds)], &best);
        if (!isinf(best.price)) {
            take_step(w, &best);
            failures = 0;
        } else if (all || ++failures > MISSES) {
            if (!merge_in(w))
                return false;
            failures = 0;
        }
    }
    return true;
}

int joint_grow(struct choice *c, struct effort *e, struct hagg_err *err)
{
    uint32_t n = c->in->n_clients;
    struct grow w = { .c = c, .e = e };
    int status;

    w.core = malloc(2 * (size_t)c->room * sizeof *w.core);
    w.seeds = malloc(n * sizeof *w.seeds);
    w.lenders = malloc(n * sizeof *w.lenders);
    w.taken = malloc(n * sizeof *w.taken);
    w.set = malloc(c->in->n_words * sizeof *w.set);
    w.done = malloc(n * sizeof *w.done);
    if (!w.done || !w.core || !w.seeds || !w.lenders || !w.taken || !w.set)
        status = err_errno(err, "planning for full collusion");
    else
        status = grow(&w) && choice_tighten(c, err) == 0 ? choice_private(c, NULL, err) : 0;
    free(w.core);
    free(w.seeds);
    free(w.lenders);
    free(w.taken);
    free(w.set);
    free(w.done);
    return status;
}
