#include "joint_small_groups.h"

#include <math.h>

/* Where a client of a group that is too small can go: the cheapest group that is not. */
static uint32_t haven(const struct choice *c, uint32_t client, unsigned side)
{
    const struct choice_side *s = &c->side[side];
    uint32_t best = LINKAGE_END;

    for (uint32_t g = 0; g < c->room; g++)
        if (s->clients[g] > c->z && (best == LINKAGE_END || s->rate[g] < s->rate[best]) &&
            choice_fits(c, client, side, g))
            best = g;
    return best;
}

static double price_of_emptying(const struct choice *c, unsigned side, uint32_t group)
{
    const struct choice_side *s = &c->side[side];
    double price = -s->rate[group];

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (s->of[i] == group) {
            uint32_t to = haven(c, i, side);

            if (to == LINKAGE_END)
                return INFINITY;
            price += s->rate[to] - s->rate[group];
        }
    return price;
}

/* The client of a group with some to spare that loses least by coming to this one. */
static uint32_t next_to_come(const struct choice *c, unsigned side, uint32_t group)
{
    const struct choice_side *s = &c->side[side];
    uint32_t best = LINKAGE_END;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (s->clients[s->of[i]] > c->z + 1 && s->of[i] != group &&
            (best == LINKAGE_END || s->rate[s->of[i]] > s->rate[s->of[best]]) &&
            choice_fits(c, i, side, group))
            best = i;
    return best;
}

/* What it costs to bring the group to z + 1 clients, and does so unless that is more than most. */
static bool fill(struct choice *c, unsigned side, uint32_t group, double most)
{
    struct choice_side *s = &c->side[side];
    double before = c->cost;

    while (s->clients[group] <= c->z) {
        uint32_t client = next_to_come(c, side, group);

        if (client == LINKAGE_END || c->cost - before > most)
            return false;
        choice_move(c, client, side, group);
    }
    return true;
}

static uint32_t partner(const struct choice *c, unsigned side, uint32_t group, double *price)
{
    uint32_t best = LINKAGE_END;

    *price = INFINITY;
    for (uint32_t g = 0; g < c->room; g++) {
        if (g == group || c->side[side].clients[g] == 0)
            continue;
        double p = choice_merge_price(c, side, group, g);
        if (p < *price) {
            *price = p;
            best = g;
        }
    }
    return best;
}

static bool enlarge(struct choice *c, unsigned side, uint32_t group)
{
    struct choice_side *s = &c->side[side];

    while (s->clients[group] > 0 && s->clients[group] <= c->z) {
        double merging, emptying = price_of_emptying(c, side, group);
        uint32_t other = partner(c, side, group, &merging);

        if (fill(c, side, group, fmin(merging, emptying)))
            break;
        if (isinf(merging) && isinf(emptying))
            return false;
        if (emptying <= merging && !isinf(price_of_emptying(c, side, group))) {
            for (uint32_t i = 0; i < c->in->n_clients; i++)
                if (s->of[i] == group)
                    choice_move(c, i, side, haven(c, i, side));
        } else if (other != LINKAGE_END) {
            choice_merge(c, side, group, other);
        } else {
            return false;
        }
    }
    return true;
}

bool joint_small_groups(struct choice *c)
{
    bool none_left = true;

    for (unsigned s = 0; s < 2; s++)
        for (uint32_t g = 0; g < c->room; g++)
            none_left &= enlarge(c, s, g);
    return none_left;
}
