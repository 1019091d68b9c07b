#include "planner/joint/joint_steps.h"

#include <stdlib.h>
#include <string.h>

#define REFUSALS 6 /* clients that may turn out not to be movable, per group */

int joint_steps_new(struct joint_steps *w, struct joint_core *core, struct joint_gather *gather,
                    struct hagg_err *err)
{
    *w = (struct joint_steps){ .core = core, .gather = gather };
    w->candidates = malloc(core->c->in->n_clients * sizeof *w->candidates);
    return w->candidates ? 0 : err_errno(err, "no memory to plan for full collusion");
}

void joint_steps_free(struct joint_steps *w)
{
    free(w->candidates);
    *w = (struct joint_steps){ 0 };
}

/* The cheapest group of the core that the client can join. */
static uint32_t cheapest_core_group(const struct joint_core *k, uint32_t client, unsigned side)
{
    const struct choice *c = k->c;
    uint32_t best = LINKAGE_END;

    for (uint32_t g = 0; g < c->room; g++)
        if (k->in[choice_vertex(side, g)] && c->side[side].clients[g] > 0 &&
            (best == LINKAGE_END || c->side[side].rate[g] < c->side[side].rate[best]) &&
            choice_fits(c, client, side, g))
            best = g;
    return best;
}

static bool join_group(struct joint_core *k, uint32_t client, unsigned side)
{
    uint32_t to = cheapest_core_group(k, client, side);

    if (to != LINKAGE_END)
        joint_core_move(k, client, side, to);
    return to != LINKAGE_END;
}

static int costliest_first(const void *a, const void *b, void *arg)
{
    const struct choice_side *s = arg;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    double x = s->rate[s->of[i]], y = s->rate[s->of[j]];

    if (x != y)
        return x > y ? -1 : 1;
    return (i > j) - (i < j);
}

/* The clients that could move to the group: their other group is in the core. Those that pay most
 * now come first, because moving them costs least. */
static uint32_t find_candidates(struct joint_steps *w, unsigned side, uint32_t group)
{
    struct choice *c = w->core->c;
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (c->side[side].of[i] != group && joint_core_has(w->core, i, !side) &&
            choice_fits(c, i, side, group))
            w->candidates[n++] = i;
    qsort_r(w->candidates, n, sizeof *w->candidates, costliest_first, &c->side[side]);
    return n;
}

static bool attach_group(struct joint_steps *w, uint32_t client, unsigned side)
{
    struct joint_core *k = w->core;
    const struct choice *c = k->c;
    uint32_t group = c->side[side].of[client];
    uint32_t n = find_candidates(w, side, group), held = joint_core_links(k, side, group);

    if (c->condition == COLLUSION_EXACT)
        held += joint_core_links(k, !side, c->side[!side].of[client]);
    for (uint32_t i = 0; i < n && held <= c->z; i++)
        held += joint_core_reassign(k, w->candidates[i], side, group);
    return held > c->z;
}

/* All other clients outside that can use the new group move to it too. */
static bool make_group(struct joint_steps *w, uint32_t client, unsigned side)
{
    struct joint_core *k = w->core;
    struct joint_gather *gather = w->gather;
    struct choice *c = k->c;
    uint32_t group = joint_core_open(k, side, choice_reach(c, client));
    uint32_t held = joint_core_has(k, client, !side), refusals = 0;

    if (group == LINKAGE_END)
        return false;
    joint_gather_begin(gather, client);
    joint_core_move(k, client, side, group);
    while (held <= c->z) {
        uint32_t candidate = joint_gather_nearest(gather, k, side);

        if (candidate == LINKAGE_END)
            return false;
        if (joint_core_reassign(k, candidate, side, group)) {
            joint_gather_add(gather, candidate);
            held++;
        } else if (++refusals > REFUSALS) {
            return false;
        }
        gather->taken[candidate] = true;
    }
    memcpy(choice_set(c, side, group), gather->set, c->in->n_words * sizeof *gather->set);
    choice_set_rates(c, side, group);
    for (uint32_t i = 0; i < k->n_outside; i++)
        if (!gather->taken[k->outside[i]] && !joint_core_has(k, k->outside[i], side) &&
            choice_fits(c, k->outside[i], side, group))
            joint_core_move(k, k->outside[i], side, group);
    return true;
}

static bool try_step(struct joint_steps *w, const struct joint_step *step)
{
    w->core->n_done = 0;
    switch (step->method) {
    case JOINT_STEPS_JOIN:
        return join_group(w->core, step->client, step->side);
    case JOINT_STEPS_ATTACH:
        return attach_group(w, step->client, step->side);
    case JOINT_STEPS_MAKE:
        return make_group(w, step->client, step->side);
    }
    return false;
}

/* The cost of the step just made, per client that it brings inside. */
static double price(const struct joint_core *k, const struct joint_step *step)
{
    const struct choice *c = k->c;
    const struct choice_side *s = &c->side[step->side];
    double sum = 0, n = 0;

    if (step->method == JOINT_STEPS_MAKE)
        sum += s->fee[s->of[step->client]];
    for (uint32_t i = 0; i < k->n_done; i++) {
        const struct choice_side *t = &c->side[k->done[i].side];
        uint32_t to = t->of[k->done[i].client], from = k->done[i].group;

        sum += t->rate[to] - t->rate[from] - (t->clients[from] ? 0 : t->fee[from]);
    }
    for (uint32_t i = 0; i < k->n_outside; i++)
        n += s->of[k->outside[i]] == s->of[step->client];
    return sum / (step->method == JOINT_STEPS_JOIN ? 1 : n);
}

void joint_steps_evaluate(struct joint_steps *w, uint32_t client, struct joint_step *best)
{
    struct joint_core *k = w->core;

    for (unsigned s = 0; s < 2; s++) {
        if (joint_core_has(k, client, s))
            continue;
        for (int m = JOINT_STEPS_JOIN; m <= JOINT_STEPS_MAKE; m++) {
            struct joint_step step = { 0, (enum joint_steps_method)m, client, s };

            if (try_step(w, &step) &&
                (k->c->condition == COLLUSION_PAPER || !joint_core_is_outside(k, client))) {
                step.price = price(k, &step);
                if (step.price < best->price)
                    *best = step;
            }
            joint_core_undo(k);
        }
    }
}

void joint_steps_apply(struct joint_steps *w, const struct joint_step *step)
{
    try_step(w, step);
}
