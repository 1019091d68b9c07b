/*
 * Full collusion on plans too large to enumerate, by linear algebra (docs/audit.md). Everything
 * that a node sees is a linear form in the clients' vectors and random values. The forms are those
 * of the real client, which runs once for each of its unknowns. A set of colluders learns what
 * remains of its forms when all random values of the others are eliminated. That must be the sum of
 * the others' vectors and nothing else exactly if the plan is expected to be private.
 */
#include <stdio.h>

#include "../unit/check.h"
#include "forms.h"
#include "plan/plan_collusion.h"

#define HEAD "field prime:p=13\ncollude full clients=1 stations=2\nstations 5\n"

static const struct test {
    const char *name, *topology;
    bool is_private;
} tests[] = {
    { "the paper's sets",
      HEAD "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5\n"
           "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5\n"
           "client 3 via 1-5 shares 2-5 keys 1 2 3 5\nclient 4 via 2-5 keys 2 4 5\n"
           "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\nclient 6 via 1 2 5\n",
      true },
    { "the cheapest sets",
      HEAD "client 1 2 via 1 2 3 5 shares 1 2 5 keys 1 2 3 5\n"
           "client 3 via 1-5 shares 2-5 keys 1 2 3 5\nclient 4 via 2-5 keys 2 4 5\n"
           "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\nclient 6 via 1 2 5\n",
      true },
    { "a row of five",
      HEAD "client 1 via 1-5 shares 1-3 keys 1-4\nclient 2 via 1-5 shares 1-4 keys 1-4\n"
           "client 3 via 1-5 shares 1-4 keys 2-5\nclient 4 via 1-5 shares 2-5 keys 2-5\n"
           "client 5 via 1-5 shares 2-5 keys 3-5\n",
      false },
    { "one alone", HEAD "client 1-4 via 1-4\nclient 5 via 2-5\n", false },
    { "a spare station",
      "field prime:p=13\ncollude full clients=1 stations=1\ndrop stations=1\nstations 5\n"
      "client 1 2 via 1-5 shares 1-4 keys 1-4\nclient 3 4 via 1-5 shares 1-4 keys 2-5\n"
      "client 5 via 1-5 shares 2-5 keys 1-4\n",
      true },
    { "additive",
      "field prime:p=13\nscheme additive\ncollude full clients=1 stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 1 2 keys 2 3\n"
      "client 3 via 1-3 shares 2 3 keys 2 3\nclient 4 via 1-3 shares 2 3 keys 1 2\n",
      true },
};

static const char *where;

static struct forms_units units;

/* Adds what the client sends to a form that has no terms of this client yet. */
static void add_sent(const struct instance *in, uint8_t *row, size_t client, size_t secret,
                     size_t station, size_t e)
{
    for (size_t i = 0; i < in->clients[client].n_digits; i++)
        row[forms_column_of_draw(client, i)] = units.of[client][i].shares[secret][station][e];
    for (size_t i = 0; i < in->length; i++)
        row[forms_column_of_vector(client, i)] =
            units.of[client][FORMS_DRAWN + i].shares[secret][station][e];
}

/* True if no honest client before this one has the same pattern. */
static bool is_first_of_pattern(const struct instance *in, unsigned colluders, size_t client,
                                size_t secret)
{
    for (size_t i = 0; i < client; i++)
        if (!(colluders >> i & 1) &&
            in->clients[i].of[secret].pattern == in->clients[client].of[secret].pattern)
            return false;
    return true;
}

/* Adds what the client sends to the station, if that colludes, and the sum of its pattern that the
 * federator receives. */
static void add_share(const struct instance *in, bool colludes, unsigned colluders, size_t client,
                      size_t secret, size_t station, struct forms *f)
{
    const struct instance_sharing *own = &in->clients[client].of[secret];

    for (size_t e = 0; e < own->share_length; e++) {
        if (colludes)
            add_sent(in, f->rows[f->n++], client, secret, station, e);
        if (!is_first_of_pattern(in, colluders, client, secret))
            continue;
        for (size_t i = client; i < in->n_clients; i++)
            if (!(colluders >> i & 1) && in->clients[i].of[secret].pattern == own->pattern)
                add_sent(in, f->rows[f->n], i, secret, station, e);
        f->n++;
    }
}

/* Adds everything that these stations and clients see of the others, together with the
 * federator. */
static void add_observed(const struct instance *in, unsigned stations, unsigned colluders,
                         struct forms *f)
{
    *f = (struct forms){ .p = in->p };
    for (size_t s = 0; s < INSTANCE_SECRETS; s++)
        for (size_t u = 0; u < in->n_stations; u++)
            for (size_t i = 0; i < in->n_clients; i++)
                if (!(colluders >> i & 1) && in->clients[i].of[s].holds[u])
                    add_share(in, stations >> u & 1, colluders, i, s, u, f);
}

/* The number of symbols that the colluders learn beyond the sum of the others, which they must
 * learn. */
static size_t count_leaks(const struct instance *in, unsigned stations, unsigned colluders)
{
    static struct forms f;
    bool knows_sum;
    size_t learnt;

    add_observed(in, stations, colluders, &f);
    CHECK(f.n + in->length <= FORMS_ROWS);
    learnt = forms_learn(in, &f, colluders, &knows_sum);
    CHECK(knows_sum);
    return learnt - in->length;
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;

    for (; x > 0; x &= x - 1)
        n++;
    return n;
}

static void check_privacy(const struct instance *in, bool is_private)
{
    const struct topology *t = &in->plan.topology;
    unsigned all_stations = (1u << in->n_stations) - 1;
    size_t n_leaking = 0;

    for (unsigned clients = 0; clients < 1u << in->n_clients; clients++)
        for (unsigned stations = 0; stations <= all_stations; stations++)
            if (count_bits(clients) <= t->collude_clients &&
                count_bits(stations) <= t->collude_stations)
                n_leaking += count_leaks(in, stations, clients) > 0;
    if (!CHECK(is_private ? n_leaking == 0 : n_leaking > 0))
        fprintf(stderr, "%s: %zu sets of colluders learn more than the sum\n", where, n_leaking);
    /* all stations together learn everything */
    CHECK(count_leaks(in, all_stations, 0) == (in->n_clients - 1) * in->length);
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
        else
            check_privacy(&in, tests[i].is_private);
        instance_free(&in);
    }
    return check_end();
}
