#include "plan_cost.h"

#include <string.h>

#include "check.h"
#include "feed.h"
#include "fraction.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

static void costs(const char *topology, bool whole, const char *to_stations,
                  const char *among_stations, const char *to_federator, const char *total,
                  const char *bound, size_t n_patterns)
{
    const char *want[] = { to_stations, among_stations, to_federator, total, bound };
    struct hagg_err err = { 0 };
    struct plan_cost cost;
    struct plan p;

    CHECK(plan_load(&p, feed_file(topology, strlen(topology)), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(plan_cost_new(&cost, &p, whole, &err) == 0);
    mpq_srcptr got[] = { cost.links[LINK_CLIENT_STATION], cost.links[LINK_STATION_STATION],
                         cost.links[LINK_STATION_FEDERATOR], cost.total, cost.bound };
    for (size_t i = 0; i < 5; i++) {
        struct text text = { 0 };

        gmp_asprintf(&text.bytes, "%Qd", got[i]);
        CHECK_STR(text.bytes, want[i]);
        text_free(&text);
    }
    CHECK(cost.n_patterns == n_patterns);
    plan_cost_free(&cost);
    plan_free(&p);
}

/* docs/theory.md has these. */
static void known_answers(void)
{
    costs("collude partial clients=1 stations=2\n" SIX, false, "56/3", "4", "35/3", "103/3", "47/3",
          5);
    /* the paper's sets under full collusion */
    costs("collude full clients=1 stations=2\nstations 5\n"
          "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5\n"
          "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5\n"
          "client 3 via 1-5 shares 2 3 4 5 keys 1 2 3 5\n"
          "client 4 via 2-5 shares 2 3 4 5 keys 2 4 5\n"
          "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\n"
          "client 6 via 1 2 5 shares 1 2 5 keys 1 2 5\n",
          false, "32", "0", "16", "48", "47/3", 6);
    /* the best subsets under partial collusion */
    costs("collude partial clients=1 stations=2\nstations 5\n"
          "client 1 2 via 1 2 3 5 shares 1 2 5\nclient 3 via 1-5 shares 2-5\n"
          "client 4 via 2-5 shares 2-5\nclient 5 via 1 2 4 5 shares 1 2 5\nclient 6 via 1 2 5\n",
          false, "22", "4", "6", "32", "47/3", 2);
}

/* With all that clients reach, whatever was chosen; and twice of it under full collusion. */
static void whole_reach(void)
{
    costs("collude partial clients=1 stations=2\nstations 5\n"
          "client 1 2 via 1 2 3 5 shares 1 2 5\nclient 3 via 1-5 shares 2-5\n"
          "client 4 via 2-5 shares 2-5\nclient 5 via 1 2 4 5 shares 1 2 5\nclient 6 via 1 2 5\n",
          true, "56/3", "4", "35/3", "103/3", "47/3", 5);
    costs("collude full clients=1 stations=2\n" SIX, true, "76/3", "0", "64/3", "140/3", "47/3",
          10);
}

/* Spare stations make shares longer; so does a scheme that is not a ramp. The bound is of
 * information and knows neither. */
static void other_forms(void)
{
    costs("collude partial stations=1\ndrop stations=1\nstations 4\nclient 1-3 via 1-4\n", false,
          "9", "3", "3", "15", "16/3", 1);
    costs("collude partial stations=1\nscheme additive\nstations 3\nclient 1 2 via 1-3\n", false,
          "8", "2", "4", "14", "9/2", 1);
}

int main(void)
{
    known_answers();
    whole_reach();
    other_forms();
    return check_end();
}
