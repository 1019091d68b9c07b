#include "plan/plan_patterns.h"

#include "alloc.h"
#include "check.h"
#include "feed.h"

static const char text[] = "collude full stations=1\nstations 5\n"
                           "client 1   via 1-5  shares 1-3  keys 4 5\n"
                           "client 2 7 via 1-5  shares 4 5  keys 4 5\n"
                           "client 3   via 1-5  shares 3 2 1  keys 1-3\n"
                           "client 4   via 1-3  shares 1-3\n"
                           "client 5   via 2-5\n";

static void load(struct plan *p)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_keys(text), &err) == 0);
    CHECK_STR(err.text, "");
}

static uint32_t pattern_of(const struct plan *p, const struct plan_patterns *patterns,
                           uint32_t client)
{
    return patterns->of_group[topology_client(&p->topology, client)->group];
}

/* Returns the pattern with these stations and no relays. */
static size_t find(const struct plan_patterns *patterns, const uint32_t *stations, size_t n)
{
    uint32_t numbers[5];
    struct header_tier tier = { "station", numbers, n };

    memcpy(numbers, stations, n * sizeof *stations);
    return plan_patterns_find(patterns, &(struct header){ .route = &tier, .n_route = 1 });
}

/* Checks that the pattern of the client is the one found for these stations. */
static void has(const struct plan *p, const struct plan_patterns *patterns, uint32_t client,
                const uint32_t *stations, size_t n)
{
    uint32_t at = pattern_of(p, patterns, client);

    CHECK(find(patterns, stations, n) == at);
    if (CHECK(at < patterns->n) && CHECK(patterns->routes[at].lists[0]->n == n))
        CHECK(memcmp(patterns->routes[at].lists[0]->numbers, stations, n * sizeof *stations) == 0);
}

/* Stations in another order are another pattern, whose shares cannot be added to these. */
static void tells_lists_apart(void)
{
    struct plan_patterns patterns;
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 0, &err) == 0);
    CHECK(patterns.n == 4);
    has(&p, &patterns, 1, (const uint32_t[]){ 1, 2, 3 }, 3);
    has(&p, &patterns, 2, (const uint32_t[]){ 4, 5 }, 2);
    has(&p, &patterns, 7, (const uint32_t[]){ 4, 5 }, 2);
    has(&p, &patterns, 3, (const uint32_t[]){ 3, 2, 1 }, 3);
    has(&p, &patterns, 4, (const uint32_t[]){ 1, 2, 3 }, 3);
    has(&p, &patterns, 5, (const uint32_t[]){ 2, 3, 4, 5 }, 4);
    CHECK(pattern_of(&p, &patterns, 1) == pattern_of(&p, &patterns, 4));
    CHECK(pattern_of(&p, &patterns, 1) != pattern_of(&p, &patterns, 3));
    plan_patterns_free(&patterns);

    CHECK(plan_patterns_new(&patterns, &p, PLAN_KEYS, 0, &err) == 0);
    CHECK(patterns.n == 3);
    has(&p, &patterns, 1, (const uint32_t[]){ 4, 5 }, 2);
    has(&p, &patterns, 7, (const uint32_t[]){ 4, 5 }, 2);
    has(&p, &patterns, 3, (const uint32_t[]){ 1, 2, 3 }, 3);
    has(&p, &patterns, 4, (const uint32_t[]){ 1, 2, 3 }, 3);
    has(&p, &patterns, 5, (const uint32_t[]){ 2, 3, 4, 5 }, 4);
    plan_patterns_free(&patterns);

    CHECK(plan_patterns_new(&patterns, &p, PLAN_REACHES, 0, &err) == 0);
    CHECK(patterns.n == 3);
    has(&p, &patterns, 1, (const uint32_t[]){ 1, 2, 3, 4, 5 }, 5);
    has(&p, &patterns, 3, (const uint32_t[]){ 1, 2, 3, 4, 5 }, 5);
    has(&p, &patterns, 4, (const uint32_t[]){ 1, 2, 3 }, 3);
    has(&p, &patterns, 5, (const uint32_t[]){ 2, 3, 4, 5 }, 4);
    plan_patterns_free(&patterns);
    CHECK(patterns.routes == NULL && patterns.of_group == NULL && patterns.n == 0);
    plan_patterns_free(&patterns);
    plan_free(&p);
}

static void does_not_find_others(void)
{
    struct plan_patterns patterns;
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 0, &err) == 0);
    CHECK(find(&patterns, (const uint32_t[]){ 5, 4 }, 2) == patterns.n);
    CHECK(find(&patterns, (const uint32_t[]){ 1, 2 }, 2) == patterns.n);
    CHECK(find(&patterns, (const uint32_t[]){ 1, 3, 2 }, 3) == patterns.n);
    CHECK(find(&patterns, (const uint32_t[]){ 4 }, 1) == patterns.n);
    CHECK(find(&patterns, (const uint32_t[]){ 1, 2, 3, 4, 5 }, 5) == patterns.n);
    CHECK(plan_patterns_find(&patterns, &(struct header){ 0 }) == patterns.n);
    plan_patterns_free(&patterns);
    plan_free(&p);
}

/* Returns the pattern of a share with this remaining route, made from a sharing with this many
 * parts. */
static size_t find_route(const struct plan_patterns *patterns, struct header_tier *route, size_t n,
                         uint32_t parts)
{
    struct header h = { .route = route, .n_route = n, .layout = &parts, .n_layout = parts > 0 };

    return plan_patterns_find(patterns, &h);
}

/* Two sets of stations with the same relays are two patterns at the stations and one at the relays;
 * with another order of relays they are two patterns there, too. */
static void merges_at_relays(void)
{
    static const char relayed[] = "collude partial stations=1\nstations 3\nrelays 3\n"
                                  "station 1-3 via 1-3\n"
                                  "client 1 via 1-3 shares 1 2 relays 1 3\n"
                                  "client 2 via 1-3 shares 2 3 relays 1 3\n"
                                  "client 3 via 1-3 shares 2 3 relays 3 1\n";
    uint32_t stations[] = { 2, 3 }, relays[] = { 1, 3 };
    struct header_tier route[] = { { "station", stations, 2 }, { "relay", relays, 2 } };
    struct plan_patterns patterns;
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, feed_keys(relayed), &err) == 0);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 0, &err) == 0);
    CHECK(patterns.n == 3 && patterns.routes[0].n == 2);
    CHECK(find_route(&patterns, route, 2, 0) == pattern_of(&p, &patterns, 2));
    CHECK(find_route(&patterns, route + 1, 1, 0) == patterns.n);
    plan_patterns_free(&patterns);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 1, &err) == 0);
    CHECK(patterns.n == 2 && patterns.routes[0].n == 1);
    CHECK(pattern_of(&p, &patterns, 1) == pattern_of(&p, &patterns, 2));
    CHECK(find_route(&patterns, route + 1, 1, 0) == pattern_of(&p, &patterns, 1));
    CHECK(find_route(&patterns, route, 2, 0) == patterns.n);
    plan_patterns_free(&patterns);
    plan_free(&p);
}

/* With transform, relays add up sharings for the same relays made from the same number of parts,
 * and the route of the stations' sharings ends at the stations. */
static void transforms_at_relays(void)
{
    static const char plan[] = "collude partial stations=1 relays=2\nstations 4\nrelays 4\n"
                               "transform direct\nstation 1-4 via 1-4\n"
                               "client 1 via 1-4 shares 1 2 relays 1-3\n"
                               "client 2 via 1-4 shares 2 3 relays 1-3\n"
                               "client 3 via 1-4 shares 2-4 relays 1-3\n"
                               "client 4 via 1-4 shares 1-3 relays 1-4\n";
    uint32_t stations[] = { 2, 3 }, relays[] = { 1, 2, 3 };
    struct header_tier at_stations = { "station", stations, 2 };
    struct header_tier at_relays = { "relay", relays, 3 };
    struct plan_patterns patterns;
    struct hagg_err err = { 0 };
    struct plan p;

    CHECK(plan_load(&p, feed_keys(plan), &err) == 0);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 0, &err) == 0);
    CHECK(patterns.n == 4 && patterns.routes[0].n == 1);
    CHECK(find_route(&patterns, &at_stations, 1, 0) == pattern_of(&p, &patterns, 2));
    CHECK(patterns.routes[pattern_of(&p, &patterns, 2)].lists[1]->n == 3);
    CHECK(find_route(&patterns, &at_relays, 1, 0) == patterns.n);
    plan_patterns_free(&patterns);
    CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 1, &err) == 0);
    CHECK(patterns.n == 3 && patterns.routes[0].n == 1);
    CHECK(pattern_of(&p, &patterns, 1) == pattern_of(&p, &patterns, 2));
    CHECK(pattern_of(&p, &patterns, 1) != pattern_of(&p, &patterns, 3));
    CHECK(find_route(&patterns, &at_relays, 1, 1) == pattern_of(&p, &patterns, 1));
    CHECK(find_route(&patterns, &at_relays, 1, 2) == pattern_of(&p, &patterns, 3));
    CHECK(find_route(&patterns, &at_relays, 1, 0) == patterns.n);
    plan_patterns_free(&patterns);
    plan_free(&p);
}

static void fails_cleanly_without_memory(void)
{
    struct plan p;

    load(&p);
    for (unsigned long at = 0; at < 2; at++) {
        struct plan_patterns patterns;
        struct hagg_err err = { 0 };

        alloc_refuse(at);
        CHECK(plan_patterns_new(&patterns, &p, PLAN_SHARES, 0, &err) == -1 && alloc_refused());
        CHECK(err.status == HAGG_E_SYSTEM && patterns.routes == NULL && patterns.n == 0);
    }
    alloc_watch();
    plan_free(&p);
}

int main(void)
{
    tells_lists_apart();
    does_not_find_others();
    merges_at_relays();
    transforms_at_relays();
    fails_cleanly_without_memory();
    return check_end();
}
