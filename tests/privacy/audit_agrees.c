/*
 * Compares the audit with what the real client sends. For every set of colluders of small plans,
 * private or not, the audit must report as many exposed symbols as remain if the randomness is
 * eliminated from what the client was observed to send. On the smallest plans, its answer must also
 * agree with an enumeration of all randomness, which shows whether inputs can be distinguished.
 *
 * The sums of stations and relays are computed here by sight.c, which is independent of the audit.
 */
#include <stdio.h>

#include "../unit/check.h"
#include "alike.h"
#include "audit/learnt.h"
#include "audit/model_build.h"
#include "sight_learn.h"

#define LINKS3 "stations 3\nrelays 3\nstation 1-3 via 1-3\n"

static const struct test {
    const char *name, *topology;
} linear[] = {
    { "partial, two patterns",
      "field prime:p=13\ncollude partial clients=1 stations=1\nstations 4\n"
      "client 1 2 via 1-3 keys 2\nclient 3 via 2-4 keys 4\nclient 4 via 1-4 shares 1 4 keys 1\n" },
    { "partial, a spare station, additive",
      "field prime:p=13\nscheme additive\ncollude partial stations=1\nstations 4\n"
      "client 1 2 via 1-3 keys 2\nclient 3 via 2-4 keys 4\n" },
    { "partial, a spare station",
      "field prime:p=13\ncollude partial stations=1\ndrop stations=1\nstations 5\n"
      "client 1-3 via 1-5 shares 1-4\nclient 4 via 2-5 keys 3\n" },
    { "full, a ring",
      "field prime:p=13\ncollude full clients=1 stations=1\nstations 4\n"
      "client 1 via 1-4 shares 1-3 keys 2 3\nclient 2 via 1-4 shares 1-3 keys 1 4\n"
      "client 3 via 1-4 shares 2 4 keys 1 4\nclient 4 via 1-4 shares 2 4 keys 2 3\n" },
    { "full, two apart",
      "field prime:p=13\ncollude full stations=1\nstations 4\n"
      "client 1 2 via 1-4 shares 1-3 keys 2-4\nclient 3 4 via 1-4 shares 1 4 keys 1 2 4\n" },
    { "full, one alone",
      "field prime:p=13\ncollude full stations=2\nstations 4\n"
      "client 1 2 via 1-4 shares 1-3 keys 2-4\nclient 3 via 1-4 shares 1-4 keys 1-4\n" },
    { "partial, relays", "field prime:p=13\ncollude partial clients=1 stations=1 relays=1\n" LINKS3
                         "client 1 2 via 1-3 relays 1-3 keys 2\n"
                         "client 3 via 1-3 shares 3 1 relays 1 3 keys 1\n" },
    { "full, relays, a station in two places",
      "field prime:p=13\ncollude full clients=1 stations=1 relays=1\n" LINKS3
      "client 1 via 1-3 relays 1-3 key-relays 1-3\n"
      "client 2 3 via 1-3 shares 2 3 1 keys 1 3 2 relays 1-3 key-relays 1-3\n" },
    { "full, relays, each in its place",
      "field prime:p=13\ncollude full clients=1 stations=0 relays=1\n" LINKS3
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 3 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 3 via 1-3 shares 3 2 keys 1 3 relays 1 2 key-relays 1 2\n" },
};

static const struct test counted[] = {
    { "p=3, one client",
      "field prime:p=3\ncollude partial stations=1\nminimum 1\nstations 2\nclient 1 via 1 2\n" },
    { "p=3, one client, full",
      "field prime:p=3\ncollude full stations=1\nminimum 1\nstations 2\nclient 1 via 1 2\n" },
    { "p=5, two patterns",
      "field prime:p=5\ncollude partial stations=1\nstations 3\nclient 1 via 1 2\n"
      "client 2 via 2 3\n" },
    { "p=5, additive, three stations",
      "field prime:p=5\nscheme additive\ncollude partial stations=1\nstations 3\n"
      "client 1 via 1-3\nclient 2 via 1 2\n" },
    { "p=5, full, two groups of keys",
      "field prime:p=5\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 1 2 keys 2 3\n" },
    { "p=5, full, apart",
      "field prime:p=5\ncollude full stations=1\nstations 3\n"
      "client 1 via 1-3 shares 1 2 keys 1 2\nclient 2 via 1-3 shares 2 3 keys 2 3\n" },
    { "p=5, partial, relays",
      "field prime:p=5\ncollude partial stations=1 relays=1\nstations 3\nrelays 2\n"
      "station 1-3 via 1 2\nclient 1 via 1-3 shares 1 2 relays 1 2 keys 1\n"
      "client 2 via 1-3 shares 3 2 relays 1 2 keys 3\n" },
    { "p=5, full, a station in two places",
      "field prime:p=5\ncollude full stations=1\nstations 3\nrelays 2\nstation 1-3 via 1 2\n"
      "client 1 via 1-3 shares 1 2 keys 1 2 relays 1 2 key-relays 1 2\n"
      "client 2 via 1-3 shares 2 3 keys 2 3 relays 1 2 key-relays 1 2\n" },
};

static const char *where;
static struct forms_units units;

/* Converts a set of colluders to a coalition of the audit. */
static void set_coalition(const struct model *m, const struct sight_observer *who,
                          struct coalition *c)
{
    for (uint32_t u = 0; u < m->n_stations; u++)
        c->nodes[model_station(u + 1)] = who->stations >> u & 1;
    for (uint32_t r = 0; r < m->n_relays; r++)
        c->nodes[model_relay(m, r + 1)] = who->relays >> r & 1;
    c->nodes[MODEL_FEDERATOR] = who->federator;
    for (size_t k = 0; k < m->n_profiles; k++)
        for (size_t i = 0; i < m->profiles[k].n_clients; i++)
            c->clients[m->profiles[k].first + i] =
                who->clients >> (m->profiles[k].clients[i] - 1) & 1 ? COALITION_MEMBER
                                                                    : COALITION_HONEST;
}

/* True if fewer than two honest clients are left. */
static bool is_alone(const struct instance *in, unsigned clients)
{
    size_t n = in->n_clients;

    for (; clients > 0; clients &= clients - 1)
        n--;
    return n < 2;
}

/* The number of symbols that the colluders learn beyond what is allowed, from what the client was
 * observed to send. */
static size_t count_symbols(const struct instance *in, const struct sight_observer *who)
{
    bool knows_sum;
    size_t learnt = sight_learn(in, &units, who, &knows_sum);

    if (!who->federator || is_alone(in, who->clients))
        return learnt;
    CHECK(knows_sum);
    return learnt - in->length;
}

static void check_linear(const struct instance *in, const struct sight_observer *who,
                         const struct learnt *l)
{
    size_t expected = count_symbols(in, who);

    if (!CHECK(l->rank * in->length == expected * l->cut))
        fprintf(stderr,
                "%s: stations %#x, relays %#x, clients %#x%s: leakage %zu / %u, not %zu / %zu\n",
                where, who->stations, who->relays, who->clients,
                who->federator ? " and the federator" : "", l->rank, l->cut, expected, in->length);
}

static size_t n_told, n_hidden;

static void check_counted(const struct instance *in, const struct sight_observer *who,
                          const struct learnt *l)
{
    struct alike a;
    int status;

    /* the sum is then the vector of the only honest client, which an enumeration cannot distinguish
     * from an allowed sum */
    if (who->federator && is_alone(in, who->clients))
        return;
    status = alike_count(in, who, &a);
    if (status == 1 || !CHECK(status == 0))
        return;
    *(l->rank > 0 ? &n_told : &n_hidden) += 1;
    if (!CHECK((l->rank > 0) == (a.n_other > 0)))
        fprintf(stderr, "%s: stations %#x, relays %#x, clients %#x%s: %zu alike, %zu not\n", where,
                who->stations, who->relays, who->clients,
                who->federator ? " and the federator" : "", a.n_same, a.n_other);
}

/* Checks all sets of colluders except those with all clients. */
static void check_all(const struct instance *in,
                      void (*check)(const struct instance *, const struct sight_observer *,
                                    const struct learnt *))
{
    size_t n_relays = in->plan.topology.n_relays;
    struct hagg_err err = { 0 };
    struct coalition c;
    struct model m;

    if (!CHECK(model_build(&m, &in->plan, 0, &err) == 0 && coalition_new(&c, &m, &err) == 0))
        return;
    for (unsigned set = 0; set < 2u << (in->n_stations + n_relays + in->n_clients); set++) {
        struct sight_observer who = {
            .federator = set & 1,
            .stations = set >> 1 & ((1u << in->n_stations) - 1),
            .relays = set >> (1 + in->n_stations) & ((1u << n_relays) - 1),
            .clients = set >> (1 + in->n_stations + n_relays),
        };
        struct learnt l;

        if (who.clients == (1u << in->n_clients) - 1)
            continue;
        set_coalition(&m, &who, &c);
        if (CHECK(learnt_new(&l, &m, &c, &err) == 0)) {
            check(in, &who, &l);
            learnt_free(&l);
        }
    }
    coalition_free(&c);
    model_free(&m);
}

int main(void)
{
    struct hagg_err err = { 0 };
    struct instance in;

    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++) {
        where = linear[i].name;
        if (CHECK(instance_new(&in, linear[i].topology, INSTANCE_LENGTH, &err) == 0)) {
            if (CHECK(forms_measure(&in, &units, &err) == 0))
                check_all(&in, check_linear);
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", where, err.text);
    }
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        where = counted[i].name;
        if (CHECK(instance_new(&in, counted[i].topology, 1, &err) == 0)) {
            if (CHECK(instance_tabulate(&in, &err) == 0))
                check_all(&in, check_counted);
            instance_free(&in);
        }
        if (err.status)
            fprintf(stderr, "%s: %s\n", where, err.text);
    }
    CHECK(n_told > 20 && n_hidden > 20);
    return check_end();
}
