/*
 * Relays on instances so small that all randomness can be enumerated. What relays see with the
 * federator, what stations see, or what all of them see together has exactly the same distribution
 * for all inputs that they must not distinguish, and a different one for sets just beyond those
 * that the plan allows.
 *
 * The real client runs for every input and every value of its randomness. The sums of stations and
 * relays are computed here; that the commands compute the same is checked by the tests of whole
 * rounds.
 */
#include <stdio.h>

#include "../unit/check.h"
#include "alike.h"

#define LINKS "stations 3\nrelays 2\nstation 1-3 via 1 2\n"

/* Colluders, one bit per station and relay starting with the first, and whether the inputs must be
 * hidden from them. */
struct observation {
    unsigned stations, relays;
    bool federator, hidden;
};

#define OBSERVATIONS 8

static const struct test {
    const char *name, *topology;
    struct observation observations[OBSERVATIONS]; /* ends with an empty one */
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
      "field prime:p=5\ncollude full stations=0 relays=1\n" LINKS
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 2 3 keys 2 3 relays 1 2 key-relays 1 2\n",
      { { 0, 0, true, true },
        { 0, 1, true, true },
        { 0, 2, true, true },
        { 0, 3, true, false },
        /* the plan allows no colluding station, so z is too small by one */
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
      "field prime:p=5\ncollude full stations=0 relays=1\nstations 3\nrelays 3\nstation 1-3 via "
      "1-3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 2 3 relays 1 2 key-relays 2 3\n",
      { { 0, 1, true, true }, { 0, 2, true, true }, { 0, 4, true, true }, { 0, 3, true, false } } },
    { "full, apart",
      "field prime:p=5\ncollude full stations=0 relays=1\nstations 3\nrelays 3\nstation 1-3 via "
      "1-3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 2 3 relays 2 3 key-relays 2 3\n",
      { { 0, 1, true, false }, { 0, 1, false, true } } },
};

static void check_observation(const struct instance *in, const char *name,
                              const struct observation *w)
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
        const struct observation *w = tests[i].observations;
        struct hagg_err err = { 0 };
        struct instance in;

        if (CHECK(instance_new(&in, tests[i].topology, 1, &err) == 0)) {
            if (CHECK(instance_tabulate(&in, &err) == 0))
                for (; w < tests[i].observations + OBSERVATIONS &&
                       (w->stations || w->relays || w->federator);
                     w++)
                    check_observation(&in, tests[i].name, w);
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", tests[i].name, err.text);
    }
    return check_end();
}
