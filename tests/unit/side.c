#include "planner/relays/side.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "feed.h"

/* Stations 1 and 2 reach only one relay, the same one. */
#define NARROW                                                                                     \
    "collude partial stations=1 relays=1\nstations 4\nrelays 3\nstation 1 2 via 1\n"               \
    "station 3 via 2\nstation 4 via 3\n"

struct chosen {
    struct plan plan;
    struct instance in;
    struct effort effort;
    struct side side;
};

/* Patterns have one bit per station. */
static void choose(struct chosen *c, const char *topology, const uint64_t *patterns, size_t n,
                   const uint32_t *of)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load_to_choose(&c->plan, feed_keys(topology), &err) == 0);
    CHECK(instance_new(&c->in, &c->plan, &err) == 0);
    effort_start(&c->effort, EFFORT_DEFAULT, 0, 0, NULL);
    CHECK(side_new(&c->side, &c->in, patterns, n, of, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(c->side.n_patterns == n && c->side.relayed == NULL);
}

static void free_chosen(struct chosen *c)
{
    side_free(&c->side);
    instance_free(&c->in);
    plan_free(&c->plan);
}

/* Checks that the client's stations, in this order, send to these relays. */
static void has_route(const struct chosen *c, uint32_t client, const uint32_t *stations,
                      const uint32_t *relays, size_t n)
{
    const struct relayed *r = &c->side.relayed[c->side.of[client]];

    if (CHECK(r->stations.n == n && r->relays.n == n)) {
        CHECK(memcmp(r->stations.numbers, stations, n * sizeof *stations) == 0);
        CHECK(memcmp(r->relays.numbers, relays, n * sizeof *relays) == 0);
    }
}

static void matches_patterns(void)
{
    struct hagg_err err = { 0 };
    struct chosen c;

    choose(&c, NARROW "client 1-3 via 1-4\n", (const uint64_t[]){ 13, 14 }, 2,
           (const uint32_t[]){ 0, 1, 0 });
    CHECK(side_relay(&c.side, &c.plan, &c.in, &c.effort, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(c.side.n_patterns == 2 && c.side.of[0] == c.side.of[2]);
    has_route(&c, 0, (const uint32_t[]){ 1, 3, 4 }, (const uint32_t[]){ 1, 2, 3 }, 3);
    has_route(&c, 1, (const uint32_t[]){ 2, 3, 4 }, (const uint32_t[]){ 1, 2, 3 }, 3);
    free_chosen(&c);
}

/* A pattern with too few relays is replaced by the whole reach of each reach class that uses it. */
static void replaces_unmatched_patterns(void)
{
    struct hagg_err err = { 0 };
    struct chosen c;

    choose(&c, NARROW "client 1 via 1-3\nclient 2 via 1 2 4\nclient 3 via 3 4\n",
           (const uint64_t[]){ 3, 12 }, 2, (const uint32_t[]){ 0, 0, 1 });
    CHECK(side_relay(&c.side, &c.plan, &c.in, &c.effort, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(c.side.n_patterns == 3);
    CHECK(c.side.of[0] != c.side.of[1] && c.side.of[1] != c.side.of[2]);
    CHECK(c.side.patterns[c.side.of[0]] == 7 && c.side.patterns[c.side.of[1]] == 11);
    CHECK(c.side.patterns[c.side.of[2]] == 12);
    CHECK(c.side.relayed[c.side.of[0]].relays.n == 2);
    CHECK(c.side.relayed[c.side.of[0]].relays.numbers[0] == 1 &&
          c.side.relayed[c.side.of[0]].relays.numbers[1] == 2);
    CHECK(c.side.relayed[c.side.of[0]].stations.numbers[1] == 3);
    CHECK(c.side.relayed[c.side.of[1]].stations.numbers[1] == 4);
    has_route(&c, 2, (const uint32_t[]){ 3, 4 }, (const uint32_t[]){ 2, 3 }, 2);
    free_chosen(&c);
}

static void names_client_with_too_few_relays(void)
{
    struct hagg_err err = { 0 };
    struct chosen c;
    char want[300];

    choose(&c, NARROW "client 5 via 1-4\nclient 8 via 1 2\n", (const uint64_t[]){ 15, 3 }, 2,
           (const uint32_t[]){ 0, 1 });
    CHECK(side_relay(&c.side, &c.plan, &c.in, &c.effort, &err) == -1);
    CHECK(err.status == HAGG_E_PRIVACY);
    snprintf(want, sizeof want,
             "%s: only 1 of the stations of client 8 can send to different relays, and 2 must: its "
             "stations 1 2 reach only 1 relay in all: add links, or let fewer nodes collude or be "
             "missing",
             c.plan.name);
    CHECK_STR(err.text, want);
    free_chosen(&c);
}

int main(void)
{
    matches_patterns();
    replaces_unmatched_patterns();
    names_client_with_too_few_relays();
    return check_end();
}
