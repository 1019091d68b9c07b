#include "planner/joint/joint_grow.h"

#include <math.h>
#include <string.h>

#include "planner/joint/joint_steps.h"

#define SAMPLE 24     /* clients for which one step evaluates all ways to bring them in */
#define SCANS  100000 /* limits the sample times the number of clients */
#define MISSES 3      /* consecutive steps that may find nothing */

struct grow {
    struct choice *c;
    struct effort *e;
    struct joint_core core;
    struct joint_gather gather;
    struct joint_steps steps;
};

/* If no client can be moved to link another group: makes the cheapest merge of a group outside with
 * a group of the core. */
static bool merge_in(struct grow *w)
{
    struct choice *c = w->c;
    const struct joint_core *core = &w->core;
    double least = INFINITY;
    uint32_t to = 0, from = 0;
    unsigned side = 0;

    for (unsigned s = 0; s < 2; s++)
        for (uint32_t k = 0; k < core->n_outside; k++) {
            uint32_t g = c->side[s].of[core->outside[k]];

            if (core->in[choice_vertex(s, g)])
                continue;
            for (uint32_t h = 0; h < c->room; h++) {
                if (!core->in[choice_vertex(s, h)] || c->side[s].clients[h] == 0)
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

/* The first core: the client's two groups, if more than z clients link them, or else a new pair of
 * groups of this client and the z nearest ones. */
static bool start_core(struct grow *w, uint32_t client)
{
    struct choice *c = w->c;
    struct joint_core *core = &w->core;
    struct joint_gather *gather = &w->gather;
    uint32_t groups[2] = { c->side[0].of[client], c->side[1].of[client] };
    uint32_t ends[2] = { choice_vertex(0, groups[0]), choice_vertex(1, groups[1]) };

    memset(core->in, 0, 2 * (size_t)c->room * sizeof *core->in);
    if (!linkage_min_cut_at_least(&c->links, &ends[0], 1, &ends[1], 1, c->z + 1)) {
        joint_gather_begin(gather, client);
        for (uint32_t k = 0; k < c->z; k++) {
            uint32_t other = joint_gather_nearest(gather, NULL, 0);

            if (other == LINKAGE_END)
                return false;
            joint_gather_add(gather, other);
        }
        for (unsigned s = 0; s < 2; s++) {
            groups[s] = joint_core_open(core, s, gather->set);
            if (groups[s] == LINKAGE_END)
                return false;
            ends[s] = choice_vertex(s, groups[s]);
            for (uint32_t i = 0; i < c->in->n_clients; i++)
                if (gather->taken[i])
                    choice_move(c, i, s, groups[s]);
        }
    }
    core->in[ends[0]] = core->in[ends[1]] = true;
    return true;
}

/* A random client, with preference for one in a large group. */
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
    struct joint_core *core = &w->core;
    uint32_t n = w->c->in->n_clients, failures = 0;
    uint32_t sample = n > SCANS / SAMPLE ? SCANS / n + 1 : SAMPLE;
    uint64_t patience = 200 + n / 2; /* steps may undo each other, so their number is limited */

    if (!start_core(w, choose_start(w)))
        return false;
    for (joint_core_update(core); core->n_outside > 0; joint_core_update(core)) {
        struct joint_step best = { .price = INFINITY };
        bool all = core->n_outside <= sample;

        if (patience-- == 0 || !effort_may_continue(w->e))
            return false;
        for (uint32_t k = 0; k < (all ? core->n_outside : sample); k++)
            joint_steps_evaluate(
                &w->steps, core->outside[all ? k : effort_random(w->e, core->n_outside)], &best);
        if (!isinf(best.price)) {
            joint_steps_apply(&w->steps, &best);
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
    struct grow w = { .c = c, .e = e };
    int status = -1;

    if (joint_core_new(&w.core, c, err) == 0 && joint_gather_new(&w.gather, c, err) == 0 &&
        joint_steps_new(&w.steps, &w.core, &w.gather, err) == 0) {
        status = 0;
        if (grow(&w))
            status = choice_tighten(c, err) ? -1 : choice_private(c, NULL, err);
    }
    joint_core_free(&w.core);
    joint_gather_free(&w.gather);
    joint_steps_free(&w.steps);
    return status;
}
