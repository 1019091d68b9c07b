#include "cost/count/plan_cost.h"

#include <string.h>

#include "check.h"
#include "feed.h"
#include "cost/count/fraction.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

static void is_fraction(mpq_srcptr got, const char *want)
{
    struct text text = { 0 };

    gmp_asprintf(&text.bytes, "%Qd", got);
    CHECK_STR(text.bytes, want);
    text_free(&text);
}

static void costs(const char *topology, bool whole, const char *to_stations,
                  const char *among_stations, const char *to_federator, const char *total,
                  const char *bound, size_t n_patterns)
{
    const char *want[] = { to_stations, among_stations, to_federator, total, bound };
    struct hagg_err err = { 0 };
    struct plan_cost cost;
    struct plan p;

    CHECK(plan_load(&p, feed_keys(topology), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(plan_cost_new(&cost, &p, whole, &err) == 0);
    mpq_srcptr got[] = { cost.links[LINK_CLIENT_STATION], cost.links[LINK_STATION_STATION],
                         cost.links[LINK_STATION_FEDERATOR], cost.total, cost.bound };
    for (size_t i = 0; i < 5; i++)
        is_fraction(got[i], want[i]);
    CHECK(cost.n_patterns == n_patterns);
    plan_cost_free(&cost);
    plan_free(&p);
}

/* From docs/theory.md. */
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

/* Seeds cost nothing; what a courier passes on costs twice. The plan is as it is written, without
 * protocol keys. */
static void seeds(const char *topology, const char *to_stations, const char *among_stations,
                  const char *to_federator, const char *bound, unsigned long n_seeds)
{
    struct hagg_err err = { 0 };
    struct plan_cost cost;
    struct plan p;

    CHECK(plan_load(&p, feed_file(topology, strlen(topology)), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(plan_cost_new(&cost, &p, false, &err) == 0);
    is_fraction(cost.links[LINK_CLIENT_STATION], to_stations);
    is_fraction(cost.links[LINK_STATION_STATION], among_stations);
    is_fraction(cost.links[LINK_STATION_FEDERATOR], to_federator);
    is_fraction(cost.bound, bound);
    CHECK(mpz_cmp_ui(cost.n_seeds, n_seeds) == 0);
    plan_cost_free(&cost);
    plan_free(&p);
}

static void known_answers_with_seeds(void)
{
    /* Each client sends its vector once, and 2 seeds. Stations 1, 2 and 5 have all 6 rows, and 3
     * and 4 have 4 of them. Of the masks only those for station 5 are computed: 1/3 of a vector
     * from each of the 4 other dealers, whose 16 other masks are seeds. */
    seeds("collude full clients=1 stations=2\nprivacy computational\nsegments 6\n" SIX, "6", "4/3",
          "13/3", "7", 12 + 16);
    /* C1: the same, and 6 keys are seeds; the sums are as long as without seeds */
    seeds("collude partial clients=1 stations=2\nprivacy computational\nprotocol keys\n" SIX, "6",
          "4", "35/3", "7", 18);
    /* client 4 sends its vector to station 2, and through it a seed to station 1: both links */
    seeds("collude partial stations=1\nstations 3\nfallback computational\nprotocol aligned\n"
          "client 1-3 via 1 2\nclient 4 via 2\n",
          "7", "0", "2", "9", 2);
    /* with a spare station: 2 vectors and a seed to station 2, which passes on a vector and the
     * seed; and 4 masks of 2 dealers, because one of the 4 stations needs none */
    seeds("collude partial stations=1\ndrop stations=1\nstations 4\nfallback computational\n"
          "protocol aligned\nclient 1-3 via 1 2 3 4 shares 1 2 3\nclient 4 via 2\n"
          "client 5 via 1 2 4\n",
          "14", "5", "4", "8", 2);
}

/* Over all stations that clients reach, whatever was chosen; under full collusion twice that. */
static void whole_reach(void)
{
    costs("collude partial clients=1 stations=2\nstations 5\n"
          "client 1 2 via 1 2 3 5 shares 1 2 5\nclient 3 via 1-5 shares 2-5\n"
          "client 4 via 2-5 shares 2-5\nclient 5 via 1 2 4 5 shares 1 2 5\nclient 6 via 1 2 5\n",
          true, "56/3", "4", "35/3", "103/3", "47/3", 5);
    costs("collude full clients=1 stations=2\n" SIX, true, "76/3", "0", "64/3", "140/3", "47/3",
          10);
}

/* Spare stations make shares longer, and so does a scheme that is not a ramp. The bound is
 * information-theoretic and depends on neither. */
static void other_forms(void)
{
    costs("collude partial stations=1\ndrop stations=1\nstations 4\nclient 1-3 via 1-4\n", false,
          "9", "3", "3", "15", "16/3", 1);
    costs("collude partial stations=1\nscheme additive\nstations 3\nclient 1 2 via 1-3\n", false,
          "8", "2", "4", "14", "9/2", 1);
}

/* Checks the cost of every kind of link. */
static void costs_with_relays(const char *topology, const char *const want[N_LINKS],
                              const char *total, const char *bound, size_t n_patterns)
{
    struct hagg_err err = { 0 };
    struct plan_cost cost;
    struct plan p;

    CHECK(plan_load(&p, feed_keys(topology), &err) == 0);
    CHECK_STR(err.text, "");
    CHECK(plan_cost_new(&cost, &p, false, &err) == 0);
    for (size_t i = 0; i < N_LINKS + 2; i++) {
        struct text text = { 0 };

        gmp_asprintf(&text.bytes, "%Qd",
                     i < N_LINKS    ? cost.links[i]
                     : i == N_LINKS ? cost.total
                                    : cost.bound);
        CHECK_STR(text.bytes, i < N_LINKS ? want[i] : i == N_LINKS ? total : bound);
        text_free(&text);
    }
    CHECK(cost.n_patterns == n_patterns);
    plan_cost_free(&cost);
    plan_free(&p);
}

/* Computed by hand: docs/theory.md section 9, C3. */
static void through_relays(void)
{
    /* r(3, 1) = 3/2: four clients and keys; three patterns, and two at the relays; each client
     * reaches three stations and four relays */
    costs_with_relays("collude partial clients=1 stations=1 relays=1\nstations 4\nrelays 4\n"
                      "station 1 via 1 4\nstation 2 via 1 2\nstation 3 via 2 3\nstation 4 via 3 4\n"
                      "client 1 2 via 1-3 relays 1-3\nclient 3 via 2-4 relays 1-3\n"
                      "client 4 via 1 2 4 shares 2 4 1 relays 1 3 4\n",
                      (const char *const[N_LINKS]){ [LINK_CLIENT_STATION] = "10",
                                                    [LINK_STATION_STATION] = "3",
                                                    [LINK_STATION_RELAY] = "11/2",
                                                    [LINK_RELAY_RELAY] = "0",
                                                    [LINK_STATION_FEDERATOR] = "0",
                                                    [LINK_RELAY_FEDERATOR] = "4" },
                      "45/2", "53/6", 2);
    /* the paper's least case: n = 1, b = r = z + 1 for z = 2 costs 4z + 6, docs/theory.md section
     * 10
     */
    costs_with_relays("collude partial stations=2 relays=2\nminimum 1\nstations 3\nrelays 3\n"
                      "station 1-3 via 1-3\nclient 1 via 1-3 relays 1-3\n",
                      (const char *const[N_LINKS]){ [LINK_CLIENT_STATION] = "4",
                                                    [LINK_STATION_STATION] = "2",
                                                    [LINK_STATION_RELAY] = "4",
                                                    [LINK_RELAY_RELAY] = "0",
                                                    [LINK_STATION_FEDERATOR] = "0",
                                                    [LINK_RELAY_FEDERATOR] = "4" },
                      "14", "9", 1);
    /* full: r(4, 2) = 2, four clients twice; two patterns of shares and one of keys; one of each */
    costs_with_relays("collude full clients=1 stations=1 relays=1\nstations 5\nrelays 5\n"
                      "station 1-5 via 1-5\n"
                      "client 1 2 via 1-5 shares 1-4 keys 1-4 relays 1-4 key-relays 1-4\n"
                      "client 3 4 via 1-5 shares 5 2-4 keys 1-4 relays 1-4 key-relays 1-4\n",
                      (const char *const[N_LINKS]){ [LINK_CLIENT_STATION] = "16",
                                                    [LINK_STATION_STATION] = "0",
                                                    [LINK_STATION_RELAY] = "6",
                                                    [LINK_RELAY_RELAY] = "0",
                                                    [LINK_STATION_FEDERATOR] = "0",
                                                    [LINK_RELAY_FEDERATOR] = "4" },
                      "26", "15/2", 2);
    /* a spare relay: n = 4, k = 3, z = 1, so two parts; more stations may collude than relays */
    costs_with_relays("collude partial stations=1\ndrop relays=1\nstations 4\nrelays 4\n"
                      "station 1-4 via 1-4\nclient 1-3 via 1-4 relays 4 3 2 1\n",
                      (const char *const[N_LINKS]){ [LINK_CLIENT_STATION] = "9",
                                                    [LINK_STATION_STATION] = "3",
                                                    [LINK_STATION_RELAY] = "3",
                                                    [LINK_RELAY_RELAY] = "0",
                                                    [LINK_STATION_FEDERATOR] = "0",
                                                    [LINK_RELAY_FEDERATOR] = "3" },
                      "18", "19/3", 1);
}

int main(void)
{
    known_answers();
    known_answers_with_seeds();
    whole_reach();
    other_forms();
    through_relays();
    return check_end();
}
