#include "planner/planner.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "check.h"
#include "planner/keys.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

/* Returns 0 and the result, which is for the caller to free, or the status of the error. */
static int choose(const char *topology, const struct planner_options *options, struct plan *p,
                  struct planner_result *result)
{
    struct text text = { .bytes = strdup(topology), .len = strlen(topology) };
    struct hagg_err err = { 0 };
    struct effort effort;
    int status;

    effort_start(&effort, 1, 0, 0, NULL);
    status = planner_choose(p, "t", &text, options, &effort, result, &err);
    free(text.bytes);
    return status ? err.status : 0;
}

static void is_fraction(const mpq_t q, const char *want)
{
    char *digits = mpq_get_str(NULL, 10, q);

    CHECK_STR(digits, want);
    free(digits);
}

static void chooses(const char *topology, struct planner_options options, const char *name,
                    const char *cost)
{
    struct planner_result result;
    struct plan p;

    if (!CHECK(choose(topology, &options, &p, &result) == 0))
        return;
    CHECK_STR(result.attempts[result.chosen].name, name);
    is_fraction(result.attempts[result.chosen].cost.total, cost);
    planner_result_free(&result);
    plan_free(&p);
}

/* From docs/theory.md. */
static void known_answers(void)
{
    chooses("collude partial clients=1 stations=2\nprotocol keys\n" SIX,
            (struct planner_options){ 0 }, "keys", "32");
    chooses("collude full clients=1 stations=2\nprotocol keys\n" SIX, (struct planner_options){ 0 },
            "keys", "44");
    chooses("collude full clients=1 stations=2\n" SIX,
            (struct planner_options){ .protocol = PLANNER_KEYS }, "keys", "44");
}

static void bounds(const char *topology, const char *want)
{
    struct text text = { .bytes = strdup(topology), .len = strlen(topology) };
    struct hagg_err err = { 0 };
    struct plan p;
    mpq_t bound, price;

    mpq_inits(bound, price, NULL);
    CHECK(plan_parse_to_choose(&p, TOPOLOGY_KEYS, "t", &text, &err) == 0);
    CHECK(keys_bound(bound, price, &p, &err) == 0);
    is_fraction(bound, want);
    CHECK(mpq_equal(bound, price)); /* every link costs 1 */
    mpq_clears(bound, price, NULL);
    plan_free(&p);
    free(text.bytes);
}

/* Six clients send 38/3 and 6 keys; the federator gets at least 3, and the total of the keys. */
static void known_bounds(void)
{
    bounds("collude partial clients=1 stations=2\n" SIX, "68/3");
    bounds("collude full clients=1 stations=2\n" SIX, "94/3");
    /* 3 clients send 4/2, and relays get and send twice 1 */
    bounds("stations 4\nrelays 2\ndrop stations=1\nstation 1-4 via 1 2\nclient 1-3 via 1-4\n",
           "13");
}

static void random_topology(uint64_t *random, struct text *text)
{
    bool full = splitmix_below(random, 2) == 1, relays = splitmix_below(random, 2) == 1;
    uint32_t n_stations = 4 + splitmix_below(random, 3);

    text_printf(text, "protocol keys\ncollude %s clients=0 stations=1 relays=%u\nstations %u\n",
                full ? "full" : "partial", relays ? 1 : 0, n_stations);
    if (relays)
        text_printf(text, "relays 6\nstation 1-%u via 1-6\n", n_stations);
    for (unsigned client = 1; client <= 5; client++) {
        text_printf(text, "client %u via 1 2 3", client);
        for (uint32_t u = 4; u <= n_stations; u++)
            if (splitmix_below(random, 2))
                text_printf(text, " %u", u);
        text_printf(text, "\n");
    }
}

/* Every plan that is found costs at least the bound. */
static void bound_is_below_all_plans(void)
{
    struct planner_options options = { 0 };
    uint64_t random = 7;
    size_t n_found = 0;

    for (unsigned i = 0; i < 60; i++) {
        struct text text = { 0 };
        struct planner_result result;
        struct hagg_err err = { 0 };
        struct plan p;
        mpq_t bound, price;

        random_topology(&random, &text);
        mpq_inits(bound, price, NULL);
        if (choose(text.bytes, &options, &p, &result) == 0) {
            CHECK(keys_bound(bound, price, &p, &err) == 0);
            for (size_t k = 0; k < result.n_attempts; k++)
                if (result.attempts[k].outcome == PLANNER_FOUND) {
                    CHECK(mpq_cmp(bound, result.attempts[k].cost.total) <= 0);
                    n_found++;
                }
            planner_result_free(&result);
            plan_free(&p);
        }
        mpq_clears(bound, price, NULL);
        text_free(&text);
    }
    CHECK(n_found > 60);
}

/* Of both ways to use relays the cheaper one. */
static void transforms_if_cheaper(void)
{
    static const char *const links = "stations 5\nrelays 5\nstation 1-5 via 1-5\n";
    struct planner_options options = { .protocol = PLANNER_KEYS };
    struct text text = { 0 };
    struct planner_result result;
    struct plan p;

    text_printf(&text, "collude full clients=1 stations=1\n%sclient 1-9 via 1-5\n", links);
    for (int i = 0; i < 3; i++) {
        options.transform = (enum planner_transform)i;
        if (!CHECK(choose(text.bytes, &options, &p, &result) == 0))
            continue;
        CHECK(result.n_attempts == (i == PLANNER_TRANSFORM_AUTO ? 2 : 1));
        if (result.n_attempts == 2)
            CHECK(plan_cost_compare(&result.attempts[result.chosen].cost,
                                    &result.attempts[1 - result.chosen].cost) < 0);
        planner_result_free(&result);
        plan_free(&p);
    }
    text_free(&text);
}

static void fails(const char *topology, struct planner_options options, int status)
{
    struct planner_result result;
    struct plan p;

    CHECK(choose(topology, &options, &p, &result) == status);
}

static void refuses(void)
{
    struct planner_options any = { 0 };

    fails("stations 2\n", any, HAGG_E_MALFORMED);
    fails("collude full clients=3 stations=2\nprotocol keys\n" SIX, any, HAGG_E_PRIVACY);
    fails("collude partial stations=3\n" SIX, any, HAGG_E_MALFORMED);
}

int main(void)
{
    known_answers();
    known_bounds();
    bound_is_below_all_plans();
    transforms_if_cheaper();
    refuses();
    return check_end();
}
