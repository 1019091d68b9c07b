/* Promises about more stations than learn nothing: the random vectors that they need, and the proof
 * that a plan keeps them. */
#include "audit/promise.h"

#include <string.h>

#include "audit/model_build.h"
#include "base/splitmix.h"
#include "check.h"
#include "feed.h"
#include "plan/plan_aligned.h"
#include "plan/plan_promises.h"
#include "topology/topology_tolerate.h"

#define NETWORK "stations 8\nclient 1-5 via 1-6\nclient 6-9 via 1-8\nclient 10 via 2-5\n"

/* The definition of what shares alone may reveal: a promise is kept with blocks of n - spares - z
 * parts. */
static bool keeps(const struct topology *t, const struct topology_tolerated *p, uint32_t n,
                  uint32_t z, uint32_t segments)
{
    uint32_t parts = n - t->drop_stations - z;
    uint64_t learnt = 0;

    for (uint32_t c = 0; c < segments; c++)
        /* segment number c % parts of a block: each further station learns one more */
        learnt += p->stations > z + c % parts;
    CHECK(learnt == topology_tolerate_learnt(p->stations, parts, z, segments));
    return learnt * p->den <= (uint64_t)p->num * segments;
}

static void counts_randoms(void)
{
    struct topology t = { .aligned = true, .collude_stations = 2 };
    const struct topology_tolerated quarter = { 3, 1, 4 };
    uint32_t n_between = 0;

    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t n = 6 + i % 13, segments = 1 + i % 29, from = 1 + i % 3, z;
        const struct topology_tolerated promise = { 3 + i % 2, i % 7 / 2, 3 + i % 5 };

        t.drop_stations = i % 2;
        z = topology_tolerate_randoms(&t, &promise, n, from, segments);
        CHECK(z >= from && z + t.drop_stations < n && keeps(&t, &promise, n, z, segments));
        CHECK(promise.num > 0 || z >= promise.stations);
        for (uint32_t less = from; less < z; less++)
            CHECK(!keeps(&t, &promise, n, less, segments));
        n_between += z > from && z < promise.stations;
    }
    CHECK(n_between > 0);
    /* 1 / (m - 2) is at most a quarter from six stations on */
    t = (struct topology){ .aligned = true };
    CHECK(topology_tolerate_randoms(&t, &quarter, 5, 2, 0) == 3);
    CHECK(topology_tolerate_randoms(&t, &quarter, 6, 2, 0) == 2);
    CHECK(topology_tolerate_randoms(&t, &quarter, 6, 2, 8) == 2);
    CHECK(topology_tolerate_randoms(&t, &quarter, 6, 2, 9) == 3);
    CHECK(topology_tolerate_randoms(&t, &quarter, 3, 2, 0) == 3); /* too few */
}

/* The definition: of each row of N segments with v parts in a block, the stations learn as many
 * combinations of the elements of a block that are no filling. */
static void counts_filling(void)
{
    uint32_t n_kept = 0, n_broken = 0;

    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t segments = 1 + i % 17, length = 1 + i * 7 % 113, den = 2 + i % 5, parts, more;
        uint32_t row = (length + segments - 1) / segments, learnt = 0;
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        struct plan p;
        bool kept;

        text_printf(
            &text,
            "field m31\ncollude partial stations=1 tolerate 1/%u at %u\nsegments %u\nstations 7\n"
            "client 1-4 via 1-7\n",
            den, 2 + i % 3, segments);
        CHECK(plan_load(&p, feed_file(text.bytes, text.len), &err) == 0);
        CHECK_STR(err.text, "");
        text_free(&text);
        parts = p.aligned->parts[0];
        more = 2 + i % 3 > p.aligned->randoms[0] ? 2 + i % 3 - p.aligned->randoms[0] : 0;
        for (uint32_t at = 0; at < row; at++)
            for (uint32_t first = 0; first < segments; first += parts) {
                uint32_t used = 0;

                for (uint32_t c = first; c < segments && c < first + parts; c++)
                    used += c * row + at < length;
                learnt += used < more ? used : more;
            }
        kept = 100ull * den * learnt <= 101ull * length;
        CHECK(plan_promises_check_length(&p, &p.aligned->classes, p.aligned->randoms, length,
                                         &err) == (kept ? 0 : -1));
        CHECK(kept || err.status == HAGG_E_PRIVACY);
        n_kept += kept && learnt > 0;
        n_broken += !kept;
        plan_free(&p);
    }
    CHECK(n_kept > 100 && n_broken > 100);
}

static int proves(const struct plan *p, size_t at, uint64_t *num, uint64_t *den)
{
    struct hagg_err err = { 0 };
    struct promises promises;
    struct text why = { 0 };
    struct model m;
    int answer;

    CHECK(model_build_sums(&m, p, 0, &err) == 0);
    answer = promise_prove(&promises, &m, &why, &err);
    CHECK_STR(err.text, "");
    CHECK(answer == 1 ? why.len == 0 : why.len > 0);
    CHECK(promises.n == p->topology.n_tolerated && promises.total == p->topology.full);
    CHECK(promises.n > 1 || promises.list[0].kept == (answer == 1));
    *num = promises.list[at].num;
    *den = promises.list[at].den;
    text_free(&why);
    model_free(&m);
    return answer;
}

/* A plan that does not keep its promise is noticed. */
static void proves_promises(const char *collude, bool full)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    uint64_t num, den;
    struct plan p;
    size_t class;

    text_printf(&text, "%s\nsegments 12\n" NETWORK, collude);
    CHECK(plan_load(&p, feed_file(text.bytes, text.len), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(proves(&p, 0, &num, &den) == 1 && num == 1 && den == 4);
    class = p.aligned->classes.of_group[2];
    p.topology.tolerated[0].den = 5; /* a smaller promise */
    CHECK(proves(&p, 0, &num, &den) == 0 && num == 1 && den == 4);
    p.topology.tolerated[0].den = 4;
    p.aligned->randoms[class]--; /* client 10 would have two parts */
    p.aligned->parts[class]++;
    /* a half, and a quarter of all others is known and can be subtracted from the total */
    CHECK(proves(&p, 0, &num, &den) == 0 && num == (full ? 3 : 1) && den == (full ? 4 : 2));
    p.aligned->randoms[class]++;
    p.aligned->parts[class]--;
    p.aligned->chunks++; /* masks for two colluders only */
    CHECK(proves(&p, 0, &num, &den) == !full);
    p.aligned->chunks--;
    CHECK(proves(&p, 0, &num, &den) == 1);
    plan_free(&p);
    text_free(&text);
}

/* The random vectors of a plan by class, in order. */
static void randoms_are(const char *text, const char *want, uint64_t num, uint64_t den)
{
    struct hagg_err err = { 0 };
    struct text got = { 0 };
    uint64_t n, d;
    struct plan p;

    CHECK(plan_load(&p, feed_file(text, strlen(text)), &err) == 0);
    CHECK_STR(err.text, "");
    for (size_t g = 0; g < p.topology.n_groups; g++)
        text_printf(&got, "%s%u", g > 0 ? " " : "",
                    p.aligned->randoms[p.aligned->classes.of_group[g]]);
    CHECK_STR(got.bytes, want);
    CHECK(proves(&p, 0, &n, &d) == 1 && n == num && d == den);
    text_free(&got);
    plan_free(&p);
}

/* By hand: what the total adds. Five clients with 6 stations, four with 8, and one with 5. */
static void counts_the_total(void)
{
#define TEN     "segments 60\nstations 8\nclient 1-5 via 1-6\nclient 6-9 via 1-8\nclient 10 via 2-6\n"
#define QUARTER "collude full clients=1 stations=2 tolerate 1/4 at 3\n"
    /* in a total of one client of each, half of it would be learnt: so only the first reveal it */
    randoms_are(QUARTER TEN, "2 3 3", 1, 4);
    /* six honest clients can be one of the second kind and all of the first, */
    randoms_are(QUARTER "minimum 7\n" TEN, "2 3 3", 1, 4);
    randoms_are(QUARTER "drop clients=3\n" TEN, "2 3 3", 1, 4);
    /* but not seven */
    randoms_are(QUARTER "minimum 8\n" TEN, "2 2 3", 1, 4);
    randoms_are(QUARTER "drop clients=2\n" TEN, "2 2 3", 1, 4);
    randoms_are("collude full clients=2 stations=2 tolerate 1/4 at 3\nminimum 8\n" TEN, "2 3 3", 1,
                4);
    /* stations do not know the total */
    randoms_are("collude partial clients=1 stations=2 tolerate 1/4 at 3\n" TEN, "2 2 3", 1, 4);
    /* a quarter and a sixth, and a third of client 10 is more than half of the promise */
    randoms_are("collude full clients=1 stations=2 tolerate 1/2 at 3\n" TEN, "2 2 3", 5, 12);
    /* a third and a quarter */
    randoms_are("collude full clients=1 stations=2 tolerate 7/12 at 3\n" TEN, "2 2 2", 7, 12);
    /* a third is learnt of all: the total adds nothing */
    randoms_are("collude full stations=2 tolerate 1/3 at 3\nstations 8\nclient 1-2 via 1-5\n", "2",
                1, 3);
    /* the second promise would do with a half of client 10, if the total were not known */
    randoms_are("collude full clients=1 stations=2 tolerate 1/4 at 3 1/2 at 4\nminimum 8\n" TEN,
                "2 2 4", 1, 4);
    randoms_are("collude partial clients=1 stations=2 tolerate 1/4 at 3 1/2 at 4\n" TEN, "2 2 3", 1,
                4);
}

/* At most this much is learnt of a client in some total, in segments: of each set of clients that
 * can be the honest ones in it. */
static uint64_t search_totals(const struct plan *p)
{
    const struct topology *t = &p->topology;
    uint32_t learnt[8], class[8], n = (uint32_t)t->n_clients, most = 0;
    uint32_t least =
        t->drop_clients > 0 && n - t->drop_clients > t->minimum ? n - t->drop_clients : t->minimum;

    for (uint32_t i = 0; i < n; i++) {
        class[i] = p->aligned->classes.of_group[t->clients[i].group];
        learnt[i] = 0;
        for (uint32_t c = 0; c < t->segments; c++)
            learnt[i] += t->tolerated[0].stations >
                         p->aligned->randoms[class[i]] + c % p->aligned->parts[class[i]];
    }
    for (uint32_t set = 1; set < 1u << n; set++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t added = UINT32_MAX;

            if ((uint32_t)__builtin_popcount(set) + t->collude_clients < least || !(set >> i & 1))
                continue;
            for (uint32_t k = 0; k < n; k++)
                if (k != i && set >> k & 1)
                    added = class[k] == class[i] ? 0 : learnt[k] < added ? learnt[k] : added;
            most = learnt[i] + added > most ? learnt[i] + added : most;
        }
    return most < t->segments ? most : t->segments;
}

static uint32_t below(uint64_t *random, uint32_t n)
{
    return (uint32_t)(splitmix_next(random) % n);
}

static void put_random(struct text *text, uint64_t *random)
{
    uint32_t n = 3 + below(random, 6), clients = below(random, 2), at = 2 + below(random, 3);
    uint32_t minimum = clients + 2 + below(random, n - clients - 1), den = 2 + below(random, 7);

    text_printf(text, "collude full clients=%u stations=1 tolerate %u/%u at %u\nminimum %u\n",
                clients, 1 + below(random, den - 1), den, at, minimum);
    if (minimum < n)
        text_printf(text, "drop clients=%u\n", below(random, n - minimum + 1));
    text_printf(text, "segments %u\nstations 9\n", 1 + below(random, 12));
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t first = 1 + below(random, 2);

        text_printf(text, "client %u via %u-%u\n", i, first,
                    first + at + below(random, 9 - at - first));
    }
}

/* Plans keep their promises with all totals, and the audit finds how much is learnt. With shares
 * that keep the promise only by themselves, some do not, and the audit notices. */
static void searches_totals(void)
{
    uint64_t random = 5, num, den;
    uint32_t n_added = 0, n_broken = 0, n_same = 0;

    for (int i = 0; i < 500; i++) {
        struct hagg_err err = { 0 };
        struct text text = { 0 };
        struct topology_tolerated *t;
        bool kept, same = true;
        struct plan p;

        put_random(&text, &random);
        CHECK(plan_load(&p, feed_file(text.bytes, text.len), &err) == 0);
        CHECK_STR(err.text, "");
        t = p.topology.tolerated;
        CHECK(proves(&p, 0, &num, &den) == 1);
        CHECK(num * p.topology.segments == search_totals(&p) * den && num * t->den <= t->num * den);
        for (size_t c = 0; c < p.aligned->classes.n; c++) {
            uint32_t n = p.aligned->parts[c] + p.aligned->randoms[c];
            uint32_t z = topology_tolerate_randoms(&p.topology, t, n, 1, p.topology.segments);

            same = same && z == p.aligned->randoms[c];
            p.aligned->randoms[c] = z;
            p.aligned->parts[c] = n - z;
        }
        kept = proves(&p, 0, &num, &den) == 1;
        CHECK(num * p.topology.segments == search_totals(&p) * den);
        CHECK(kept == (num * t->den <= t->num * den) && (kept || !same));
        n_broken += !kept;
        n_same += same && num > 0 && p.aligned->classes.n > 1;
        n_added += !kept && num < den;
        plan_free(&p);
        text_free(&text);
    }
    CHECK(n_broken > 50 && n_added > 10 && n_same > 50);
}

/* One coalition learns 5/12 of the vector of client 6 with the total, and 1/6 without. */
static void compares_one(bool federator, uint32_t den, bool kept)
{
    const char *text = "collude full clients=1 stations=2 tolerate 1/2 at 3\nsegments 12\n"
                       "stations 8\nclient 1-5 via 1-6\nclient 6 via 1-8\n";
    struct audit_result r = { 0 };
    struct hagg_err err = { 0 };
    struct promises promises;
    struct coalition who;
    struct model m;
    uint64_t most_num, most_den;
    struct plan p;

    CHECK(plan_load(&p, feed_file(text, strlen(text)), &err) == 0);
    CHECK_STR(err.text, "");
    /* shares that keep this promise by themselves only */
    p.topology.tolerated[0].den = den;
    CHECK(proves(&p, 0, &most_num, &most_den) == (den < 3) && most_num == 5 && most_den == 12);
    CHECK(model_build_sums(&m, &p, 0, &err) == 0 && coalition_new(&who, &m, &err) == 0);
    for (uint32_t i = 1; i <= 3; i++)
        who.nodes[model_station(i)] = true;
    who.nodes[MODEL_FEDERATOR] = federator;
    CHECK(audit_one(&r, &m, &who, &err) == 0);
    promise_compare(&promises, &r, &m);
    r.promises = &promises;
    CHECK(promises.n == 1 && promises.list[0].kept == kept && promise_tolerates(&r) == kept);
    CHECK(promises.list[0].num == (federator ? 5 : 1));
    CHECK(promises.list[0].den == (federator ? 12 : 4));
    audit_result_free(&r);
    coalition_free(&who);
    model_free(&m);
    plan_free(&p);
}

int main(void)
{
    counts_randoms();
    counts_filling();
    counts_the_total();
    searches_totals();
    compares_one(true, 2, true);
    compares_one(true, 4, false);
    compares_one(false, 4, true);
    proves_promises("collude full stations=2 tolerate 1/4 at 3", true);
    proves_promises("collude partial stations=2 tolerate 1/4 at 3", false);
    return check_end();
}
