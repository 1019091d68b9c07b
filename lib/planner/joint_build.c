#include "joint_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_small.h"

#define NONE    UINT32_MAX
#define TARGETS 8 /* units that are offered to one client on one side */

/* A part of the graph that is to be joined to the others: groups that no z clients separate and
 * that have a client between them, or, where no groups are so, a whole component. */
struct unit {
    uint32_t n_clients; /* with both groups in it */
    bool dense;         /* of the first sort */
    bool gone;          /* dissolved in this round */
    double dissolve[2]; /* price of moving all its clients out on that side */
    uint32_t n_movable[2];
};

struct offer {
    uint32_t a, b; /* units, a < b, that the move links */
    double price;
    uint32_t client, group;
    unsigned side;
};

/* A way to join two units: z + 1 of the offers from first on, or, with b NONE, dissolving a. */
struct bundle {
    double price;
    uint32_t a, b;
    size_t first, end;
    unsigned side;
};

struct build {
    struct choice *c;
    uint32_t n_vertices;
    uint32_t *unit;   /* of each vertex, or NONE */
    uint32_t *parent; /* union-find, of vertices and later of units */
    uint32_t *label, *inner;
    struct unit *units;
    uint32_t n_units;
    uint32_t *order[2]; /* used groups of each side, cheapest first */
    uint32_t n_order[2];
    struct offer *offers;
    size_t n_offers, offers_room;
    struct bundle *bundles;
    size_t n_bundles, bundles_room;
    uint32_t *cheapest[2]; /* where each client would go on that side, or NONE */
    uint8_t *moved;        /* clients moved in this round */
};

static uint32_t root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static int find_units(struct build *b, struct hagg_err *err)
{
    struct choice *c = b->c;
    uint32_t n = c->in->n_clients, n_classes;
    struct collusion_edge *edges = malloc(n * sizeof *edges);

    if (!edges)
        return err_errno(err, "planning for full collusion");
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (struct collusion_edge){ c->side[0].of[i], c->side[1].of[i] };
    int status = collusion_classes(edges, n, c->room, c->room, c->z, b->label, &n_classes, err);
    if (status != 0)
        goto out;

    memset(b->inner, 0, b->n_vertices * sizeof *b->inner);
    memset(b->unit, 0xff, b->n_vertices * sizeof *b->unit);
    for (uint32_t v = 0; v < b->n_vertices; v++)
        b->parent[v] = v;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t y = edges[i].y, x = edges[i].x + c->room;

        b->inner[b->label[y]] += b->label[y] == b->label[x];
        b->parent[root(b->parent, y)] = root(b->parent, x);
    }
    /* first the dense units, by class; then components in which nothing has a unit */
    b->n_units = 0;
    uint32_t *unit_of = malloc(2 * (size_t)b->n_vertices * sizeof *unit_of);
    if (!unit_of) {
        status = err_errno(err, "planning for full collusion");
        goto out;
    }
    memset(unit_of, 0xff, 2 * (size_t)b->n_vertices * sizeof *unit_of);
    uint32_t *of_class = unit_of, *of_component = unit_of + b->n_vertices;
    for (uint32_t v = 0; v < b->n_vertices; v++) {
        uint32_t class = b->label[v];

        if (b->inner[class] == 0)
            continue;
        if (of_class[class] == NONE) {
            of_class[class] = b->n_units;
            b->units[b->n_units++] = (struct unit){ .dense = true };
        }
        of_component[root(b->parent, v)] = NONE - 1;
    }
    for (uint32_t v = 0; v < b->n_vertices; v++) {
        unsigned side = v >= c->room;
        uint32_t group = v - side * c->room, r = root(b->parent, v);
        uint32_t *unit = &b->unit[choice_vertex(side, group)];

        if (c->side[side].clients[group] == 0)
            continue;
        if (b->inner[b->label[v]] > 0) {
            *unit = of_class[b->label[v]];
        } else if (of_component[r] != NONE - 1) {
            if (of_component[r] == NONE) {
                of_component[r] = b->n_units;
                b->units[b->n_units++] = (struct unit){ 0 };
            }
            *unit = of_component[r];
        }
    }
    free(unit_of);
out:
    free(edges);
    return status;
}

struct by_rate {
    const struct choice_side *side;
};

static int cheaper_group(const void *a, const void *b, void *arg)
{
    const struct by_rate *by = arg;
    uint32_t g = *(const uint32_t *)a, h = *(const uint32_t *)b;

    if (by->side->rate[g] != by->side->rate[h])
        return by->side->rate[g] < by->side->rate[h] ? -1 : 1;
    return (g > h) - (g < h);
}

static void sort_groups(struct build *b)
{
    for (unsigned s = 0; s < 2; s++) {
        b->n_order[s] = 0;
        for (uint32_t g = 0; g < b->c->room; g++)
            if (b->c->side[s].clients[g] > 0)
                b->order[s][b->n_order[s]++] = g;
        qsort_r(b->order[s], b->n_order[s], sizeof *b->order[s], cheaper_group,
                &(struct by_rate){ &b->c->side[s] });
    }
}

static int add_offer(struct build *b, struct offer o)
{
    if (b->n_offers == b->offers_room) {
        size_t room = 2 * b->offers_room + 1024;
        struct offer *more = reallocarray(b->offers, room, sizeof *more);

        if (!more)
            return -1;
        b->offers = more;
        b->offers_room = room;
    }
    b->offers[b->n_offers++] = o;
    return 0;
}

static int add_bundle(struct build *b, struct bundle k)
{
    if (b->n_bundles == b->bundles_room) {
        size_t room = 2 * b->bundles_room + 256;
        struct bundle *more = reallocarray(b->bundles, room, sizeof *more);

        if (!more)
            return -1;
        b->bundles = more;
        b->bundles_room = room;
    }
    b->bundles[b->n_bundles++] = k;
    return 0;
}

/* What one client could do on one side: go to the cheapest group of each of a few other units. */
static int offers_of(struct build *b, uint32_t client, unsigned side, uint32_t home)
{
    struct choice *c = b->c;
    struct unit *unit = &b->units[home];
    uint32_t met[TARGETS], n_met = 0;

    b->cheapest[side][client] = NONE;
    for (uint32_t k = 0; k < b->n_order[side] && n_met < TARGETS; k++) {
        uint32_t g = b->order[side][k], there = b->unit[choice_vertex(side, g)];
        bool known = there == home || there == NONE;

        for (uint32_t m = 0; m < n_met; m++)
            known |= met[m] == there;
        if (known || !choice_fits(c, client, side, g))
            continue;
        double price = c->side[side].rate[g] - c->side[side].rate[c->side[side].of[client]];
        if (n_met == 0) {
            b->cheapest[side][client] = g;
            unit->dissolve[side] += price;
            unit->n_movable[side]++;
        }
        met[n_met++] = there;
        if (add_offer(b, (struct offer){ home < there ? home : there, home < there ? there : home,
                                         price, client, g, side }))
            return -1;
    }
    return 0;
}

static int by_units(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;

    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    if (x->client != y->client)
        return x->client < y->client ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int by_price(const void *a, const void *b)
{
    const struct bundle *x = a, *y = b;

    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int collect(struct build *b, struct hagg_err *err)
{
    struct choice *c = b->c;
    uint32_t need = c->z + 1;

    b->n_offers = b->n_bundles = 0;
    for (uint32_t i = 0; i < c->in->n_clients; i++) {
        uint32_t home = b->unit[choice_vertex(0, c->side[0].of[i])];

        if (home == NONE || home != b->unit[choice_vertex(1, c->side[1].of[i])])
            continue;
        b->units[home].n_clients++;
        if (offers_of(b, i, 0, home) || offers_of(b, i, 1, home))
            goto fail;
    }
    if (b->n_offers > 0)
        qsort(b->offers, b->n_offers, sizeof *b->offers, by_units);
    for (size_t i = 0, end; i < b->n_offers; i = end) {
        struct bundle k = { .a = b->offers[i].a, .b = b->offers[i].b, .first = i };
        uint32_t n = 0, last = NONE;

        for (end = i; end < b->n_offers && b->offers[end].a == k.a && b->offers[end].b == k.b;
             end++)
            if (n < need && b->offers[end].client != last) {
                last = b->offers[end].client;
                k.price += b->offers[end].price;
                n++;
            }
        k.end = end;
        if (n == need && add_bundle(b, k))
            goto fail;
    }
    for (unsigned s = 0; s < 2; s++) {
        for (uint32_t g = 0; g < c->room; g++)
            if (c->side[s].clients[g] > 0 && b->unit[choice_vertex(s, g)] != NONE)
                b->units[b->unit[choice_vertex(s, g)]].dissolve[s] -= c->side[s].rate[g];
        for (uint32_t u = 0; u < b->n_units; u++)
            if (b->units[u].n_clients > 0 && b->units[u].n_movable[s] == b->units[u].n_clients &&
                add_bundle(b, (struct bundle){ b->units[u].dissolve[s], u, NONE, 0, 0, s }))
                goto fail;
    }
    if (b->n_bundles > 0)
        qsort(b->bundles, b->n_bundles, sizeof *b->bundles, by_price);
    return 0;
fail:
    return err_errno(err, "planning for full collusion");
}

/* Moves z + 1 clients of a bundle, none that would loosen the unit that it leaves. */
static bool apply_bundle(struct build *b, const struct bundle *k)
{
    struct choice *c = b->c;
    uint32_t need = c->z + 1, n_done = 0;
    size_t i;

    for (i = k->first; i < k->end && n_done < need; i++) {
        struct offer *o = &b->offers[i];
        uint32_t from = c->side[o->side].of[o->client];
        uint32_t held[2] = { choice_vertex(!o->side, c->side[!o->side].of[o->client]),
                             choice_vertex(o->side, from) };

        if (b->moved[o->client])
            continue;
        choice_move(c, o->client, o->side, o->group);
        if (b->units[b->unit[held[0]]].dense &&
            !linkage_holds(&c->links, &held[0], 1, &held[1], 1, need)) {
            choice_move(c, o->client, o->side, from);
            continue;
        }
        b->moved[o->client] = 2;
        o->group = from;
        n_done++;
    }
    for (size_t j = k->first; j < i; j++) {
        const struct offer *o = &b->offers[j];

        if (b->moved[o->client] != 2)
            continue;
        if (n_done < need)
            choice_move(c, o->client, o->side, o->group);
        b->moved[o->client] = n_done == need;
    }
    return n_done == need;
}

static bool is_in(const struct build *b, uint32_t client, uint32_t u)
{
    return b->unit[choice_vertex(0, b->c->side[0].of[client])] == u &&
           b->unit[choice_vertex(1, b->c->side[1].of[client])] == u;
}

/* All clients of a unit leave their groups of one side, if where they go is as it was. */
static bool dissolve(struct build *b, uint32_t u, unsigned side)
{
    struct choice *c = b->c;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (is_in(b, i, u) &&
            (b->moved[i] || b->units[b->unit[choice_vertex(side, b->cheapest[side][i])]].gone))
            return false;
    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (is_in(b, i, u)) {
            uint32_t to = b->cheapest[side][i];

            choice_move(c, i, side, to);
            b->moved[i] = 1;
            b->parent[root(b->parent, u)] = root(b->parent, b->unit[choice_vertex(side, to)]);
        }
    b->units[u].gone = true;
    return true;
}

/* Joins units as a spanning tree is grown, cheapest first. Returns how many joins were made. */
static uint32_t join_units(struct build *b)
{
    uint32_t n_joined = 0;

    memset(b->moved, 0, b->c->in->n_clients);
    for (uint32_t u = 0; u < b->n_units; u++)
        b->parent[u] = u;
    for (size_t i = 0; i < b->n_bundles; i++) {
        const struct bundle *k = &b->bundles[i];

        if (b->units[k->a].gone)
            continue;
        if (k->b == NONE) {
            bool alone = true;

            for (uint32_t u = 0; u < b->n_units && alone; u++)
                alone = u == k->a || root(b->parent, u) != root(b->parent, k->a);
            n_joined += alone && dissolve(b, k->a, k->side);
        } else if (!b->units[k->b].gone && root(b->parent, k->a) != root(b->parent, k->b) &&
                   apply_bundle(b, k)) {
            b->parent[root(b->parent, k->a)] = root(b->parent, k->b);
            n_joined++;
        }
    }
    return n_joined;
}

static void build_free(struct build *b)
{
    free(b->unit);
    free(b->parent);
    free(b->label);
    free(b->inner);
    free(b->units);
    free(b->order[0]);
    free(b->order[1]);
    free(b->offers);
    free(b->bundles);
    free(b->cheapest[0]);
    free(b->cheapest[1]);
    free(b->moved);
}

static int build_new(struct build *b, struct choice *c, struct hagg_err *err)
{
    size_t n = 2 * (size_t)c->room;

    *b = (struct build){ .c = c, .n_vertices = (uint32_t)n };
    b->unit = malloc(n * sizeof *b->unit);
    b->parent = malloc(n * sizeof *b->parent);
    b->label = malloc(n * sizeof *b->label);
    b->inner = malloc(n * sizeof *b->inner);
    b->units = malloc(n * sizeof *b->units);
    b->moved = malloc(c->in->n_clients);
    for (unsigned s = 0; s < 2; s++) {
        b->order[s] = malloc(c->room * sizeof *b->order[s]);
        b->cheapest[s] = malloc(c->in->n_clients * sizeof *b->cheapest[s]);
    }
    if (b->unit && b->parent && b->label && b->inner && b->units && b->moved && b->order[0] &&
        b->order[1] && b->cheapest[0] && b->cheapest[1])
        return 0;
    build_free(b);
    return err_errno(err, "planning for full collusion");
}

#define ROUNDS                                                                                     \
    30 /* each halves the number of units where it can; more means running in circles              \
        */

int joint_build(struct choice *c, struct effort *e, struct hagg_err *err)
{
    struct build b;
    int status = 0;

    if (c->condition == COLLUSION_PAPER && !joint_small(c))
        return 0;
    if (build_new(&b, c, err))
        return -1;
    for (unsigned round = 0; round < ROUNDS && effort_goes_on(e); round++) {
        status = find_units(&b, err);
        if (status || b.n_units < 2)
            break;
        sort_groups(&b);
        status = collect(&b, err);
        if (status || join_units(&b) == 0)
            break;
    }
    build_free(&b);
    return status ? status : choice_private(c, NULL, err);
}
