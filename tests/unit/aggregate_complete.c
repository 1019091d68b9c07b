#include "aggregate/aggregate_complete.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"

/* Two groups of vectors and two of keys, with clients in each combination. */
static const char text[] = "collude full clients=1 stations=1\nstations 4\n"
                           "client 1 2 via 1-4 shares 1 2 keys 1 2\n"
                           "client 3 4 via 1-4 shares 1 2 keys 3 4\n"
                           "client 5 via 1-4 shares 3 4 keys 1 2\n"
                           "client 6 via 1-4 shares 3 4 keys 3 4\n";

static struct plan plan;

/* A sum that arrived: of this secret, over stations first and first + 1, with these clients. */
struct sum {
    enum header_secret secret;
    uint32_t first;
    const char *clients; /* one digit per client */
};

static int checks(struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    struct protocol_presence presence = { .clients = o->clients };
    struct protocol *round = o->plan ? protocol_open(o->plan, &presence, err) : NULL;
    int status = o->plan && !round ? -1 : aggregate_check_complete(a, round, err);

    protocol_free(round);
    return status;
}

static int check(const struct aggregate_options *o, const struct sum *sums, size_t n,
                 struct hagg_err *err)
{
    struct aggregate_sum groups[8] = { 0 };
    struct header_tier tiers[8] = { 0 };
    uint32_t numbers[8][2];
    struct aggregate a = { .options = o, .sums = n > 0 ? groups : NULL };
    int status;

    for (size_t i = 0; i < n; i++) {
        numbers[i][0] = sums[i].first;
        numbers[i][1] = sums[i].first + 1;
        tiers[i] = (struct header_tier){ "station", numbers[i], 2 };
        groups[i].header.kind = HEADER_SHARE;
        groups[i].header.secret = sums[i].secret;
        groups[i].header.route = &tiers[i];
        groups[i].header.n_route = 1;
        groups[i].next = i + 1 < n ? &groups[i + 1] : NULL;
        for (const char *c = sums[i].clients; *c; c++) {
            struct header_range range = { (uint32_t)(*c - '0'), (uint32_t)(*c - '0') };
            uint32_t client;
            size_t earlier;

            CHECK(contributors_add(&groups[i].clients, range, 0, &client, &earlier, err) == 1);
        }
    }
    status = checks(&a, err);
    for (size_t i = 0; i < n; i++)
        contributors_free(&groups[i].clients);
    return status;
}

static void accepts(const struct aggregate_options *o, const struct sum *sums, size_t n)
{
    struct hagg_err err = { 0 };

    CHECK(check(o, sums, n, &err) == 0);
    CHECK_STR(err.text, "");
}

static void misses(const struct aggregate_options *o, const struct sum *sums, size_t n,
                   const char *whose)
{
    struct hagg_err err = { 0 };
    char want[300];

    snprintf(
        want, sizeof want,
        "the share of the %s is missing: if no sum of this round was sent yet, agree on the "
        "remaining clients with hagg-roster and use --roster at every station, otherwise start a "
        "new round with new vectors",
        whose);
    CHECK(check(o, sums, n, &err) == -1 && err.status == HAGG_E_TOO_FEW);
    CHECK_STR(err.text, want);
}

/* The sums of station 1, of all clients. */
static const struct sum all[] = { { HEADER_PADDED, 1, "1234" }, { HEADER_KEY, 1, "125" } };

static void wants_everybody(void)
{
    const struct aggregate_options anybody = { .plan = &plan },
                                   first = { .plan = &plan, .station = 1 };
    const struct sum lacks_vector[] = { { HEADER_PADDED, 1, "124" }, all[1] };
    const struct sum lacks_key[] = { all[0], { HEADER_KEY, 1, "12" } };

    accepts(&anybody, all, 2);
    accepts(&first, all, 2);
    misses(&anybody, lacks_vector, 2, "vector of client 3");
    misses(&first, lacks_vector, 2, "vector of client 3");
    misses(&anybody, lacks_key, 2, "key of client 5");
    misses(&first, lacks_key, 2, "key of client 5");
    /* without a station number some sums may be missing, but each must be complete */
    accepts(&anybody, all, 1);
    accepts(&anybody, all + 1, 1);
    misses(&first, all, 1, "key of client 1");
    misses(&first, all + 1, 1, "vector of client 1");
}

/* The shares of two stations are two sums of a group. */
static void wants_every_sum_whole(void)
{
    const struct aggregate_options anybody = { .plan = &plan };
    const struct sum twice[] = { all[0], { HEADER_PADDED, 1, "123" } };

    misses(&anybody, twice, 2, "vector of client 4");
}

static void wants_what_was_asked_for(void)
{
    const struct aggregate_options shares = { .plan = &plan,
                                              .station = 1,
                                              .only = AGGREGATE_SHARES };
    const struct aggregate_options keys = { .plan = &plan, .station = 1, .only = AGGREGATE_KEYS };

    accepts(&shares, all, 1);
    misses(&shares, all + 1, 1, "vector of client 1");
    accepts(&keys, all + 1, 1);
    misses(&keys, all, 1, "key of client 1");
}

static void wants_the_survivors_only(void)
{
    struct rangeset some = { 0 }, few = { 0 }, leaky = { 0 };
    struct aggregate_options o = { .plan = &plan, .station = 1, .clients = &some };
    const struct sum rest[] = { { HEADER_PADDED, 1, "134" }, { HEADER_KEY, 1, "15" } };
    const struct sum fewer[] = { { HEADER_PADDED, 1, "13" }, { HEADER_KEY, 1, "15" } };
    struct hagg_err err = { 0 };

    CHECK(rangeset_add(&some, 1, 1, &err) == 0 && rangeset_add(&some, 3, 6, &err) == 0);
    accepts(&o, rest, 2);
    misses(&o, fewer, 2, "vector of client 4");
    /* clients that are not in the plan do not count */
    CHECK(rangeset_add(&few, 1, 2, &err) == 0 && rangeset_add(&few, 50, 99, &err) == 0);
    o.clients = &few;
    CHECK(check(&o, rest, 2, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text, "a total of 2 clients would reveal too much: at least 3 are needed");
    o.unsafe_plan = true;
    CHECK(check(&o, rest, 2, &err) == -1 && err.status == HAGG_E_PRIVACY);
    o.unsafe_plan = false;
    /* clients 1 and 2 are connected with client 6 only through 3 and 4: one of these is not
     * enough */
    CHECK(rangeset_add(&leaky, 1, 3, &err) == 0 && rangeset_add(&leaky, 6, 6, &err) == 0);
    o.clients = &leaky;
    err = (struct hagg_err){ 0 };
    CHECK(check(&o, (const struct sum[]){ { HEADER_PADDED, 1, "123" }, { HEADER_KEY, 1, "12" } }, 2,
                &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "the federator with client 3 would learn the vector of client 6"));
    o.unsafe_plan = true;
    accepts(&o, (const struct sum[]){ { HEADER_PADDED, 1, "123" }, { HEADER_KEY, 1, "12" } }, 2);
    misses(&o, (const struct sum[]){ { HEADER_PADDED, 1, "12" }, { HEADER_KEY, 1, "12" } }, 2,
           "vector of client 3");
    rangeset_free(&some);
    rangeset_free(&few);
    rangeset_free(&leaky);
}

/* Under partial collusion sums of shares must be complete, too. */
static void wants_the_same_under_partial_collusion(void)
{
    static const char partial[] = "stations 2\nclient 1-4 via 1 2\n";
    const struct aggregate_options none = { 0 };
    struct aggregate_options o = { 0 };
    struct hagg_err err = { 0 };
    struct plan p;

    accepts(&none, all, 1);
    CHECK(plan_load(&p, feed_keys(partial), &err) == 0);
    o.plan = &p;
    o.station = 1;
    accepts(&o, (const struct sum[]){ { HEADER_PADDED, 1, "1234" } }, 1);
    misses(&o, (const struct sum[]){ { HEADER_PADDED, 1, "13" } }, 1, "vector of client 2");
    o.station = 0;
    misses(&o, (const struct sum[]){ { HEADER_PADDED, 1, "124" } }, 1, "vector of client 3");
    o.only = AGGREGATE_KEYS;
    o.station = 1;
    accepts(&o, NULL, 0);
    plan_free(&p);
}

static void fails_cleanly_without_memory(void)
{
    const struct aggregate_options o = { .plan = &plan, .station = 1 };
    struct aggregate a = { .options = &o };

    /* nothing arrived, which is reported once there is enough memory to find out */
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };

        alloc_refuse(at);
        CHECK(checks(&a, &err) == -1);
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_E_TOO_FEW));
        if (!alloc_refused() || !CHECK(at < 10000))
            break;
    }
    alloc_watch();
}

int main(void)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(&plan, feed_keys(text), &err) == 0);
    CHECK_STR(err.text, "");
    wants_everybody();
    wants_every_sum_whole();
    wants_what_was_asked_for();
    wants_the_survivors_only();
    wants_the_same_under_partial_collusion();
    fails_cleanly_without_memory();
    plan_free(&plan);
    return check_end();
}
