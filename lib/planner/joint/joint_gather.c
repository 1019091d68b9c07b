#include "planner/joint/joint_gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int joint_gather_new(struct joint_gather *g, const struct choice *c, struct hagg_err *err)
{
    *g = (struct joint_gather){ .c = c };
    g->taken = malloc(c->in->n_clients * sizeof *g->taken);
    g->set = malloc(c->in->n_words * sizeof *g->set);
    g->left = malloc(c->in->n_reach_classes * sizeof *g->left);
    if (g->taken && g->set && g->left)
        return 0;
    joint_gather_free(g);
    return err_errno(err, "no memory to plan for full collusion");
}

void joint_gather_free(struct joint_gather *g)
{
    free(g->taken);
    free(g->set);
    free(g->left);
    *g = (struct joint_gather){ 0 };
}

void joint_gather_begin(struct joint_gather *g, uint32_t client)
{
    memset(g->taken, 0, g->c->in->n_clients * sizeof *g->taken);
    memset(g->set, 0xff, g->c->in->n_words * sizeof *g->set);
    joint_gather_add(g, client);
}

void joint_gather_add(struct joint_gather *g, uint32_t client)
{
    g->taken[client] = true;
    set_intersect(g->set, g->set, choice_reach(g->c, client), g->c->in->n_words);
}

uint32_t joint_gather_nearest(const struct joint_gather *g, const struct joint_core *core,
                              unsigned side)
{
    const struct choice *c = g->c;
    uint32_t best = LINKAGE_END, most = 0;

    for (uint32_t reach_class = 0; reach_class < c->in->n_reach_classes; reach_class++) {
        const uint64_t *reach = instance_reach(c->in, reach_class);

        g->left[reach_class] = 0;
        for (size_t k = 0; k < c->in->n_words; k++)
            g->left[reach_class] += (uint32_t)__builtin_popcountll(g->set[k] & reach[k]);
    }
    for (uint32_t i = 0; i < c->in->n_clients; i++) {
        uint32_t left = g->left[c->in->reach_class[i]];

        if (left > most && !g->taken[i] && (!core || joint_core_has(core, i, !side))) {
            most = left;
            best = i;
        }
    }
    return isinf(c->in->rate[most]) ? LINKAGE_END : best;
}
