#include "planner/joint/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int choice_new(struct choice *c, const struct instance *in, enum collusion_condition condition,
               uint32_t room, struct hagg_err *err)
{
    uint32_t n = in->n_clients;

    *c = (struct choice){ .in = in, .condition = condition, .room = room };
    /* If all but two clients are removed, these two must still be connected. A larger z demands
     * nothing more under the exact condition. The paper's condition needs at least z + 1 clients.
     */
    c->z = in->colluders;
    if (condition == COLLUSION_EXACT && c->z + UINT64_C(2) > n)
        c->z = n < 2 ? 0 : n - 2;
    if (c->z > n)
        c->z = n;
    for (unsigned s = 0; s < 2; s++) {
        struct choice_side *side = &c->side[s];

        side->sets = calloc(room * in->n_words, sizeof *side->sets);
        side->rate = calloc(room, sizeof *side->rate);
        side->fee = calloc(room, sizeof *side->fee);
        side->clients = calloc(room, sizeof *side->clients);
        side->of = calloc(n, sizeof *side->of);
        if (!side->sets || !side->rate || !side->fee || !side->clients || !side->of)
            goto fail;
    }
    if (linkage_new(&c->links, 2 * room, n) == 0)
        return 0;
fail:
    choice_free(c);
    return err_errno(err, "no memory to plan for full collusion");
}

void choice_free(struct choice *c)
{
    for (unsigned s = 0; s < 2; s++) {
        free(c->side[s].sets);
        free(c->side[s].rate);
        free(c->side[s].fee);
        free(c->side[s].clients);
        free(c->side[s].of);
    }
    linkage_free(&c->links);
    *c = (struct choice){ 0 };
}

void choice_set_rates(struct choice *c, unsigned side, uint32_t group)
{
    uint32_t size = set_count(choice_set(c, side, group), c->in->n_words);

    c->side[side].rate[group] = c->in->rate[size];
    c->side[side].fee[group] = c->in->fee[size];
}

/* The cost of a group with its clients, and of a client in it: the first one also costs the fee. */
static double cost_of(const struct choice_side *s, uint32_t group)
{
    return s->clients[group] * s->rate[group] + s->fee[group];
}

static double cost_of_one(const struct choice_side *s, uint32_t group, bool first)
{
    return s->rate[group] + (first ? s->fee[group] : 0);
}

static void link_clients(struct choice *c)
{
    linkage_clear(&c->links);
    for (uint32_t i = 0; i < c->in->n_clients; i++)
        linkage_add(&c->links, choice_vertex(0, c->side[0].of[i]),
                    choice_vertex(1, c->side[1].of[i]));
}

static void add_up(struct choice *c)
{
    c->cost = 0;
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t g = 0; g < c->room; g++)
            if (c->side[s].clients[g] > 0)
                c->cost += cost_of(&c->side[s], g);
}

void choice_place(struct choice *c, const struct cover *cover)
{
    for (unsigned s = 0; s < 2; s++) {
        struct choice_side *side = &c->side[s];

        memcpy(side->sets, cover->patterns,
               cover->n_patterns * c->in->n_words * sizeof *side->sets);
        memset(side->clients, 0, c->room * sizeof *side->clients);
        for (uint32_t g = 0; g < cover->n_patterns; g++)
            choice_set_rates(c, s, g);
        for (uint32_t i = 0; i < c->in->n_clients; i++) {
            side->of[i] = cover->of[c->in->reach_class[i]];
            side->clients[side->of[i]]++;
        }
    }
    link_clients(c);
    add_up(c);
}

void choice_copy(struct choice *c, const struct choice *from)
{
    for (unsigned s = 0; s < 2; s++) {
        struct choice_side *to = &c->side[s];
        const struct choice_side *side = &from->side[s];

        memcpy(to->sets, side->sets, c->room * c->in->n_words * sizeof *to->sets);
        memcpy(to->rate, side->rate, c->room * sizeof *to->rate);
        memcpy(to->fee, side->fee, c->room * sizeof *to->fee);
        memcpy(to->clients, side->clients, c->room * sizeof *to->clients);
        memcpy(to->of, side->of, c->in->n_clients * sizeof *to->of);
    }
    c->cost = from->cost;
    link_clients(c);
}

double choice_price(const struct choice *c, uint32_t client, unsigned side, uint32_t group)
{
    const struct choice_side *s = &c->side[side];
    uint32_t from = s->of[client];

    if (from == group)
        return 0;
    return cost_of_one(s, group, s->clients[group] == 0) -
           cost_of_one(s, from, s->clients[from] == 1);
}

void choice_move(struct choice *c, uint32_t client, unsigned side, uint32_t group)
{
    struct choice_side *s = &c->side[side];
    uint32_t from = s->of[client], other = choice_vertex(!side, c->side[!side].of[client]);

    c->cost += choice_price(c, client, side, group);
    linkage_add(&c->links, other, choice_vertex(side, group));
    linkage_remove(&c->links, other, choice_vertex(side, from));
    s->clients[from]--;
    s->clients[group]++;
    s->of[client] = group;
}

bool choice_try(struct choice *c, uint32_t client, unsigned side, uint32_t group)
{
    uint32_t from = c->side[side].of[client];

    if (from == group)
        return true;
    choice_move(c, client, side, group);
    if (linkage_still_private(&c->links, choice_vertex(!side, c->side[!side].of[client]),
                              choice_vertex(side, from), c->z, c->condition))
        return true;
    choice_move(c, client, side, from);
    return false;
}

uint32_t choice_open(struct choice *c, unsigned side, const uint64_t *set)
{
    for (uint32_t g = 0; g < c->room; g++)
        if (c->side[side].clients[g] == 0) {
            memcpy(choice_set(c, side, g), set, c->in->n_words * sizeof *set);
            choice_set_rates(c, side, g);
            return g;
        }
    return LINKAGE_END;
}

double choice_merge_price(const struct choice *c, unsigned side, uint32_t a, uint32_t b)
{
    const struct choice_side *s = &c->side[side];
    const uint64_t *x = choice_set(c, side, a), *y = choice_set(c, side, b);
    uint32_t meet = 0;

    for (size_t i = 0; i < c->in->n_words; i++)
        meet += (uint32_t)__builtin_popcountll(x[i] & y[i]);
    if (isinf(c->in->rate[meet]))
        return INFINITY;
    return (s->clients[a] + (double)s->clients[b]) * c->in->rate[meet] + c->in->fee[meet] -
           cost_of(s, a) - cost_of(s, b);
}

void choice_merge(struct choice *c, unsigned side, uint32_t a, uint32_t b)
{
    struct choice_side *s = &c->side[side];
    double price = choice_merge_price(c, side, a, b), cost = c->cost + price;

    set_intersect(choice_set(c, side, a), choice_set(c, side, a), choice_set(c, side, b),
                  c->in->n_words);
    choice_set_rates(c, side, a);
    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (s->of[i] == b)
            choice_move(c, i, side, a);
    c->cost = cost;
}

struct by_set {
    const struct choice *c;
    unsigned side;
};

static int compare_sets(const void *a, const void *b, void *arg)
{
    const struct by_set *by = arg;
    uint32_t g = *(const uint32_t *)a, h = *(const uint32_t *)b;
    int order = memcmp(choice_set(by->c, by->side, g), choice_set(by->c, by->side, h),
                       by->c->in->n_words * sizeof(uint64_t));

    return order ? order : (g > h) - (g < h);
}

int choice_tighten(struct choice *c, struct hagg_err *err)
{
    size_t n_words = c->in->n_words;
    uint32_t *order = malloc(c->room * sizeof *order);

    if (!order)
        return err_errno(err, "no memory to plan for full collusion");
    for (unsigned s = 0; s < 2; s++) {
        struct choice_side *side = &c->side[s];
        uint32_t n = 0;

        memset(side->sets, 0xff, c->room * n_words * sizeof *side->sets);
        for (uint32_t i = 0; i < c->in->n_clients; i++) {
            uint64_t *set = choice_set(c, s, side->of[i]);
            set_intersect(set, set, choice_reach(c, i), n_words);
        }
        for (uint32_t g = 0; g < c->room; g++)
            if (side->clients[g] > 0) {
                choice_set_rates(c, s, g);
                order[n++] = g;
            }
        qsort_r(order, n, sizeof *order, compare_sets, &(struct by_set){ c, s });
        for (uint32_t k = 1; k < n; k++)
            if (set_equal(choice_set(c, s, order[k - 1]), choice_set(c, s, order[k]), n_words)) {
                choice_merge(c, s, order[k - 1], order[k]);
                order[k] = order[k - 1];
            }
    }
    free(order);
    add_up(c);
    return 0;
}

int choice_assign(struct choice *c, const uint32_t *y, const uint32_t *x, struct hagg_err *err)
{
    const uint32_t *of[2] = { y, x };

    for (unsigned s = 0; s < 2; s++) {
        memset(c->side[s].clients, 0, c->room * sizeof *c->side[s].clients);
        for (uint32_t i = 0; i < c->in->n_clients; i++) {
            c->side[s].of[i] = of[s][i];
            c->side[s].clients[of[s][i]]++;
        }
    }
    link_clients(c);
    return choice_tighten(c, err);
}

int choice_private(const struct choice *c, struct collusion_cut *cut, struct hagg_err *err)
{
    uint32_t n = c->in->n_clients;
    struct collusion_edge *edges = malloc(n * sizeof *edges);
    int private;

    if (!edges)
        return err_errno(err, "no memory to plan for full collusion");
    for (uint32_t i = 0; i < n; i++)
        edges[i] = (struct collusion_edge){ c->side[0].of[i], c->side[1].of[i] };
    private = collusion_private(edges, n, c->room, c->room, c->z, c->condition, cut, err);
    free(edges);
    return private;
}

int choice_cheaper_group(const void *a, const void *b, void *arg)
{
    const double *rate = arg;
    uint32_t g = *(const uint32_t *)a, h = *(const uint32_t *)b;

    if (rate[g] != rate[h])
        return rate[g] < rate[h] ? -1 : 1;
    return (g > h) - (g < h);
}
