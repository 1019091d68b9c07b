#include "planner/joint/joint_improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of repeat_descent at the default effort, before division by the number of clients plus
 * 100. */
#define ROUNDS 100000

#define LOSS 4 /* a disturbance may cost this many times the rate of the group */

struct improve {
    struct choice *c;
    uint32_t *order[2]; /* used groups of each side, cheapest first */
    uint32_t n_order[2];
    uint32_t *members;
    uint32_t *best; /* the group that each member would move to */
    uint32_t *votes;
};

static void sort_groups(struct improve *m)
{
    for (unsigned s = 0; s < 2; s++) {
        m->n_order[s] = 0;
        for (uint32_t g = 0; g < m->c->room; g++)
            if (m->c->side[s].clients[g] > 0)
                m->order[s][m->n_order[s]++] = g;
        qsort_r(m->order[s], m->n_order[s], sizeof *m->order[s], choice_cheaper_group,
                m->c->side[s].rate);
    }
}

/* Moves single clients to cheaper groups. */
static void shift_clients(struct improve *m)
{
    struct choice *c = m->c;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        for (unsigned s = 0; s < 2; s++)
            for (uint32_t k = 0; k < m->n_order[s]; k++) {
                uint32_t g = m->order[s][k];

                if (c->side[s].clients[g] == 0 || g == c->side[s].of[i])
                    continue;
                if (choice_price(c, i, s, g) > -CHOICE_LEAST)
                    break;
                if (choice_fits(c, i, s, g) && choice_try(c, i, s, g))
                    break;
            }
}

/* The next group in the order, from *k on, that the client can use, other than the group `not`. */
static uint32_t next_fit(const struct improve *m, uint32_t client, unsigned side, uint32_t not,
                         uint32_t *k)
{
    const struct choice *c = m->c;

    for (; *k < m->n_order[side]; (*k)++) {
        uint32_t g = m->order[side][*k];

        if (g != not &&c->side[side].clients[g] > 0 && choice_fits(c, client, side, g))
            return g;
    }
    return LINKAGE_END;
}

/* Empties a group if that adds at most `allowed` to the cost. First all its clients move together
 * to one other group, which preserves privacy even if its set is not within their reach. From there
 * each moves on to the cheapest group that it can use. */
static bool close_group(struct improve *m, unsigned side, uint32_t group, double allowed)
{
    struct choice *c = m->c;
    struct choice_side *s = &c->side[side];
    double before = c->cost, price = -s->fee[group];
    uint32_t n = 0, refuge = LINKAGE_END, n_placed;

    for (uint32_t i = 0; i < c->in->n_clients && n < s->clients[group]; i++) {
        uint32_t k = 0;

        if (s->of[i] != group)
            continue;
        uint32_t to = next_fit(m, i, side, group, &k);
        if (to == LINKAGE_END)
            return false;
        price += s->rate[to] - s->rate[group];
        m->members[n] = i;
        m->best[n++] = to;
    }
    if (price > allowed)
        return false;
    for (uint32_t j = 0; j < n; j++)
        m->votes[m->best[j]] = 0;
    for (uint32_t j = 0; j < n; j++)
        if (++m->votes[m->best[j]] > (refuge == LINKAGE_END ? 0 : m->votes[refuge]))
            refuge = m->best[j];
    for (uint32_t j = 0; j < n; j++)
        choice_move(c, m->members[j], side, refuge);
    for (n_placed = 0; n_placed < n; n_placed++) {
        uint32_t i = m->members[n_placed], k = 0, to;

        while ((to = next_fit(m, i, side, group, &k)) != LINKAGE_END && to != refuge &&
               !choice_try(c, i, side, to))
            k++;
        if (to == LINKAGE_END)
            break;
        price += s->rate[to] - s->rate[m->best[n_placed]];
        if (price > allowed)
            break;
    }
    if (n_placed == n)
        return true;
    for (uint32_t j = 0; j < n; j++)
        choice_move(c, m->members[j], side, group);
    c->cost = before;
    return false;
}

static void close_groups(struct improve *m)
{
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t g = 0; g < m->c->room; g++)
            if (m->c->side[s].clients[g] > 0)
                close_group(m, s, g, -CHOICE_LEAST);
}

static void merge_groups(struct improve *m)
{
    struct choice *c = m->c;

    for (unsigned s = 0; s < 2; s++)
        for (uint32_t k = 0; k < m->n_order[s]; k++)
            for (uint32_t l = k + 1; l < m->n_order[s]; l++) {
                uint32_t g = m->order[s][k], h = m->order[s][l];

                if (c->side[s].clients[g] > 0 && c->side[s].clients[h] > 0 &&
                    choice_merge_price(c, s, g, h) < -CHOICE_LEAST)
                    choice_merge(c, s, g, h);
            }
}

/* Moves the members to an empty group and returns whether the choice is private then. Under the
 * paper's condition all move at once, because a group with few clients violates it. Otherwise
 * members that may not move stay, and their best becomes LINKAGE_END. */
static int fill_group(struct improve *m, unsigned side, uint32_t group, uint32_t n,
                      struct hagg_err *err)
{
    struct choice *c = m->c;

    if (c->condition == COLLUSION_PAPER) {
        for (uint32_t j = 0; j < n; j++)
            choice_move(c, m->members[j], side, group);
        return choice_private(c, NULL, err);
    }
    for (uint32_t j = 0; j < n; j++)
        if (!choice_try(c, m->members[j], side, group))
            m->best[j] = LINKAGE_END;
    return 1;
}

/* Opens an additional group for the clients that it would make cheaper. */
static int open_group(struct improve *m, unsigned side, const uint64_t *set, struct hagg_err *err)
{
    struct choice *c = m->c;
    struct choice_side *s = &c->side[side];
    uint32_t size = set_count(set, c->in->n_words), n = 0;
    double rate = c->in->rate[size], hope = c->in->fee[size], before = c->cost;

    for (uint32_t i = 0; i < c->in->n_clients; i++)
        if (s->rate[s->of[i]] > rate + CHOICE_LEAST &&
            set_within(set, choice_reach(c, i), c->in->n_words)) {
            hope -= s->rate[s->of[i]] - rate;
            m->best[n] = s->of[i];
            m->members[n++] = i;
        }
    if (hope > -CHOICE_LEAST || (c->condition == COLLUSION_PAPER && n <= c->z))
        return 0;
    uint32_t g = choice_open(c, side, set);
    if (g == LINKAGE_END)
        return 0;
    int private = fill_group(m, side, g, n, err);
    if (private == 1 && c->cost < before - CHOICE_LEAST)
        return 0;
    while (n-- > 0)
        if (m->best[n] != LINKAGE_END)
            choice_move(c, m->members[n], side, m->best[n]);
    c->cost = before;
    return private < 0 ? -1 : 0;
}

static int open_groups(struct improve *m, const struct cover *cover, struct hagg_err *err)
{
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t p = 0; p < cover->n_patterns; p++)
            if (open_group(m, s, cover->patterns + p * m->c->in->n_words, err))
                return -1;
    return 0;
}

static int descend(struct improve *m, const struct cover *cover, struct effort *e,
                   struct hagg_err *err)
{
    double before;

    do {
        before = m->c->cost;
        sort_groups(m);
        shift_clients(m);
        close_groups(m);
        merge_groups(m);
        if (choice_tighten(m->c, err) || open_groups(m, cover, err))
            return -1;
    } while (m->c->cost < before - CHOICE_LEAST && effort_may_continue(e));
    return choice_tighten(m->c, err);
}

/* Removes a random group at a loss, by emptying it or by the cheapest merge. */
static void disturb(struct improve *m, struct effort *e)
{
    struct choice *c = m->c;
    unsigned side = effort_random(e, 2);
    uint32_t g = m->order[side][effort_random(e, m->n_order[side])], best = LINKAGE_END;
    double least = LOSS * c->side[side].fee[g];

    if (c->side[side].clients[g] == 0 || close_group(m, side, g, least))
        return;
    for (uint32_t k = 0; k < m->n_order[side]; k++) {
        uint32_t h = m->order[side][k];

        if (h == g || c->side[side].clients[h] == 0)
            continue;
        double price = choice_merge_price(c, side, g, h);
        if (price < least) {
            least = price;
            best = h;
        }
    }
    if (best != LINKAGE_END)
        choice_merge(c, side, g, best);
}

/* Iterated local search: repeatedly disturbs the best choice so far and descends again. */
static int repeat_descent(struct improve *m, const struct cover *cover, struct effort *e,
                          uint64_t share, struct hagg_err *err)
{
    struct choice *c = m->c, best;
    uint64_t rounds = effort_more(e, ROUNDS) / (c->in->n_clients + 100), i;
    int status = 0;

    if (choice_new(&best, c->in, c->condition, c->room, err))
        return -1;
    choice_copy(&best, c);
    i = 0;
    effort_begin_stage(e, share, &i, rounds);
    for (; i < rounds && effort_may_continue(e) && status == 0; i++) {
        sort_groups(m);
        for (uint32_t k = 1 + effort_random(e, 3); k > 0; k--)
            disturb(m, e);
        status = choice_tighten(c, err) || descend(m, cover, e, err) ? -1 : 0;
        if (c->cost < best.cost + CHOICE_LEAST)
            choice_copy(&best, c);
        else
            choice_copy(c, &best);
    }
    effort_end_stage(e);
    choice_free(&best);
    return status;
}

static void improve_free(struct improve *m)
{
    free(m->order[0]);
    free(m->order[1]);
    free(m->members);
    free(m->best);
    free(m->votes);
}

static int improve_new(struct improve *m, struct choice *c, struct hagg_err *err)
{
    *m = (struct improve){ .c = c };
    for (unsigned s = 0; s < 2; s++)
        m->order[s] = malloc(c->room * sizeof *m->order[s]);
    m->members = malloc(c->in->n_clients * sizeof *m->members);
    m->best = malloc(c->in->n_clients * sizeof *m->best);
    m->votes = malloc(c->room * sizeof *m->votes);
    if (m->order[0] && m->order[1] && m->members && m->best && m->votes)
        return 0;
    improve_free(m);
    return err_errno(err, "no memory to plan for full collusion");
}

int joint_improve(struct choice *c, const struct cover *cover, struct effort *e,
                  struct hagg_err *err)
{
    struct improve m;
    int status;

    if (improve_new(&m, c, err))
        return -1;
    status = descend(&m, cover, e, err);
    improve_free(&m);
    return status;
}

int joint_improve_more(struct choice *c, const struct cover *cover, struct effort *e,
                       uint64_t share, struct hagg_err *err)
{
    struct improve m;
    int status;

    if (improve_new(&m, c, err))
        return -1;
    status = descend(&m, cover, e, err);
    if (status == 0)
        status = repeat_descent(&m, cover, e, share, err);
    improve_free(&m);
    return status;
}
