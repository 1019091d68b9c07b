#include "joint_connect.h"

#include <stdlib.h>
#include <string.h>

#include "joint_offers.h"
#include "joint_small_groups.h"

/* Each round halves the number of parts where it can; more means running in circles. */
#define ROUNDS 30

enum moved { STAYED, MOVED, MOVED_NOW }; /* now: by the bundle at hand, which may yet be undone */

struct connect {
    struct choice *c;
    struct joint_parts parts; /* its parent is that of parts that are joined */
    struct joint_offers offers;
    uint8_t *moved; /* clients, in this round */
    bool *gone;     /* parts that all have left, in this round */
};

/* Moves z + 1 clients of a bundle, none that would loosen the part that it leaves. */
static bool apply_bundle(struct connect *w, const struct joint_bundle *k)
{
    struct choice *c = w->c;
    uint32_t need = c->z + 1, n_done = 0;
    size_t i;

    for (i = k->first; i < k->end && n_done < need; i++) {
        struct joint_offer *o = &w->offers.offers[i];
        uint32_t from = c->side[o->side].of[o->client];
        uint32_t held[2] = { choice_vertex(!o->side, c->side[!o->side].of[o->client]),
                             choice_vertex(o->side, from) };

        if (w->moved[o->client])
            continue;
        choice_move(c, o->client, o->side, o->group);
        if (w->parts.parts[w->parts.of[held[0]]].dense &&
            !linkage_holds(&c->links, &held[0], 1, &held[1], 1, need)) {
            choice_move(c, o->client, o->side, from);
            continue;
        }
        w->moved[o->client] = MOVED_NOW;
        o->group = from;
        n_done++;
    }
    for (size_t j = k->first; j < i; j++) {
        const struct joint_offer *o = &w->offers.offers[j];

        if (w->moved[o->client] != MOVED_NOW)
            continue;
        if (n_done < need)
            choice_move(c, o->client, o->side, o->group);
        w->moved[o->client] = n_done == need ? MOVED : STAYED;
    }
    return n_done == need;
}

static uint32_t part_of(const struct connect *w, unsigned side, uint32_t group)
{
    return w->parts.of[choice_vertex(side, group)];
}

static bool is_in(const struct connect *w, uint32_t client, uint32_t part)
{
    return part_of(w, 0, w->c->side[0].of[client]) == part &&
           part_of(w, 1, w->c->side[1].of[client]) == part;
}

static void unite(struct connect *w, uint32_t a, uint32_t b)
{
    uint32_t *parent = w->parts.parent;

    parent[joint_parts_root(parent, a)] = joint_parts_root(parent, b);
}

static bool united(struct connect *w, uint32_t a, uint32_t b)
{
    return joint_parts_root(w->parts.parent, a) == joint_parts_root(w->parts.parent, b);
}

/* All clients of a part leave their groups of one side, if where they go is as it was. */
static bool leave(struct connect *w, uint32_t part, unsigned side)
{
    struct choice *c = w->c;
    const uint32_t *to = w->offers.cheapest[side];

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (is_in(w, i, part) && (w->moved[i] || w->gone[part_of(w, side, to[i])]))
            return false;
    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (is_in(w, i, part)) {
            choice_move(c, i, side, to[i]);
            w->moved[i] = MOVED;
            unite(w, part, part_of(w, side, to[i]));
        }
    w->gone[part] = true;
    return true;
}

static bool is_alone(struct connect *w, uint32_t part)
{
    for (uint32_t u = 0; u < w->parts.n; u++)
        if (u != part && united(w, u, part))
            return false;
    return true;
}

/* Joins parts as a spanning tree is grown, cheapest first. Returns how many joins were made. */
static uint32_t join_parts(struct connect *w)
{
    uint32_t n_joined = 0;

    memset(w->moved, STAYED, w->c->in->n_clients);
    for (uint32_t u = 0; u < w->parts.n; u++) {
        w->parts.parent[u] = u;
        w->gone[u] = false;
    }
    for (size_t i = 0; i < w->offers.n_bundles; i++) {
        const struct joint_bundle *k = &w->offers.bundles[i];

        if (w->gone[k->a])
            continue;
        if (k->b == JOINT_PARTS_NONE) {
            n_joined += is_alone(w, k->a) && leave(w, k->a, k->side);
        } else if (!w->gone[k->b] && !united(w, k->a, k->b) && apply_bundle(w, k)) {
            unite(w, k->a, k->b);
            n_joined++;
        }
    }
    return n_joined;
}

static void connect_free(struct connect *w)
{
    joint_parts_free(&w->parts);
    joint_offers_free(&w->offers);
    free(w->moved);
    free(w->gone);
}

static int connect_new(struct connect *w, struct choice *c, struct hagg_err *err)
{
    *w = (struct connect){ .c = c };
    w->moved = malloc(c->in->n_clients * sizeof *w->moved);
    w->gone = malloc(2 * (size_t)c->room * sizeof *w->gone);
    if (!w->moved || !w->gone)
        err_errno(err, "planning for full collusion");
    else if (joint_parts_new(&w->parts, c, err) == 0 &&
             joint_offers_new(&w->offers, &w->parts, err) == 0)
        return 0;
    connect_free(w);
    return -1;
}

int joint_connect(struct choice *c, struct effort *e, struct hagg_err *err)
{
    struct connect w;
    int status = 0;

    if (c->condition == COLLUSION_PAPER && !joint_small_groups(c))
        return 0;
    if (connect_new(&w, c, err))
        return -1;
    for (unsigned round = 0; round < ROUNDS && effort_goes_on(e); round++) {
        status = joint_parts_find(&w.parts, err);
        if (status || w.parts.n < 2)
            break;
        status = joint_offers_collect(&w.offers, err);
        if (status || join_parts(&w) == 0)
            break;
    }
    connect_free(&w);
    return status ? status : choice_private(c, NULL, err);
}
