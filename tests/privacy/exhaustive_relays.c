/*
 * Relays on instances so small that all randomness can be gone through: what relays see with the
 * federator, or stations, or all of them together, has the same distribution, counted out, for all
 * inputs that they must not tell apart; and another one for sets just beyond what a plan speaks of.
 *
 * The real client runs for every input and every value of what it draws. What is added up on the
 * way is added here, and is that of the real commands in the tests of whole rounds.
 */
#include <stdio.h>

#include "../unit/check.h"
#include "alike.h"

#define LINKS "stations 3\nrelays 2\nstation 1-3 via 1 2\n"

/* A bit for each station, relay and client, from the first on. */
struct watch {
    unsigned stations, relays;
    bool federator, hidden;
};

#define WATCHES 8

static const struct test {
    const char *name, *topology;
    struct watch watches[WATCHES]; /* up to one that sees nothing */
} tests[] = {
    { "partial, together at relays",
      "field prime:p=5\ncollude partial stations=1 relays=1\n" LINKS
      "client 1 via 1-3 shares 1 2 relays 1 2 keys 1\n"
      "client 2 via 1-3 shares 3 2 relays 1 2 keys 3\n",
      { { 0, 1, true, true },
        { 0, 2, true, true },
        { 0, 3, true, true }, /* padded vectors only */
        { 1, 0, false, true },
        { 2, 0, false, true },
        { 4, 0, false, true },
        { 3, 0, false, false } } },
    { "partial, apart at relays",
      "field prime:p=5\ncollude partial stations=1 relays=1\nstations 3\nrelays 3\n"
      "station 1-3 via 1-3\nclient 1 via 1-3 shares 1 2 relays 1 2 keys 2\n"
      "client 2 via 1-3 shares 1 3 relays 1 3 keys 1\n",
      { { 0, 1, true, true },
        { 0, 7, true, true },
        { 1, 0, false, true },
        { 2, 0, false, true },
        { 5, 0, false, false } } },
    { "full, one relay",
      "field prime:p=5\ncollude full relays=1\n" LINKS
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 2 3 keys 2 3 relays 1 2 key-relays 1 2\n",
      { { 0, 0, true, true },
        { 0, 1, true, true },
        { 0, 2, true, true },
        { 0, 3, true, false },
        /* z is too small by one for these */
        { 1, 2, true, false },
        { 2, 0, true, false } } },
    { "full, one station",
      "field prime:p=5\ncollude full stations=1\n" LINKS
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 3 2 relays 1 2 key-relays 1 2\n",
      { { 1, 0, true, true },
        { 2, 0, true, true },
        { 4, 0, true, true },
        { 1, 0, false, true },
        { 3, 0, true, false },
        { 1, 2, true, false } } },
    { "full, two groups of keys",
      "field prime:p=5\ncollude full relays=1\nstations 3\nrelays 3\nstation 1-3 via 1-3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 2 3 relays 1 2 key-relays 2 3\n",
      { { 0, 1, true, true }, { 0, 2, true, true }, { 0, 4, true, true }, { 0, 3, true, false } } },
    { "full, apart",
      "field prime:p=5\ncollude full relays=1\nstations 3\nrelays 3\nstation 1-3 via 1-3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 2 3 relays 2 3 key-relays 2 3\n",
      { { 0, 1, true, false }, { 0, 1, false, true } } },
};

static void check_watch(const struct instance *in, const char *name, const struct watch *w)
{
    const struct sight_observer who = { w->stations, w->relays, 0, w->federator };
    struct alike a;

    CHECK(alike_count(in, &who, &a) == 0);
    if (!CHECK(w->hidden ? a.n_other == 0 && a.n_same > 0 : a.n_other > 0))
        fprintf(stderr, "%s: stations %#x, relays %#x%s: %zu alike, %zu not\n", name, w->stations,
                w->relays, w->federator ? " and the federator" : "", a.n_same, a.n_other);
}

int main(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        const struct watch *w = tests[i].watches;
        struct hagg_err err = { 0 };
        struct instance in;

        if (CHECK(instance_new(&in, tests[i].topology, 1, &err) == 0)) {
            if (CHECK(instance_tabulate(&in, &err) == 0))
                for (; w < tests[i].watches + WATCHES && (w->stations || w->relays || w->federator);
                     w++)
                    check_watch(&in, tests[i].name, w);
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", tests[i].name, err.text);
    }
    return check_end();
}
