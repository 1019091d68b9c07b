/*
 * Privacy on instances so small that all randomness of all clients can be enumerated. The
 * distributions of what colluders see are counted exactly and compared, so "the same" means equal
 * counts, not a statistical test.
 *
 * One outcome by the commands takes about thirty files, and there are millions of outcomes. But
 * what a client sends depends only on its own input and randomness, which have few values, so the
 * real client runs for all of them. Stations pass on sums of these, which are computed here. The
 * real stations and the real federator run for all outcomes of the first instance and for a fixed
 * selection of outcomes of the others; they must give the same sums and the correct total.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "outcome.h"

/* HIDDEN: the observer must not learn more than it may. REVEALED: a control, it must learn more. */
enum expectation { HIDDEN, REVEALED };

struct test {
    const char *name, *topology;
    size_t length;
    bool observe_all; /* run the real stations for all outcomes */
};

static const struct test tests[] = {
    { "p=5, two clients",
      "field prime:p=5\ncollude partial stations=1\nstations 2\nclient 1 2 via 1 2\n", 1, true },
    { "p=5, two clients, two parts",
      "field prime:p=5\ncollude partial stations=1\nstations 3\nclient 1 2 via 1-3\n", 2, false },
    { "p=5, two patterns",
      "field prime:p=5\ncollude partial stations=1\nstations 3\nclient 1 via 1 2\n"
      "client 2 via 2 3\n",
      1, false },
    { "p=5, two colluding stations",
      "field prime:p=5\ncollude partial stations=2\nstations 3\nclient 1 2 via 1-3\n", 1, false },
    { "p=5, a spare station",
      "field prime:p=5\ncollude partial stations=1\ndrop stations=1\nstations 4\n"
      "client 1 2 via 1-4\n",
      1, false },
    { "p=5, additive",
      "field prime:p=5\nscheme additive\ncollude partial stations=1\nstations 3\n"
      "client 1 2 via 1-3\n",
      1, false },
    { "p=7, two colluding stations",
      "field prime:p=7\ncollude partial stations=2\nstations 3\nclient 1 2 via 1-3\n", 1, false },
    { "p=7, three clients",
      "field prime:p=7\ncollude partial clients=1 stations=1\nstations 2\nclient 1-3 via 1 2\n", 1,
      false },
    { "p=7, three clients, two patterns",
      "field prime:p=7\ncollude partial clients=1 stations=1\nstations 3\nclient 1 2 via 1 2\n"
      "client 3 via 2 3\n",
      1, false },
    /* modulo 3 there is only room for the integers of one client */
    { "p=3, one client",
      "field prime:p=3\ncollude partial stations=1\nminimum 1\nstations 2\nclient 1 via 1 2\n", 2,
      false },
    { "p=3, one client, additive",
      "field prime:p=3\nscheme additive\ncollude partial stations=1\nminimum 1\nstations 3\n"
      "client 1 via 1-3\n",
      1, false },
};

/* If there are more views, they are counted modulo this number, a prime, so that all elements
 * matter. If the counts of remainders differ, so do the counts of views, so this is enough for
 * controls. */
#define MAX_VIEWS 8388593

static const char *where;

static void explain(const struct observer *who, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", where, who->name, what);
}

/* counts[x]: the number of outcomes with these inputs in which the observer sees x. */
static void count_views(const struct instance *in, const struct observer *who, size_t inputs,
                        uint32_t *counts, size_t n_counts)
{
    struct view_outcome o = { 0 };
    struct view v;

    memset(counts, 0, n_counts * sizeof *counts);
    outcome_set_inputs(in, inputs, &o);
    do {
        view_compute(in, &o, &v);
        counts[view_number(in, who, &o, &v) % n_counts]++;
    } while (outcome_next_points(in, 0, &o));
}

/* The result for one observer. */
struct finding {
    size_t n_same,
        n_other; /* inputs with the same, or another, distribution than the first of their class */
    size_t n_apart,
        n_together; /* classes with another, or the same, distribution as the one before */
};

static void compare(const struct instance *in, const struct observer *who, uint32_t *counts[3],
                    size_t n_counts, struct finding *f)
{
    size_t n_inputs = outcome_count_inputs(in), len_bytes = n_counts * sizeof **counts;
    bool *done = calloc(n_inputs, sizeof *done);

    if (!CHECK(done))
        return;
    for (size_t first = 0; first < n_inputs; first++) {
        if (done[first])
            continue;
        count_views(in, who, first, counts[0], n_counts);
        if (first > 0 && memcmp(counts[0], counts[2], len_bytes))
            f->n_apart++;
        else if (first > 0)
            f->n_together++;
        for (size_t i = first + 1; i < n_inputs; i++) {
            if (done[i] || outcome_class(in, who, i) != outcome_class(in, who, first))
                continue;
            done[i] = true;
            count_views(in, who, i, counts[1], n_counts);
            if (memcmp(counts[0], counts[1], len_bytes))
                f->n_other++;
            else
                f->n_same++;
        }
        memcpy(counts[2], counts[0], len_bytes);
    }
    free(done);
}

static void check_observer(const struct instance *in, const struct observer *who,
                           enum expectation expected)
{
    uint32_t *counts[3];
    struct finding f = { 0 };
    size_t n_counts = 1;

    for (size_t i = 0; i < view_count(in, who) && n_counts < MAX_VIEWS; i++)
        n_counts *= in->p;
    if (n_counts > MAX_VIEWS) {
        CHECK(expected == REVEALED);
        n_counts = MAX_VIEWS;
    }
    for (size_t i = 0; i < 3; i++)
        counts[i] = calloc(n_counts, sizeof *counts[i]);
    if (CHECK(counts[0] && counts[1] && counts[2]))
        compare(in, who, counts, n_counts, &f);
    for (size_t i = 0; i < 3; i++)
        free(counts[i]);
    if (expected == REVEALED) {
        if (!CHECK(f.n_other > 0))
            explain(who, "should be able to tell inputs apart");
        return;
    }
    if (!CHECK(f.n_other == 0))
        explain(who, "can tell inputs apart");
    /* with one honest client and the federator, each class has one member */
    if (!CHECK(f.n_same > 0 || in->n_clients - (who->clients != 0) == 1))
        explain(who, "has nothing to compare");
    if (who->federator && !CHECK(f.n_apart > 0 && f.n_together == 0))
        explain(who, "should be able to tell sums apart");
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

/* The number of stations that learn nothing from their shares: at least what the plan requires. */
static unsigned private_against(const struct instance *in)
{
    struct sharing sharing;
    struct hagg_err err;
    unsigned z = 0, n = 0;

    for (size_t u = 0; u < in->n_stations; u++)
        n += in->clients[0].of[INSTANCE_VECTOR].holds[u];
    if (CHECK(plan_sharing(&in->plan, 0, n, NULL, &sharing, &err) == 0)) {
        z = sharing.z;
        sharing_free(&sharing);
    }
    return z;
}

static void check_privacy(const struct instance *in)
{
    struct observer federator = { .name = "federator", .federator = true };
    unsigned z = private_against(in);
    char name[64];

    for (unsigned set = 1; set < 1u << in->n_stations; set++) {
        struct observer stations = { .name = name, .stations = set };

        snprintf(name, sizeof name, "stations %#x", set);
        if (count_bits(set) <= z) {
            check_observer(in, &stations, HIDDEN);
            stations.clients = 1;
            snprintf(name, sizeof name, "stations %#x and a client", set);
            if (in->n_clients > 1)
                check_observer(in, &stations, HIDDEN);
        } else if (set ==
                   (2u << z) - 1) /* the first stations of client 1, including that of its key */
            check_observer(in, &stations, REVEALED);
    }
    check_observer(in, &federator, HIDDEN);
    if (in->n_clients > 2) {
        federator = (struct observer){ "federator and a client", .clients = 1, .federator = true };
        check_observer(in, &federator, HIDDEN);
    }
    if (in->n_patterns[INSTANCE_VECTOR] > 1) {
        federator = (struct observer){ "federator and chain", .federator = true, .chain = true };
        check_observer(in, &federator, REVEALED);
    }
}

/* Checks all outcomes, or a fixed selection. */
static void check_real(const struct instance *in, bool all)
{
    struct view_outcome o, before;
    struct hagg_err err = { 0 };
    size_t n_points = 1, n_outcomes, n = 60;

    for (size_t i = 0; i < in->n_clients; i++)
        n_points *= in->clients[i].n_points;
    n_outcomes = n_points * outcome_count_inputs(in);
    for (size_t at = 0; at < (all ? n_outcomes : n); at++) {
        size_t number = all ? at : (size_t)(at * UINT64_C(0x9e3779b97f4a7c15) % n_outcomes);

        outcome_set_inputs(in, number / n_points, &o);
        number %= n_points;
        for (size_t i = 0; i < in->n_clients; i++) {
            o.points[i] = number % in->clients[i].n_points;
            number /= in->clients[i].n_points;
        }
        if (!CHECK(outcome_is_real(in, &o, at > 0 ? &before : NULL, &err) == 0))
            fprintf(stderr, "%s: outcome %zu: %s\n", where, at, err.text);
        before = o;
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct hagg_err err = { 0 };
        struct instance in;

        where = tests[i].name;
        if (CHECK(instance_new(&in, tests[i].topology, tests[i].length, &err) == 0)) {
            if (CHECK(instance_tabulate(&in, &err) == 0)) {
                check_privacy(&in);
                check_real(&in, tests[i].observe_all);
            }
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", where, err.text);
    }
    return check_end();
}
