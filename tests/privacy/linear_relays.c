/*
 * Relays, by linear algebra as in linear_full.c: what stations, relays, clients and the federator
 * learn together, for every set of colluders that a plan allows, and for sets just beyond.
 *
 * Partial collusion: stations and clients learn nothing; relays and clients with the federator
 * learn the sum and nothing else. Full collusion: all together learn the sum and nothing else.
 */
#include <stdio.h>

#include "../unit/check.h"
#include "plan/plan_collusion.h"
#include "sight_learn.h"

#define FULL  "field prime:p=13\ncollude full clients=1 stations=1 relays=1\n"
#define LINKS "stations 4\nrelays 4\nstation 1-4 via 1-4\n"

static const struct test {
    const char *name, *topology;
    bool is_private;
} tests[] = {
    { "partial, as in the paper's figure",
      "field prime:p=13\ncollude partial clients=1 stations=1 relays=1\n" LINKS
      "client 1 2 via 1-3 relays 1-3 keys 2\nclient 3 via 2-4 relays 1-3 keys 4\n"
      "client 4 via 1 2 4 shares 2 4 1 relays 1 3 4 keys 1\n",
      true },
    { "partial, two relays and a spare one",
      "field prime:p=13\ncollude partial clients=1 stations=1 relays=2\ndrop relays=1\n"
      "stations 5\nrelays 5\nstation 1-5 via 1-5\n"
      "client 1 2 via 1-5 shares 4 2 3 1 5 relays 1-5\nclient 3 4 via 1-5 relays 1-5 keys 3\n",
      true },
    /* a station with share 1 of some clients and share 2 of others knows two shares of each client,
     * together with the federator, which has the sum of both */
    { "full, all meet at the relays",
      FULL LINKS "client 1 2 via 1-4 shares 1-3 keys 2-4 relays 1-3 key-relays 1-3\n"
                 "client 3 via 1-4 shares 2-4 keys 1-3 relays 1-3 key-relays 1-3\n"
                 "client 4 via 1-4 shares 3 1 4 keys 4 1 2 relays 1-3 key-relays 1-3\n",
      false },
    { "full, all meet at the relays, each station in its place",
      FULL LINKS "client 1 2 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n"
                 "client 3 via 1-4 shares 4 2 3 keys 4 2 3 relays 1-3 key-relays 1-3\n"
                 "client 4 via 1-4 shares 1-3 keys 4 2 3 relays 1-3 key-relays 1-3\n",
      true },
    { "full, a ring behind the relays",
      FULL LINKS "client 1 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n"
                 "client 2 via 1-4 shares 4 2 3 keys 1-3 relays 1-3 key-relays 2-4\n"
                 "client 3 via 1-4 shares 1-3 keys 1 2 4 relays 2-4 key-relays 2-4\n"
                 "client 4 via 1-4 shares 4 2 3 keys 4 2 3 relays 2-4 key-relays 1-3\n",
      true },
    { "full, a row behind the relays",
      FULL LINKS "client 1 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n"
                 "client 2 via 1-4 shares 4 2 3 keys 1-3 relays 1-3 key-relays 2-4\n"
                 "client 3 via 1-4 shares 1-3 keys 1 2 4 relays 2-4 key-relays 2-4\n"
                 "client 4 via 1-4 shares 4 2 3 keys 4 2 3 relays 2-4 key-relays 1 2 4\n",
      false },
    { "full, one alone behind the relays",
      FULL LINKS "client 1-3 via 1-4 shares 1-3 keys 1-3 relays 1-3 key-relays 1-3\n"
                 "client 4 via 1-4 shares 1-3 keys 1-3 relays 2-4 key-relays 2-4\n",
      false },
    { "full, a spare relay",
      "field prime:p=13\ncollude full clients=1 stations=1 relays=1\ndrop relays=1\n"
      "stations 6\nrelays 5\nstation 1-6 via 1-5\n"
      "client 1 2 via 1-6 shares 1-5 keys 1-5 relays 1-5 key-relays 1-5\n"
      "client 3 via 1-6 shares 6 2-5 keys 1-4 6 relays 1-5 key-relays 1-5\n",
      true },
    { "full, a spare relay, a station in two places",
      "field prime:p=13\ncollude full clients=1 stations=1 relays=1\ndrop relays=1\n"
      "stations 5\nrelays 5\nstation 1-5 via 1-5\n"
      "client 1 2 via 1-5 relays 1-5 key-relays 1-5\n"
      "client 3 via 1-5 shares 2-5 1 keys 2-5 1 relays 1-5 key-relays 1-5\n",
      false },
    /* stations that do not collude may have any position */
    { "full, additive, relays only",
      "field prime:p=13\nscheme additive\ncollude full clients=1 stations=0 relays=1\n" LINKS
      "client 1 via 1-4 shares 1 2 keys 3 4 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-4 shares 3 4 keys 3 4 relays 1 2 key-relays 1 2\n"
      "client 3 via 1-4 shares 4 1 keys 1 2 relays 1 2 key-relays 1 2\n",
      true },
    { "full, relays only",
      "field prime:p=13\ncollude full clients=1 stations=0 relays=1\n" LINKS
      "client 1 via 1-4 shares 1-3 keys 2-4 relays 1-3 key-relays 1-3\n"
      "client 2 via 1-4 shares 2-4 keys 2-4 relays 1-3 key-relays 1-3\n"
      "client 3 via 1-4 shares 3 1 2 keys 4 3 1 relays 1-3 key-relays 1-3\n",
      true },
};

static const char *where;
static struct forms_units units;

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

/* The number of symbols that the colluders learn beyond the sum, which they must learn with the
 * federator. */
static size_t count_leaks(const struct instance *in, const struct sight_observer *who)
{
    bool knows_sum;
    size_t learnt = sight_learn(in, &units, who, &knows_sum);

    CHECK(learnt < SIZE_MAX);
    if (!who->federator)
        return learnt;
    CHECK(knows_sum && learnt >= in->length);
    return learnt - in->length;
}

/* The number of sets with exactly these numbers of stations and relays, and as many clients as the
 * plan allows or fewer, that learn more than they may. */
static size_t count_leaking(const struct instance *in, unsigned n_stations, unsigned n_relays,
                            bool federator, size_t *n_sets)
{
    const struct topology *t = &in->plan.topology;
    size_t n = 0;

    for (unsigned clients = 0; clients < 1u << in->n_clients; clients++)
        for (unsigned stations = 0; stations < 1u << in->n_stations; stations++)
            for (unsigned relays = 0; relays < 1u << t->n_relays; relays++)
                if (count_bits(clients) <= t->collude_clients &&
                    count_bits(stations) == n_stations && count_bits(relays) == n_relays) {
                    struct sight_observer who = { stations, relays, clients, federator };

                    n += count_leaks(in, &who) > 0;
                    ++*n_sets;
                }
    return n;
}

static void check_leaks(const struct instance *in, unsigned n_stations, unsigned n_relays,
                        bool federator, bool expected)
{
    size_t n_sets = 0, n = count_leaking(in, n_stations, n_relays, federator, &n_sets);

    if (!CHECK(n_sets > 0 && (expected ? n > 0 : n == 0)))
        fprintf(stderr, "%s: %u stations and %u relays%s: %zu of %zu sets learn too much\n", where,
                n_stations, n_relays, federator ? " with the federator" : "", n, n_sets);
}

/* Checks stations with clients, and relays with the federator and clients. */
static void check_partial(const struct instance *in)
{
    const struct topology *t = &in->plan.topology;

    check_leaks(in, t->collude_stations, 0, false, false);
    check_leaks(in, topology_colluders(t, 0) + 1, 0, false, true);
    check_leaks(in, 0, t->collude_relays, true, false);
    /* even all relays learn no more: they see the total of the keys, but no single key */
    check_leaks(in, 0, t->n_relays, true, false);
    /* stations and relays together learn everything, which partial collusion excludes */
    check_leaks(in, t->n_stations, t->n_relays, true, true);
}

static void check_full(const struct instance *in, bool is_private)
{
    const struct topology *t = &in->plan.topology;

    check_leaks(in, t->collude_stations, t->collude_relays, true, !is_private);
    check_leaks(in, t->collude_stations, t->collude_relays, false, false);
    check_leaks(in, t->collude_stations + 1, t->collude_relays, true, true);
    check_leaks(in, t->collude_stations, t->collude_relays + 1, true, true);
}

/* A relay that gets two shares of a sharing, which no valid plan allows. */
static void finds_two_shares_at_a_relay(void)
{
    struct hagg_err err = { 0 };
    struct instance in;
    size_t n_sets = 0;

    where = "two shares at a relay";
    if (!CHECK(instance_new(
                   &in,
                   "field prime:p=13\ncollude full stations=0 relays=1\nstations 3\nrelays 2\n"
                   "station 1-3 via 1 2\n"
                   "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
                   "client 2 via 1-3 shares 2 3 keys 2 3 relays 1 2 key-relays 1 2\n",
                   INSTANCE_LENGTH, &err) == 0 &&
               forms_measure(&in, &units, &err) == 0)) {
        fprintf(stderr, "%s: %s\n", where, err.text);
        return;
    }
    CHECK(count_leaking(&in, 0, 1, true, &n_sets) == 0);
    for (size_t s = 0; s < INSTANCE_SECRETS; s++)
        in.clients[0].of[s].relay[1] = in.clients[0].of[s].relay[0];
    CHECK(count_leaking(&in, 0, 1, true, &n_sets) > 0);
    instance_free(&in);
}

int main(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct hagg_err err = { 0 }, reason = { 0 };
        struct instance in;

        where = tests[i].name;
        if (!CHECK(instance_new(&in, tests[i].topology, INSTANCE_LENGTH, &err) == 0)) {
            fprintf(stderr, "%s: %s\n", where, err.text);
            continue;
        }
        CHECK(plan_collusion_check(&in.plan, NULL, &reason) == (tests[i].is_private ? 0 : -1));
        CHECK(reason.status == (tests[i].is_private ? HAGG_OK : HAGG_E_PRIVACY));
        if (!CHECK(forms_measure(&in, &units, &err) == 0))
            fprintf(stderr, "%s: %s\n", where, err.text);
        else if (in.plan.topology.full)
            check_full(&in, tests[i].is_private);
        else
            check_partial(&in);
        instance_free(&in);
    }
    finds_two_shares_at_a_relay();
    return check_end();
}
