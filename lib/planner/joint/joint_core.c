#include "planner/joint/joint_core.h"

#include <stdlib.h>

int joint_core_new(struct joint_core *k, struct choice *c, struct hagg_err *err)
{
    uint32_t n = c->in->n_clients;

    *k = (struct joint_core){ .c = c };
    k->in = calloc(2 * (size_t)c->room, sizeof *k->in);
    k->outside = malloc(n * sizeof *k->outside);
    k->done = malloc(n * sizeof *k->done); /* a step moves each client at most once */
    if (k->in && k->outside && k->done)
        return 0;
    joint_core_free(k);
    return err_errno(err, "no memory to plan for full collusion");
}

void joint_core_free(struct joint_core *k)
{
    free(k->in);
    free(k->outside);
    free(k->done);
    *k = (struct joint_core){ 0 };
}

uint32_t joint_core_links(const struct joint_core *k, unsigned side, uint32_t group)
{
    const struct linkage *l = &k->c->links;
    uint32_t v = choice_vertex(side, group), n = 0;

    for (uint32_t i = l->first[v]; i != LINKAGE_END; i = linkage_next(l, i, v))
        if (k->in[linkage_across(l, i, v)])
            n += l->links[i].clients;
    return n;
}

bool joint_core_is_outside(const struct joint_core *k, uint32_t client)
{
    const struct choice *c = k->c;
    uint32_t y = c->side[0].of[client], x = c->side[1].of[client];

    if (c->condition == COLLUSION_PAPER)
        return !joint_core_has(k, client, 0) || !joint_core_has(k, client, 1);
    return !joint_core_has(k, client, 0) && !joint_core_has(k, client, 1) &&
           joint_core_links(k, 0, y) + joint_core_links(k, 1, x) <= c->z;
}

static void absorb(struct joint_core *k)
{
    const struct choice *c = k->c;
    bool more;

    do {
        more = false;
        for (unsigned s = 0; s < 2; s++)
            for (uint32_t g = 0; g < c->room; g++)
                if (!k->in[choice_vertex(s, g)] && c->side[s].clients[g] > c->z &&
                    joint_core_links(k, s, g) > c->z)
                    more = k->in[choice_vertex(s, g)] = true;
    } while (more);
}

void joint_core_update(struct joint_core *k)
{
    absorb(k);
    k->n_outside = 0;
    for (uint32_t i = 0; i < k->c->in->n_clients; i++)
        if (joint_core_is_outside(k, i))
            k->outside[k->n_outside++] = i;
}

static void note(struct joint_core *k, uint32_t client, unsigned side, uint32_t from)
{
    k->done[k->n_done++] = (struct joint_core_move){ client, from, side };
}

void joint_core_move(struct joint_core *k, uint32_t client, unsigned side, uint32_t group)
{
    note(k, client, side, k->c->side[side].of[client]);
    choice_move(k->c, client, side, group);
}

bool joint_core_reassign(struct joint_core *k, uint32_t client, unsigned side, uint32_t group)
{
    struct choice *c = k->c;
    uint32_t from = c->side[side].of[client];
    uint32_t u = choice_vertex(!side, c->side[!side].of[client]), v = choice_vertex(side, from);

    choice_move(c, client, side, group);
    if (!k->in[v] || c->side[side].clients[from] == 0 ||
        linkage_min_cut_at_least(&c->links, &u, 1, &v, 1, c->z + 1)) {
        note(k, client, side, from);
        return true;
    }
    choice_move(c, client, side, from);
    return false;
}

void joint_core_undo(struct joint_core *k)
{
    while (k->n_done > 0) {
        const struct joint_core_move *m = &k->done[--k->n_done];

        choice_move(k->c, m->client, m->side, m->group);
    }
}

uint32_t joint_core_open(struct joint_core *k, unsigned side, const uint64_t *set)
{
    uint32_t group = choice_open(k->c, side, set);

    /* it may reuse the number of a group of the core that became empty */
    if (group != LINKAGE_END)
        k->in[choice_vertex(side, group)] = false;
    return group;
}
