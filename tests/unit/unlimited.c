#include "audit/unlimited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "check.h"
#include "feed.h"

static uint64_t state = 11;

/* A number below n. */
static uint32_t below(uint32_t n)
{
    return splitmix_below(&state, n);
}

#define STATIONS 4

/* Prints k of the stations, ascending. */
static void put_some(struct text *t, uint32_t k)
{
    for (uint32_t u = 1; u <= STATIONS && k > 0; u++)
        if (below(STATIONS + 1 - u) < k) {
            text_printf(t, " %u", u);
            k--;
        }
}

enum kind { ALIGNED_PARTIAL, ALIGNED_FULL, CHAIN, SHARED_KEYS, N_KINDS };

/* Clients with few patterns, so that several have the same, some of them with seeds. */
static void put_client(struct text *t, enum kind kind, uint32_t i, uint32_t fewest)
{
    bool few = kind != SHARED_KEYS && below(4) == 0;

    text_printf(t, "client %u via", i);
    if (kind == SHARED_KEYS)
        text_printf(t, " 1-4");
    else if (few)
        put_some(t, 1 + below(fewest - 1));
    else if (below(2))
        text_printf(t, " 1-%u", fewest);
    else
        put_some(t, fewest + below(STATIONS + 1 - fewest));
    if (kind == SHARED_KEYS) {
        text_printf(t, "%s shares", below(2) ? " computational" : "");
        put_some(t, fewest + below(STATIONS + 1 - fewest));
        text_printf(t, " keys");
        put_some(t, fewest + below(STATIONS + 1 - fewest));
        text_printf(t, "\n");
    } else
        text_printf(t, "%s\n", few || below(2) ? " computational" : "");
}

static void random_plan(struct text *t, enum kind kind)
{
    uint32_t z = 1 + (below(3) == 0), spares = z == 1 && below(4) == 0, n = 3 + below(3);
    uint32_t fewest = z + 2 * spares + 1;
    bool full = kind == ALIGNED_FULL || kind == SHARED_KEYS, all = below(5) == 0;

    text_printf(t, "protocol %s\nfield prime:p=101\nstations 4\nminimum 1\n",
                kind == CHAIN || kind == SHARED_KEYS ? "keys" : "aligned");
    if (kind == ALIGNED_PARTIAL || kind == ALIGNED_FULL)
        text_printf(t, "segments %u\n", 1 + below(4));
    if (all)
        text_printf(t, "privacy computational\n");
    if (kind != SHARED_KEYS && below(3) == 0)
        text_printf(t, "relays 4\nstation 1-4 via 1-4\n%s",
                    kind == CHAIN && below(2) ? "transform direct\n" : "");
    text_printf(t, "collude %s clients=%u stations=%u\ndrop clients=%u stations=%u\n",
                full ? "full" : "partial", below(2), z, below(2), spares);
    for (uint32_t i = 1; i <= n; i++)
        put_client(t, kind, i, fewest);
}

/* A plan, its models, and what is claimed. */
struct subject {
    const char *text;
    struct plan plan;
    struct model sums, all;
    struct unlimited u;
};

static bool subject_new(struct subject *s, const char *text)
{
    struct hagg_err err = { 0 };
    struct audit_bounds bounds;

    *s = (struct subject){ .text = text };
    if (plan_load(&s->plan, feed_file(text, strlen(text)), &err))
        return false;
    if (!topology_has_seeds(&s->plan.topology)) {
        plan_free(&s->plan);
        return false;
    }
    bounds = audit_bounds_of(&s->plan);
    CHECK(model_build_sums(&s->sums, &s->plan, 0, &err) == 0);
    CHECK(model_build_unlimited(&s->all, &s->plan, 0, &err) == 0);
    CHECK(unlimited_new(&s->u, &s->sums, &bounds, &err) == 0);
    CHECK_STR(err.text, "");
    return true;
}

static void subject_free(struct subject *s)
{
    unlimited_free(&s->u);
    model_free(&s->sums);
    model_free(&s->all);
    plan_free(&s->plan);
}

static void describe(const struct subject *s, const struct coalition *who, const char *what)
{
    fprintf(stderr, "%s: stations", what);
    for (uint32_t u = 1; u <= STATIONS; u++)
        if (who->nodes[model_station(u)])
            fprintf(stderr, " %u", u);
    fprintf(stderr, "%s; clients", who->nodes[MODEL_FEDERATOR] ? ", federator" : "");
    for (size_t i = 0; i < s->all.n_profiles; i++)
        for (size_t j = 0; j < s->all.profiles[i].n_clients; j++)
            fprintf(stderr, " %u:%d", s->all.profiles[i].clients[j],
                    who->clients[s->all.profiles[i].first + j]);
    fprintf(stderr, "\n%s", s->text);
}

struct tally {
    size_t n_plans, n_claims;
    size_t n_stations, n_needed;     /* computed shares; those that leak with seeds alone */
    size_t n_federator, n_confirmed; /* kinds that are computational against the federator; those
                                        that leak to it alone in some total */
    size_t n_safe;                   /* kinds that are not */
};

/* Tries every allowed set of stations, with random clients that collude or are missing. */
static void check_claims(const struct subject *s, struct tally *t)
{
    const struct topology *topology = &s->plan.topology;
    /* with keys that are shared, it depends on the clients whether others may be missing */
    uint32_t most_missing = topology->aligned || !topology->full ? 9 : topology->drop_clients;

    for (uint32_t set = 0; set < 1u << STATIONS; set++)
        for (int federator = 0; federator < 2; federator++)
            for (int tries = 0; tries < 4; tries++) {
                struct hagg_err err = { 0 };
                struct coalition who;
                uint32_t colluding = 0, missing = 0;
                int holds;

                if ((uint32_t)__builtin_popcount(set) > topology->collude_stations ||
                    (!topology->full && federator && set))
                    continue;
                CHECK(coalition_new(&who, &s->all, &err) == 0);
                who.nodes[MODEL_FEDERATOR] = federator;
                for (uint32_t r = 1; r <= topology->n_relays && (topology->full || !set); r++)
                    who.nodes[model_relay(&s->all, r)] =
                        topology->aligned ? tries > 0 : r <= topology->collude_relays && tries > 1;
                who.total = topology->aligned && topology->n_relays > 0 && tries > 0;
                for (uint32_t u = 1; u <= STATIONS; u++)
                    who.nodes[model_station(u)] = set >> (u - 1) & 1;
                for (size_t i = 0; i < s->all.n_clients; i++) {
                    bool member = tries > 0 && below(3) == 0;

                    bool drops = tries > 0 && below(3) == 0 && missing < most_missing;

                    who.clients[i] = member && colluding < topology->collude_clients
                                         ? COALITION_MEMBER
                                     : drops ? COALITION_MISSING
                                             : COALITION_HONEST;
                    colluding += who.clients[i] == COALITION_MEMBER;
                    missing += who.clients[i] == COALITION_MISSING;
                }
                holds = unlimited_check(&s->u, &s->all, &s->all, &who, &err);
                t->n_claims++;
                if (!CHECK(holds == 1))
                    describe(s, &who, "wrong claim");
                coalition_free(&who);
            }
}

/* True if the coalition learns more than it may, with all seeds. */
static bool leaks(const struct subject *s, const struct coalition *who)
{
    struct hagg_err err = { 0 };
    int answer = learnt_leaks(&s->all, who, LEARNT_COLUMNS, &err);

    CHECK(answer >= 0);
    return answer == 1;
}

static size_t place_of(const struct model *m, uint32_t client)
{
    for (size_t i = 0; i < m->n_profiles; i++)
        for (size_t j = 0; j < m->profiles[i].n_clients; j++)
            if (m->profiles[i].clients[j] == client)
                return m->profiles[i].first + j;
    return SIZE_MAX;
}

/* What a wrong claim is found to be: 1: right. */
static int check_wrong(struct subject *s, const struct coalition *who)
{
    struct hagg_err err = { 0 };
    int holds = unlimited_check(&s->u, &s->all, &s->all, who, &err);

    CHECK(holds >= 0);
    return holds;
}

/* With every station of a computed share, and for keys that are shared the stations of all computed
 * shares of the key, the vector is not protected. A claim that it is would be found wrong. */
static void check_stations(struct subject *s, struct unlimited_kind *k, struct tally *t)
{
    size_t client = place_of(&s->all, k->clients.ranges[0].first);

    for (uint32_t u = 1; u <= STATIONS; u++) {
        struct rangeset computed = k->computed;
        bool carried = k->carried;
        struct hagg_err err = { 0 };
        struct coalition who;
        bool found;

        if (!rangeset_overlap(&k->computed, u, u))
            continue;
        CHECK(coalition_new(&who, &s->all, &err) == 0);
        who.nodes[model_station(u)] = true;
        for (uint32_t w = 1; w <= STATIONS; w++)
            if (rangeset_overlap(&k->key_computed, w, w))
                who.nodes[model_station(w)] = true;
        for (size_t i = 0; i < s->all.n_clients; i++)
            who.clients[i] = i == client ? COALITION_HONEST : COALITION_MEMBER;
        found = leaks(s, &who);
        t->n_stations++;
        t->n_needed += found;
        if (!CHECK(found))
            describe(s, &who, "does not leak");
        CHECK(!unlimited_holds(k, &s->all, who.nodes));
        k->computed = (struct rangeset){ 0 };
        k->carried = false;
        CHECK(unlimited_holds(k, &s->all, who.nodes) && check_wrong(s, &who) == 0);
        k->computed = computed;
        k->carried = carried;
        coalition_free(&who);
    }
}

/* True if in some total with the client, the federator learns more than the total, with all relays
 * if these see what it sees. */
static bool federator_leaks(struct subject *s, struct unlimited_kind *k)
{
    size_t client = place_of(&s->all, k->clients.ranges[0].first);
    bool found = false;

    for (uint32_t set = 0; set < 1u << s->all.n_clients && !found; set++) {
        struct hagg_err err = { 0 };
        struct coalition who;

        if (!(set >> client & 1) || __builtin_popcount(set) < 2)
            continue;
        CHECK(coalition_new(&who, &s->all, &err) == 0);
        who.nodes[MODEL_FEDERATOR] = true;
        for (uint32_t r = 1; r <= s->all.n_relays && s->plan.topology.aligned; r++)
            who.nodes[model_relay(&s->all, r)] = true;
        for (size_t i = 0; i < s->all.n_clients; i++)
            who.clients[i] = set >> i & 1 ? COALITION_HONEST : COALITION_MISSING;
        found = leaks(s, &who);
        coalition_free(&who);
    }
    return found;
}

static void compare(const char *text, struct tally *t)
{
    struct subject s;

    if (!subject_new(&s, text))
        return;
    t->n_plans++;
    CHECK(!s.u.open);
    check_claims(&s, t);
    for (size_t i = 0; i < s.u.n_kinds; i++) {
        struct unlimited_kind *k = &s.u.kinds[i];

        check_stations(&s, k, t);
        /* clients without seeds are not affected by the federator alone */
        if (k->federator && k->computed.n > 0) {
            t->n_federator++;
            t->n_confirmed += federator_leaks(&s, k);
        }
        t->n_safe += !k->federator;
    }
    subject_free(&s);
}

/* The theorem and the elimination agree on random plans. What is claimed is right; what is not
 * claimed leaks, except to the federator if all other clients that a total can have happen to hide
 * the sums. */
static void agrees_on_random_plans(enum kind kind)
{
    struct tally t = { 0 };

    for (size_t i = 0; i < 60; i++) {
        struct text text = { 0 };

        random_plan(&text, kind);
        compare(text.bytes, &t);
        text_free(&text);
    }
    printf(
        "kind %d: %zu plans, %zu claims, %zu of %zu computed shares leak, %zu of %zu kinds to the "
        "federator, %zu do not\n",
        kind, t.n_plans, t.n_claims, t.n_needed, t.n_stations, t.n_confirmed, t.n_federator,
        t.n_safe);
    CHECK(t.n_plans > 30 && t.n_claims > 800 && t.n_stations > 50 && t.n_federator > 20);
    CHECK(t.n_confirmed * 5 > t.n_federator * 3);
    CHECK((t.n_safe > 2) == (kind != SHARED_KEYS));
}

/* What is claimed for a plan, as "1-3 | 4 (1 2): federator". */
static void claims(const char *text, const char *expected)
{
    struct text words = { 0 };
    struct subject s;

    CHECK(subject_new(&s, text));
    for (size_t i = 0; i < s.u.proved.n; i++)
        text_printf(&words, "%u-%u ", s.u.proved.ranges[i].first, s.u.proved.ranges[i].last);
    for (size_t i = 0; i < s.u.n_kinds; i++) {
        const struct unlimited_kind *k = &s.u.kinds[i];
        const struct rangeset *sets[] = { &k->clients, &k->computed, &k->key_computed,
                                          &k->couriers };

        text_printf(&words, "|");
        for (size_t j = 0; j < 4; j++) {
            text_printf(&words, j ? "/" : "");
            for (size_t r = 0; r < sets[j]->n; r++)
                text_printf(&words, "%s%u-%u", r ? "," : "", sets[j]->ranges[r].first,
                            sets[j]->ranges[r].last);
        }
        text_printf(&words, k->federator ? " federator" : "");
    }
    CHECK_STR(text_ok(&words) && words.bytes ? words.bytes : "", expected);
    text_free(&words);
    subject_free(&s);
}

#define SIX                                                                                        \
    "stations 5\nclient 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\n"                     \
    "client 5 via 1 2 4 5\nclient 6 via 1 2 5\n"

/* By hand: the shares of the z stations that are not reached, then the last ones, are seeds. */
static void claims_by_hand(void)
{
    /* client 7 shares over 2 and two others, 1 and 5, which most clients reach */
    claims("collude full clients=1 stations=2\nfallback computational\n" SIX "client 7 via 2\n",
           "1-6 |7-7/2-2//2-2");
    claims("collude full clients=1 stations=2\nprivacy computational\n" SIX,
           "|1-2,5-5/1-2// federator|3-3/1-3// federator|4-4/2-3// federator|6-6/1-1// federator");
    /* too few clients without seeds: two may collude, and the others count as colluding */
    claims("collude full clients=1 stations=1\nstations 3\nclient 1 2 via 1 2\n"
           "client 3 4 via 2 3 computational\n",
           "|1-2/// federator|3-4/2-2//");
    /* one class, so no masks: the same seeds, and different ones */
    claims("collude partial stations=1\nstations 2\nclient 1 2 via 1 2\n"
           "client 3 4 via 1 2 computational\n",
           "1-2 |3-4/1-1//");
    claims("collude partial stations=1\nstations 2\nfallback computational\nclient 1 2 via 1 2\n"
           "client 3 via 1\nclient 4 via 2\n",
           "1-2 |3-3/1-1//1-1 federator|4-4/2-2//2-2 federator");
    claims("protocol keys\ncollude partial stations=1\nstations 3\nclient 1 2 via 1 2\n"
           "client 3 via 2 3 computational\n",
           "1-2 |3-3/2-2// federator");
}

int main(void)
{
    claims_by_hand();
    for (enum kind kind = 0; kind < N_KINDS; kind++)
        agrees_on_random_plans(kind);
    return check_end();
}
