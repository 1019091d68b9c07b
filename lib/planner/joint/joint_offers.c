#include "joint_offers.h"

#include <stdlib.h>

#define NONE    JOINT_PARTS_NONE
#define TARGETS 8 /* parts that are offered to one client on one side */

/* All clients of a part leave it on one side. */
struct joint_leaving {
    double price;
    uint32_t n_movable; /* clients that have somewhere to go */
};

int joint_offers_new(struct joint_offers *o, struct joint_parts *parts, struct hagg_err *err)
{
    const struct choice *c = parts->c;
    bool ok = true;

    *o = (struct joint_offers){ .parts = parts };
    for (unsigned s = 0; s < 2; s++) {
        o->order[s] = malloc(c->room * sizeof *o->order[s]);
        o->cheapest[s] = malloc(c->in->n_clients * sizeof *o->cheapest[s]);
        o->leaving[s] = malloc(2 * (size_t)c->room * sizeof *o->leaving[s]);
        ok &= o->order[s] && o->cheapest[s] && o->leaving[s];
    }
    if (ok)
        return 0;
    joint_offers_free(o);
    return err_errno(err, "planning for full collusion");
}

void joint_offers_free(struct joint_offers *o)
{
    free(o->offers);
    free(o->bundles);
    for (unsigned s = 0; s < 2; s++) {
        free(o->order[s]);
        free(o->cheapest[s]);
        free(o->leaving[s]);
    }
    *o = (struct joint_offers){ 0 };
}

static void sort_groups(struct joint_offers *o)
{
    const struct choice *c = o->parts->c;

    for (unsigned s = 0; s < 2; s++) {
        o->n_order[s] = 0;
        for (uint32_t g = 0; g < c->room; g++)
            if (c->side[s].clients[g] > 0)
                o->order[s][o->n_order[s]++] = g;
        qsort_r(o->order[s], o->n_order[s], sizeof *o->order[s], choice_cheaper_group,
                c->side[s].rate);
    }
}

static int add_offer(struct joint_offers *o, struct joint_offer offer)
{
    if (o->n_offers == o->offers_room) {
        size_t room = 2 * o->offers_room + 1024;
        struct joint_offer *more = reallocarray(o->offers, room, sizeof *more);

        if (!more)
            return -1;
        o->offers = more;
        o->offers_room = room;
    }
    o->offers[o->n_offers++] = offer;
    return 0;
}

static int add_bundle(struct joint_offers *o, struct joint_bundle bundle)
{
    if (o->n_bundles == o->bundles_room) {
        size_t room = 2 * o->bundles_room + 256;
        struct joint_bundle *more = reallocarray(o->bundles, room, sizeof *more);

        if (!more)
            return -1;
        o->bundles = more;
        o->bundles_room = room;
    }
    o->bundles[o->n_bundles++] = bundle;
    return 0;
}

/* What one client could do on one side: go to the cheapest group of each of a few other parts. */
static int offers_of(struct joint_offers *o, uint32_t client, unsigned side, uint32_t home)
{
    const struct choice *c = o->parts->c;
    uint32_t met[TARGETS], n_met = 0;

    o->cheapest[side][client] = NONE;
    for (uint32_t k = 0; k < o->n_order[side] && n_met < TARGETS; k++) {
        uint32_t g = o->order[side][k], there = o->parts->of[choice_vertex(side, g)];
        bool known = there == home || there == NONE;

        for (uint32_t m = 0; m < n_met; m++)
            known |= met[m] == there;
        if (known || !choice_fits(c, client, side, g))
            continue;
        double price = c->side[side].rate[g] - c->side[side].rate[c->side[side].of[client]];
        if (n_met == 0) {
            o->cheapest[side][client] = g;
            o->leaving[side][home].price += price;
            o->leaving[side][home].n_movable++;
        }
        met[n_met++] = there;
        if (add_offer(o,
                      (struct joint_offer){ home < there ? home : there,
                                            home < there ? there : home, price, client, g, side }))
            return -1;
    }
    return 0;
}

static int by_parts(const void *a, const void *b)
{
    const struct joint_offer *x = a, *y = b;

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
    const struct joint_bundle *x = a, *y = b;

    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int collect_offers(struct joint_offers *o)
{
    struct joint_parts *p = o->parts;
    const struct choice *c = p->c;

    for (uint32_t i = 0; i < c->in->n_clients; i++) {
        uint32_t home = p->of[choice_vertex(0, c->side[0].of[i])];

        if (home == NONE || home != p->of[choice_vertex(1, c->side[1].of[i])])
            continue;
        p->parts[home].n_clients++;
        if (offers_of(o, i, 0, home) || offers_of(o, i, 1, home))
            return -1;
    }
    if (o->n_offers > 0)
        qsort(o->offers, o->n_offers, sizeof *o->offers, by_parts);
    return 0;
}

/* From sorted offers, of each pair of parts the cheapest z + 1. */
static int bundle_offers(struct joint_offers *o)
{
    const struct joint_offer *offers = o->offers;
    uint32_t need = o->parts->c->z + 1;

    for (size_t i = 0, end; i < o->n_offers; i = end) {
        struct joint_bundle k = { .a = offers[i].a, .b = offers[i].b, .first = i };
        uint32_t n = 0, last = NONE;

        for (end = i; end < o->n_offers && offers[end].a == k.a && offers[end].b == k.b; end++)
            if (n < need && offers[end].client != last) {
                last = offers[end].client;
                k.price += offers[end].price;
                n++;
            }
        k.end = end;
        if (n == need && add_bundle(o, k))
            return -1;
    }
    return 0;
}

/* Parts that can be left by all save the rates of their groups. */
static int bundle_leavings(struct joint_offers *o)
{
    const struct joint_parts *p = o->parts;
    const struct choice *c = p->c;

    for (unsigned s = 0; s < 2; s++) {
        for (uint32_t g = 0; g < c->room; g++)
            if (c->side[s].clients[g] > 0 && p->of[choice_vertex(s, g)] != NONE)
                o->leaving[s][p->of[choice_vertex(s, g)]].price -= c->side[s].rate[g];
        for (uint32_t u = 0; u < p->n; u++) {
            const struct joint_leaving *l = &o->leaving[s][u];

            if (p->parts[u].n_clients > 0 && l->n_movable == p->parts[u].n_clients &&
                add_bundle(o, (struct joint_bundle){ l->price, u, NONE, 0, 0, s }))
                return -1;
        }
    }
    return 0;
}

int joint_offers_collect(struct joint_offers *o, struct hagg_err *err)
{
    sort_groups(o);
    o->n_offers = o->n_bundles = 0;
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t u = 0; u < o->parts->n; u++)
            o->leaving[s][u] = (struct joint_leaving){ 0 };
    if (collect_offers(o) || bundle_offers(o) || bundle_leavings(o))
        return err_errno(err, "planning for full collusion");
    if (o->n_bundles > 0)
        qsort(o->bundles, o->n_bundles, sizeof *o->bundles, by_price);
    return 0;
}
