/*
 * Full collusion on instances so small that all randomness of the honest clients can be enumerated.
 * What stations, clients and the federator see together has exactly the same distribution for all
 * inputs of the others with the same sum; or it has not, if the sets let them learn more.
 *
 * As in exhaustive.c, the real client runs for every input and every value of its randomness, and
 * the real stations and federator for a fixed selection of outcomes. The input and the randomness
 * of a colluding client are known to the colluders and independent of those of the others, so they
 * are fixed at a few values instead of enumerated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "outcome.h"
#include "plan/plan_collusion.h"

struct test {
    const char *name, *topology;
    bool is_private;
};

static const struct test tests[] = {
    { "p=5, one group of each",
      "field prime:p=5\ncollude full stations=1\nstations 2\nclient 1 2 via 1 2\n", true },
    { "p=5, two groups of keys",
      "field prime:p=5\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 1 2 keys 2 3\n",
      true },
    { "p=5, two groups of vectors",
      "field prime:p=5\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 2 3\nclient 2 via 1-3 shares 1 3 keys 2 3\n",
      true },
    { "p=5, two clients apart",
      "field prime:p=5\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 2 3 keys 2 3\n",
      false },
    { "p=5, a spare station",
      "field prime:p=5\ncollude full stations=1\ndrop stations=1\nstations 4\n"
      "client 1 2 via 1-4\n",
      true },
    { "p=5, additive",
      "field prime:p=5\nscheme additive\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 keys 1 2\nclient 2 via 1-3 keys 2 3\n",
      true },
    { "p=7, three clients between one group of each",
      "field prime:p=7\ncollude full clients=1 stations=1\nstations 2\nclient 1-3 via 1 2\n",
      true },
    /* this one violates the paper's condition but is private */
    { "p=7, three clients, one alone in its group of keys",
      "field prime:p=7\ncollude full clients=1 stations=1\nstations 3\n"
      "client 1 2 via 1-3 shares 1 2 keys 1 2\nclient 3 via 1-3 shares 1 2 keys 2 3\n",
      true },
    { "p=7, three clients in a row",
      "field prime:p=7\ncollude full clients=1 stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 2 3 keys 1 2\n"
      "client 3 via 1-3 shares 2 3 keys 1 3\n",
      false },
};

/* Values of the input and the randomness of a colluder. */
#define TRIES 2

static const char *where;

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

static int compare_numbers(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Lists all views of the observer that are possible with these inputs, sorted. */
static void list_views(const struct instance *in, const struct observer *who, size_t inputs,
                       size_t try, size_t *views)
{
    struct view_outcome o = { 0 };
    struct view v;
    size_t n = 0;

    outcome_set_inputs(in, inputs, &o);
    for (size_t i = 0; i < in->n_clients; i++)
        if (who->clients >> i & 1)
            o.points[i] = try * 1299709 % in->clients[i].n_points;
    do {
        view_compute(in, &o, &v);
        views[n++] = view_number(in, who, &o, &v);
    } while (outcome_next_points(in, who->clients, &o));
    qsort(views, n, sizeof *views, compare_numbers);
}

/* True if the colluders have the inputs of this try. */
static bool has_tried_inputs(const struct instance *in, const struct observer *who, size_t inputs,
                             size_t try)
{
    struct view_outcome o;

    outcome_set_inputs(in, inputs, &o);
    for (size_t i = 0; i < in->n_clients; i++)
        if (who->clients >> i & 1 && o.inputs[i] != try)
            return false;
    return true;
}

/* Inputs that the observer must not distinguish: those it cannot, and those it can. */
struct finding {
    size_t n_same, n_other;
};

static void compare(const struct instance *in, const struct observer *who, size_t try,
                    size_t *views[2], size_t n_views, struct finding *f)
{
    size_t n_inputs = outcome_count_inputs(in);

    for (size_t first = 0; first < n_inputs; first++) {
        size_t class = outcome_class(in, who, first), i;

        for (i = 0; i < first && outcome_class(in, who, i) != class; i++)
            ;
        if (i < first || !has_tried_inputs(in, who, first, try))
            continue;
        list_views(in, who, first, try, views[0]);
        for (i = first + 1; i < n_inputs; i++) {
            if (outcome_class(in, who, i) != class)
                continue;
            list_views(in, who, i, try, views[1]);
            if (memcmp(views[0], views[1], n_views * sizeof *views[0]))
                f->n_other++;
            else
                f->n_same++;
        }
    }
}

static struct finding examine(const struct instance *in, const struct observer *who)
{
    struct finding f = { 0 };
    size_t *views[2], n_views = 1, n_digits = 0;

    for (size_t i = 0; i < in->n_clients; i++)
        if (!(who->clients >> i & 1))
            n_views *= in->clients[i].n_points;
    /* ensures that different views have different numbers */
    for (size_t x = SIZE_MAX; x >= in->p; x /= in->p)
        n_digits++;
    CHECK(view_count(in, who) <= n_digits);
    for (size_t i = 0; i < 2; i++)
        views[i] = calloc(n_views, sizeof *views[i]);
    if (CHECK(views[0] && views[1]))
        for (size_t try = 0; try < (who->clients ? TRIES : 1); try++)
            compare(in, who, try, views, n_views, &f);
    free(views[0]);
    free(views[1]);
    return f;
}

/* True if the graph of the honest clients is connected: all can be reached from the first one, from
 * client to client of the same group. */
static bool is_connected(const struct instance *in, unsigned colluders)
{
    unsigned all = (1u << in->n_clients) - 1, honest = all & ~colluders;
    unsigned reached = honest & (0u - honest), before = 0;

    while (reached != before) {
        before = reached;
        for (size_t i = 0; i < in->n_clients; i++)
            for (size_t j = 0; j < in->n_clients; j++)
                for (size_t s = 0; s < INSTANCE_SECRETS; s++)
                    if (honest >> i & 1 && reached >> j & 1 &&
                        in->clients[i].of[s].pattern == in->clients[j].of[s].pattern)
                        reached |= 1u << i;
    }
    return reached == honest;
}

/* Checks these stations and clients, with or without the federator. */
static void check_observer(const struct instance *in, unsigned stations, unsigned clients,
                           bool federator)
{
    char name[80];
    struct observer who = { name, stations, clients, federator, false };
    bool hidden = count_bits(stations) <= in->plan.topology.collude_stations &&
                  (!federator || is_connected(in, clients));
    struct finding f = examine(in, &who);

    snprintf(name, sizeof name, "stations %#x, clients %#x%s", stations, clients,
             federator ? " and the federator" : "");
    if (!CHECK(hidden ? f.n_other == 0 && f.n_same > 0 : f.n_other > 0))
        fprintf(stderr, "%s: %s: %zu alike, %zu not\n", where, name, f.n_same, f.n_other);
}

static void check_privacy(const struct instance *in)
{
    const struct topology *t = &in->plan.topology;
    unsigned all_stations = (1u << in->n_stations) - 1;

    for (unsigned clients = 0; clients < 1u << in->n_clients; clients++) {
        /* the randomness of more than two clients is too much to enumerate; linear_full.c covers
         * these */
        if (count_bits(clients) > t->collude_clients || in->n_clients - count_bits(clients) != 2)
            continue;
        for (unsigned stations = 0; stations <= all_stations; stations++)
            if (count_bits(stations) <= t->collude_stations) {
                check_observer(in, stations, clients, true);
                /* without the federator they see less; checked only where it is fast */
                if (stations > 0 && in->n_clients == 2)
                    check_observer(in, stations, clients, false);
            }
    }
    check_observer(in, all_stations, in->n_clients > 2, false);
}

/* Runs the real stations and the real federator on a fixed selection of outcomes. */
static void check_real(const struct instance *in)
{
    struct view_outcome o = { 0 };
    struct hagg_err err = { 0 };

    for (size_t at = 0; at < 60; at++) {
        uint64_t number = at * UINT64_C(0x9e3779b97f4a7c15);

        outcome_set_inputs(in, (size_t)(number >> 32), &o);
        for (size_t i = 0; i < in->n_clients; i++, number = number >> 11 | number << 53)
            o.points[i] = (size_t)(number % in->clients[i].n_points);
        if (!CHECK(outcome_is_real(in, &o, NULL, &err) == 0))
            fprintf(stderr, "%s: outcome %zu: %s\n", where, at, err.text);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct hagg_err err = { 0 }, reason = { 0 };
        struct instance in;

        where = tests[i].name;
        if (CHECK(instance_new(&in, tests[i].topology, 1, &err) == 0)) {
            CHECK(plan_collusion_check(&in.plan, NULL, &reason) == (tests[i].is_private ? 0 : -1));
            CHECK(reason.status == (tests[i].is_private ? HAGG_OK : HAGG_E_PRIVACY));
            if (CHECK(instance_tabulate(&in, &err) == 0)) {
                check_privacy(&in);
                check_real(&in);
            }
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", where, err.text);
    }
    return check_end();
}
