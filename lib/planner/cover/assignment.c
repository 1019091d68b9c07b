#include "planner/cover/assignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every open pattern has a user, except the one that was opened last. */
static size_t most_slots(const struct instance *in)
{
    return (size_t)in->n_reach_classes + 1;
}

int assignment_new(struct assignment *a, const struct instance *in, struct hagg_err *err)
{
    size_t n = most_slots(in);

    *a = (struct assignment){ .in = in };
    if (reachers_new(&a->reachers, in, err))
        return -1;
    a->users = calloc(in->n_reach_classes, sizeof *a->users);
    a->sets = malloc(n * in->n_words * sizeof *a->sets);
    a->rate = calloc(n, sizeof *a->rate);
    a->fee = calloc(n, sizeof *a->fee);
    a->loss = calloc(n, sizeof *a->loss);
    a->spared = calloc(n, sizeof *a->spared);
    a->free_slots = malloc(n * sizeof *a->free_slots);
    a->touched = malloc(n * sizeof *a->touched);
    a->reach_classes = malloc(in->n_reach_classes * sizeof *a->reach_classes);
    if (!a->users || !a->sets || !a->rate || !a->fee || !a->loss || !a->spared || !a->free_slots ||
        !a->touched || !a->reach_classes) {
        assignment_free(a);
        return err_errno(err, "no memory for patterns of stations");
    }
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);
        double own = in->weight[k] * in->rate[size] + in->fee[size];

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
    free(a->rate);
    free(a->fee);
    free(a->loss);
    free(a->spared);
    free(a->free_slots);
    free(a->touched);
    free(a->reach_classes);
    *a = (struct assignment){ 0 };
}

static double user_price(const struct assignment *a, uint32_t reach_class, uint32_t slot)
{
    return a->in->weight[reach_class] * a->rate[slot];
}

/* Inserts a slot into the reach class's list, which is sorted by price. */
static void add_slot(struct assignment *a, uint32_t reach_class, uint32_t slot)
{
    struct assignment_user *u = &a->users[reach_class];
    double price = user_price(a, reach_class, slot);
    uint32_t i = u->n_slots;

    if (price >= u->own)
        return;
    if (u->more && (i == 0 || price >= user_price(a, reach_class, u->slots[i - 1])))
        return;
    if (i == ASSIGNMENT_KNOWN) {
        u->more = true;
        if (price >= user_price(a, reach_class, u->slots[--i]))
            return;
    } else
        u->n_slots++;
    for (; i > 0 && price < user_price(a, reach_class, u->slots[i - 1]); i--)
        u->slots[i] = u->slots[i - 1];
    u->slots[i] = slot;
}

static void rebuild_slots(struct assignment *a, uint32_t reach_class)
{
    struct assignment_user *u = &a->users[reach_class];

    u->n_slots = 0;
    u->more = false;
    for (uint32_t slot = 0; slot < a->n_slots; slot++)
        if (a->fee[slot] > 0 &&
            set_within(assignment_set(a, slot), instance_reach(a->in, reach_class), a->in->n_words))
            add_slot(a, reach_class, slot);
    a->reachers.work += 4 * (uint64_t)a->n_slots;
}

static void drop_slot(struct assignment *a, uint32_t reach_class, uint32_t slot)
{
    struct assignment_user *u = &a->users[reach_class];
    uint32_t i = 0;

    while (i < u->n_slots && u->slots[i] != slot)
        i++;
    if (i == u->n_slots)
        return;
    memmove(u->slots + i, u->slots + i + 1, (u->n_slots - i - 1) * sizeof *u->slots);
    u->n_slots--;
    if (u->more && u->n_slots < 2)
        rebuild_slots(a, reach_class);
}

/* subtract_user and add_user keep a->cost and a->loss up to date while a user's slots change. */
static void subtract_user(struct assignment *a, uint32_t reach_class)
{
    const struct assignment_user *u = &a->users[reach_class];

    a->cost -= u->best;
    if (u->n_slots > 0)
        a->loss[u->slots[0]] -= u->next - u->best;
}

static void add_user(struct assignment *a, uint32_t reach_class)
{
    struct assignment_user *u = &a->users[reach_class];

    u->best = u->n_slots > 0 ? user_price(a, reach_class, u->slots[0]) : u->own;
    u->next = u->n_slots > 1 ? user_price(a, reach_class, u->slots[1]) : u->own;
    a->cost += u->best;
    if (u->n_slots > 0)
        a->loss[u->slots[0]] += u->next - u->best;
}

void assignment_open(struct assignment *a, const uint64_t *set)
{
    const struct instance *in = a->in;
    uint32_t n = reachers_of(&a->reachers, set, a->reach_classes);
    uint32_t slot = a->n_free > 0 ? a->free_slots[--a->n_free] : a->n_slots++;

    memcpy(a->sets + slot * in->n_words, set, in->n_words * sizeof *set);
    a->rate[slot] = in->rate[set_count(set, in->n_words)];
    a->fee[slot] = in->fee[set_count(set, in->n_words)];
    a->loss[slot] = 0;
    a->cost += a->fee[slot];
    a->n_open++;
    for (uint32_t i = 0; i < n; i++) {
        subtract_user(a, a->reach_classes[i]);
        add_slot(a, a->reach_classes[i], slot);
        add_user(a, a->reach_classes[i]);
    }
}

void assignment_close(struct assignment *a, uint32_t slot)
{
    uint32_t n = reachers_of(&a->reachers, assignment_set(a, slot), a->reach_classes);
    double fee = a->fee[slot];

    for (uint32_t i = 0; i < n; i++)
        subtract_user(a, a->reach_classes[i]);
    a->fee[slot] = 0; /* so that rebuild_slots does not find it */
    for (uint32_t i = 0; i < n; i++)
        drop_slot(a, a->reach_classes[i], slot);
    for (uint32_t i = 0; i < n; i++)
        add_user(a, a->reach_classes[i]);
    a->cost -= fee;
    a->free_slots[a->n_free++] = slot;
    a->n_open--;
}

void assignment_close_all(struct assignment *a)
{
    a->cost = 0;
    for (uint32_t k = 0; k < a->in->n_reach_classes; k++) {
        struct assignment_user *u = &a->users[k];

        u->best = u->next = u->own;
        u->n_slots = 0;
        u->more = false;
        a->cost += u->own;
    }
    a->n_slots = a->n_free = a->n_open = 0;
}

/* Sets *set to the stations that everyone who would switch to it reaches. False if nobody would. */
static bool enlarge(struct assignment *a, uint64_t *set, double rate)
{
    const struct instance *in = a->in;
    bool any = false;

    for (uint32_t i = 0; i < a->n_reach_classes; i++) {
        uint32_t k = a->reach_classes[i];
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

static void reduce_loss(struct assignment *a, uint32_t slot, double amount)
{
    if (a->spared[slot] == 0)
        a->touched[a->n_touched++] = slot;
    a->spared[slot] += amount;
}

double assignment_try(struct assignment *a, uint64_t *set)
{
    const struct instance *in = a->in;
    uint32_t size = set_count(set, in->n_words);
    double rate = in->rate[size];

    a->n_touched = 0;
    if (isinf(rate))
        return INFINITY;
    a->n_reach_classes = reachers_of(&a->reachers, set, a->reach_classes);
    if (!enlarge(a, set, rate))
        return INFINITY;
    uint32_t larger = set_count(set, in->n_words);
    if (larger > size) {
        uint32_t n = 0;

        for (uint32_t i = 0; i < a->n_reach_classes; i++)
            if (set_within(set, instance_reach(in, a->reach_classes[i]), in->n_words))
                a->reach_classes[n++] = a->reach_classes[i];
        a->n_reach_classes = n;
        rate = in->rate[larger];
    }
    double change = in->fee[larger];
    for (uint32_t i = 0; i < a->n_reach_classes; i++) {
        const struct assignment_user *u = &a->users[a->reach_classes[i]];
        double price = in->weight[a->reach_classes[i]] * rate;

        if (price < u->best)
            change -= u->best - price;
        if (price < u->next && u->n_slots > 0)
            reduce_loss(a, u->slots[0], u->next - (price < u->best ? u->best : price));
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

void assignment_apply(struct assignment *a, const uint64_t *set)
{
    /* a loss is a sum of differences and has rounding errors */
    const double slack = 1e-9;

    assignment_open(a, set);
    for (uint32_t i = 0; i < a->n_touched; i++)
        if (a->fee[a->touched[i]] > a->loss[a->touched[i]] + slack)
            assignment_close(a, a->touched[i]);
}
