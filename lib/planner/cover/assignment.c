#include "planner/cover/assignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every open pattern has a user, except the one that was opened last. */
static size_t most_slots(const struct instance *in)
{
    return (size_t)in->n_kinds + 1;
}

int assignment_new(struct assignment *a, const struct instance *in, struct hagg_err *err)
{
    size_t n = most_slots(in);

    *a = (struct assignment){ .in = in };
    if (reachers_new(&a->reachers, in, err))
        return -1;
    a->users = calloc(in->n_kinds, sizeof *a->users);
    a->sets = malloc(n * in->n_words * sizeof *a->sets);
    a->fee = calloc(n, sizeof *a->fee);
    a->loss = calloc(n, sizeof *a->loss);
    a->spared = calloc(n, sizeof *a->spared);
    a->free_slots = malloc(n * sizeof *a->free_slots);
    a->touched = malloc(n * sizeof *a->touched);
    a->kinds = malloc(in->n_kinds * sizeof *a->kinds);
    if (!a->users || !a->sets || !a->fee || !a->loss || !a->spared || !a->free_slots ||
        !a->touched || !a->kinds) {
        assignment_free(a);
        return err_errno(err, "no memory for patterns of stations");
    }
    for (uint32_t k = 0; k < in->n_kinds; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);
        double own = (in->weight[k] + 1.0) * in->rate[size];

        a->users[k] = (struct assignment_user){ .best = own, .next = own, .own = own };
        a->cost += own;
    }
    return 0;
}

void assignment_free(struct assignment *a)
{
    reachers_free(&a->reachers);
    free(a->users);
    free(a->sets);
    free(a->fee);
    free(a->loss);
    free(a->spared);
    free(a->free_slots);
    free(a->touched);
    free(a->kinds);
    *a = (struct assignment){ 0 };
}

static double pays(const struct assignment *a, uint32_t kind, uint32_t slot)
{
    return a->in->weight[kind] * a->fee[slot];
}

/* Puts a slot in its place among a kind's. */
static void add_slot(struct assignment *a, uint32_t kind, uint32_t slot)
{
    struct assignment_user *u = &a->users[kind];
    double price = pays(a, kind, slot);
    uint32_t i = u->n_slots;

    if (price >= u->own)
        return;
    if (u->more && (i == 0 || price >= pays(a, kind, u->slots[i - 1])))
        return;
    if (i == ASSIGNMENT_KNOWN) {
        u->more = true;
        if (price >= pays(a, kind, u->slots[--i]))
            return;
    } else
        u->n_slots++;
    for (; i > 0 && price < pays(a, kind, u->slots[i - 1]); i--)
        u->slots[i] = u->slots[i - 1];
    u->slots[i] = slot;
}

static void look_again(struct assignment *a, uint32_t kind)
{
    struct assignment_user *u = &a->users[kind];

    u->n_slots = 0;
    u->more = false;
    for (uint32_t slot = 0; slot < a->n_slots; slot++)
        if (a->fee[slot] > 0 &&
            set_within(assignment_set(a, slot), instance_reach(a->in, kind), a->in->n_words))
            add_slot(a, kind, slot);
    a->reachers.work += 4 * (uint64_t)a->n_slots;
}

static void drop_slot(struct assignment *a, uint32_t kind, uint32_t slot)
{
    struct assignment_user *u = &a->users[kind];
    uint32_t i = 0;

    while (i < u->n_slots && u->slots[i] != slot)
        i++;
    if (i == u->n_slots)
        return;
    memmove(u->slots + i, u->slots + i + 1, (u->n_slots - i - 1) * sizeof *u->slots);
    u->n_slots--;
    if (u->more && u->n_slots < 2)
        look_again(a, kind);
}

/* Takes a kind's part out of the sums, or puts it in again. */
static void leave(struct assignment *a, uint32_t kind)
{
    const struct assignment_user *u = &a->users[kind];

    a->cost -= u->best;
    if (u->n_slots > 0)
        a->loss[u->slots[0]] -= u->next - u->best;
}

static void enter(struct assignment *a, uint32_t kind)
{
    struct assignment_user *u = &a->users[kind];

    u->best = u->n_slots > 0 ? pays(a, kind, u->slots[0]) : u->own;
    u->next = u->n_slots > 1 ? pays(a, kind, u->slots[1]) : u->own;
    a->cost += u->best;
    if (u->n_slots > 0)
        a->loss[u->slots[0]] += u->next - u->best;
}

void assignment_open(struct assignment *a, const uint64_t *set)
{
    const struct instance *in = a->in;
    uint32_t n = reachers_of(&a->reachers, set, a->kinds);
    uint32_t slot = a->n_free > 0 ? a->free_slots[--a->n_free] : a->n_slots++;

    memcpy(a->sets + slot * in->n_words, set, in->n_words * sizeof *set);
    a->fee[slot] = in->rate[set_count(set, in->n_words)];
    a->loss[slot] = 0;
    a->cost += a->fee[slot];
    a->n_open++;
    for (uint32_t i = 0; i < n; i++) {
        leave(a, a->kinds[i]);
        add_slot(a, a->kinds[i], slot);
        enter(a, a->kinds[i]);
    }
}

void assignment_close(struct assignment *a, uint32_t slot)
{
    uint32_t n = reachers_of(&a->reachers, assignment_set(a, slot), a->kinds);
    double fee = a->fee[slot];

    for (uint32_t i = 0; i < n; i++)
        leave(a, a->kinds[i]);
    a->fee[slot] = 0; /* so that a kind that looks again does not find it */
    for (uint32_t i = 0; i < n; i++)
        drop_slot(a, a->kinds[i], slot);
    for (uint32_t i = 0; i < n; i++)
        enter(a, a->kinds[i]);
    a->cost -= fee;
    a->free_slots[a->n_free++] = slot;
    a->n_open--;
}

void assignment_close_all(struct assignment *a)
{
    a->cost = 0;
    for (uint32_t k = 0; k < a->in->n_kinds; k++) {
        struct assignment_user *u = &a->users[k];

        u->best = u->next = u->own;
        u->n_slots = 0;
        u->more = false;
        a->cost += u->own;
    }
    a->n_slots = a->n_free = a->n_open = 0;
}

/* The stations that all who would rather use the set reach. False when nobody would. */
static bool enlarge(struct assignment *a, uint64_t *set, double rate)
{
    const struct instance *in = a->in;
    bool any = false;

    for (uint32_t i = 0; i < a->n_kinds; i++) {
        uint32_t k = a->kinds[i];
        const uint64_t *reach = instance_reach(in, k);

        if (in->weight[k] * rate >= a->users[k].best)
            continue;
        if (!any)
            memcpy(set, reach, in->n_words * sizeof *set);
        else
            for (size_t w = 0; w < in->n_words; w++)
                set[w] &= reach[w];
        any = true;
    }
    return any;
}

static void spare(struct assignment *a, uint32_t slot, double how_much)
{
    if (a->spared[slot] == 0)
        a->touched[a->n_touched++] = slot;
    a->spared[slot] += how_much;
}

double assignment_try(struct assignment *a, uint64_t *set)
{
    const struct instance *in = a->in;
    uint32_t size = set_count(set, in->n_words);
    double rate = in->rate[size];

    a->n_touched = 0;
    if (isinf(rate))
        return INFINITY;
    a->n_kinds = reachers_of(&a->reachers, set, a->kinds);
    if (!enlarge(a, set, rate))
        return INFINITY;
    uint32_t larger = set_count(set, in->n_words);
    if (larger > size) {
        uint32_t n = 0;

        for (uint32_t i = 0; i < a->n_kinds; i++)
            if (set_within(set, instance_reach(in, a->kinds[i]), in->n_words))
                a->kinds[n++] = a->kinds[i];
        a->n_kinds = n;
        rate = in->rate[larger];
    }
    double change = rate;
    for (uint32_t i = 0; i < a->n_kinds; i++) {
        const struct assignment_user *u = &a->users[a->kinds[i]];
        double price = in->weight[a->kinds[i]] * rate;

        if (price < u->best)
            change -= u->best - price;
        if (price < u->next && u->n_slots > 0)
            spare(a, u->slots[0], u->next - (price < u->best ? u->best : price));
    }
    for (uint32_t i = 0; i < a->n_touched; i++) {
        uint32_t slot = a->touched[i];
        double saves = a->fee[slot] - (a->loss[slot] - a->spared[slot]);

        if (saves > 0)
            change -= saves;
        else
            a->touched[i--] = a->touched[--a->n_touched];
        a->spared[slot] = 0;
    }
    return change;
}

void assignment_take(struct assignment *a, const uint64_t *set)
{
    /* a loss is a sum of differences, so it may miss by some rounding */
    const double slack = 1e-9;

    assignment_open(a, set);
    for (uint32_t i = 0; i < a->n_touched; i++)
        if (a->fee[a->touched[i]] > a->loss[a->touched[i]] + slack)
            assignment_close(a, a->touched[i]);
}
