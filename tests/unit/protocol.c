#include "protocol/protocol.h"

#include <string.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "base/text.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

/* Stations add up clients 1 and 2, relays also add client 3, and client 4 has other relays. */
#define FIGURE                                                                                     \
    "collude partial clients=1 stations=1 relays=1\nstations 4\nrelays 4\n"                        \
    "station 1 via 1 4\nstation 2 via 1 2\nstation 3 via 2 3\nstation 4 via 3 4\n"                 \
    "client 1 via 1-3 keys 1 relays 1-3\nclient 2 via 1-3 keys 2 relays 1-3\n"                     \
    "client 3 via 2-4 keys 3 relays 1-3\n"                                                         \
    "client 4 via 1 2 4 shares 2 4 1 keys 1 relays 1 3 4\n"

#define MEETING                                                                                    \
    "collude full clients=1 stations=1 relays=1\ndrop relays=1\nstations 6\nrelays 6\n"            \
    "station 1-6 via 1-6\n"                                                                        \
    "client 1 2 via 1-6 shares 1-5 relays 1-5 keys 6 2-5 key-relays 2-6\n"                         \
    "client 3 4 via 1-6 shares 6 2-5 relays 1-5 keys 6 2-5 key-relays 2-6\n"

static void load(struct plan *p, const char *topology)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_keys(topology), &err) == 0);
    CHECK_STR(err.text, "");
}

/* By the tiers of both ends. */
static enum topology_link link_of(const struct message *s)
{
    static const enum topology_link links[N_NODE_TIERS][N_NODE_TIERS] = {
        [NODE_CLIENT] = { [NODE_STATION] = LINK_CLIENT_STATION },
        [NODE_STATION] = { [NODE_STATION] = LINK_STATION_STATION,
                           [NODE_RELAY] = LINK_STATION_RELAY,
                           [NODE_FEDERATOR] = LINK_STATION_FEDERATOR },
        [NODE_RELAY] = { [NODE_FEDERATOR] = LINK_RELAY_FEDERATOR },
    };

    return links[s->from.tier][s->to.tier];
}

struct totals {
    uint64_t length;
    uint64_t n_messages[N_LINKS], n_symbols[N_LINKS], n_incomplete;
};

static int add(void *arg, const struct message *s, struct hagg_err *err)
{
    struct totals *totals = arg;

    (void)err;
    CHECK(s->from.tier == s->stage->from && s->to.tier == s->stage->to);
    totals->n_messages[link_of(s)]++;
    totals->n_symbols[link_of(s)] += protocol_symbols(s, totals->length);
    totals->n_incomplete += !s->complete;
    return 0;
}

static int each(const struct plan *p, const struct protocol_presence *presence,
                protocol_message_fn *fn, void *arg, struct hagg_err *err)
{
    struct protocol *round = protocol_open(p, presence, err);
    int status = round ? protocol_each(round, fn, arg, err) : -1;

    protocol_free(round);
    return status;
}

/* Checks the symbols and the messages of each link. */
static void sends(const char *topology, uint64_t length, const uint64_t n_symbols[N_LINKS],
                  const uint64_t n_messages[N_LINKS])
{
    struct totals totals = { .length = length };
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, topology);
    CHECK(each(&p, NULL, add, &totals, &err) == 0);
    for (size_t i = 0; i < N_LINKS; i++) {
        CHECK(totals.n_symbols[i] == n_symbols[i]);
        CHECK(totals.n_messages[i] == n_messages[i]);
    }
    CHECK(totals.n_incomplete == 0);
    plan_free(&p);
}

/* docs/theory.md section 4: 56/3, 4 and 35/3 times the vector if the parts divide it. Otherwise:
 * four clients with 4 shares of ceil(13 / 2), one with 5 of ceil(13 / 3), one with 3 of 13, and 6
 * keys. */
static void six_clients(void)
{
    static const uint64_t n[N_LINKS] = {
        [LINK_CLIENT_STATION] = 30,
        [LINK_STATION_STATION] = 4,
        [LINK_STATION_FEDERATOR] = 21,
    };

    sends("collude partial clients=1 stations=2\n" SIX, 12,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 224,
                                     [LINK_STATION_STATION] = 48,
                                     [LINK_STATION_FEDERATOR] = 140 },
          n);
    sends("collude partial clients=1 stations=2\n" SIX, 13,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 4 * 28 + 25 + 39 + 78,
                                     [LINK_STATION_STATION] = 52,
                                     [LINK_STATION_FEDERATOR] = 3 * 28 + 25 + 39 + 13 },
          n);
    /* the paper's sets under full collusion, 48 in total */
    sends("collude full clients=1 stations=2\nstations 5\n"
          "client 1 via 1 2 3 5 shares 1 3 5 keys 1 2 5\n"
          "client 2 via 1 2 3 5 shares 1 3 5 keys 1 2 3 5\n"
          "client 3 via 1-5 shares 2 3 4 5 keys 1 2 3 5\n"
          "client 4 via 2-5 shares 2 3 4 5 keys 2 4 5\n"
          "client 5 via 1 2 4 5 shares 1 2 5 keys 2 4 5\n"
          "client 6 via 1 2 5 shares 1 2 5 keys 1 2 5\n",
          10,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 320, [LINK_STATION_FEDERATOR] = 160 },
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 40, [LINK_STATION_FEDERATOR] = 20 });
}

/* docs/theory.md section 6, with 7 elements: shares have 4. Stations add up two clients, relays
 * three. */
static void relays(void)
{
    sends(FIGURE, 7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 4 * 3 * 4 + 4 * 7,
                                     [LINK_STATION_STATION] = 3 * 7,
                                     [LINK_STATION_RELAY] = 3 * 3 * 4 + 7,
                                     [LINK_RELAY_FEDERATOR] = 2 * 3 * 4 + 7 },
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 16,
                                     [LINK_STATION_STATION] = 3,
                                     [LINK_STATION_RELAY] = 10,
                                     [LINK_RELAY_FEDERATOR] = 7 });
    /* two parts, because n = 5, k = 4 and z = 2 */
    sends(MEETING, 7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 4 * 10 * 4,
                                     [LINK_STATION_RELAY] = 3 * 5 * 4,
                                     [LINK_RELAY_FEDERATOR] = 2 * 5 * 4 },
          (const uint64_t[N_LINKS]){
              [LINK_CLIENT_STATION] = 40, [LINK_STATION_RELAY] = 15, [LINK_RELAY_FEDERATOR] = 10 });
}

/* docs/theory.md section 8, with 7 elements: sharings with one part and with two at the stations,
 * to six relays with two parts and to five with one. */
static void transforming(void)
{
    sends("collude partial clients=1 stations=2 relays=4\nstations 4\nrelays 6\n"
          "transform direct\nstation 1-4 via 1-6\n"
          "client 1 2 via 1-3 keys 1 relays 1-6\nclient 3 via 1-4 keys 4 relays 1-6\n"
          "client 4 via 2-4 keys 3 relays 1-5\n",
          7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 3 * 3 * 7 + 4 * 4 + 4 * 7,
                                     [LINK_STATION_STATION] = 3 * 7,
                                     [LINK_STATION_RELAY] = 3 * 6 * 4 + 4 * 6 * 2 + 3 * 5 * 7 + 7,
                                     [LINK_RELAY_FEDERATOR] = 6 * 4 + 6 * 2 * 2 + 5 * 7 + 7 },
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 17,
                                     [LINK_STATION_STATION] = 3,
                                     [LINK_STATION_RELAY] = 18 + 24 + 15 + 1,
                                     [LINK_RELAY_FEDERATOR] = 6 + 6 + 5 + 1 });
    /* (4, 3, 1) to (5, 4, 1), twice: k = 3 of 4 stations send 5 values each; a part of 4 elements
     * is cut into three of 2 */
    sends("collude full stations=1 relays=1\ndrop stations=1 relays=1\nstations 4\nrelays 5\n"
          "transform direct\nstation 1-4 via 1-5\n"
          "client 1-3 via 1-4 relays 1-5 key-relays 1-5\n",
          7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 2 * 3 * 4 * 4,
                                     [LINK_STATION_RELAY] = 2 * 3 * 5 * 2,
                                     [LINK_RELAY_FEDERATOR] = 2 * 5 * 2 * 2 },
          (const uint64_t[N_LINKS]){
              [LINK_CLIENT_STATION] = 24, [LINK_STATION_RELAY] = 30, [LINK_RELAY_FEDERATOR] = 10 });
}

static int list(void *arg, const struct message *s, struct hagg_err *err)
{
    static const char *const kinds[] = {
        [HEADER_VECTOR] = "", [HEADER_SHARE] = "share of ", [HEADER_TRANSFER] = "share of share of "
    };

    (void)err;
    text_printf(arg, "%s %u to %s %u: %s%s %llu, %u/%u%s\n", node_tier_name(s->from.tier),
                s->from.number, node_tier_name(s->to.tier), s->to.number, kinds[s->stage->kind],
                header_secret_name(s->stage->secret), (unsigned long long)protocol_symbols(s, 7),
                s->n_rows, s->cuts[0] * s->cuts[1], s->complete ? "" : ", incomplete");
    return 0;
}

static void lists(const char *topology, const struct protocol_presence *presence, const char *want)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct plan p;

    load(&p, topology);
    CHECK(each(&p, presence, list, &text, &err) == 0);
    CHECK_STR(text.bytes, want);
    text_free(&text);
    plan_free(&p);
}

static struct rangeset set_of(uint32_t first, uint32_t last)
{
    struct rangeset set = { 0 };
    struct hagg_err err = { 0 };

    CHECK(rangeset_add(&set, first, last, &err) == 0);
    return set;
}

/* Without clients 1 and 2 the first key is at station 2, and station 1 gets no shares. */
static void survivors(void)
{
    struct rangeset clients = set_of(3, 4);
    struct protocol_presence presence = { .clients = &clients };

    lists("collude partial stations=1\nstations 3\n"
          "client 1 2 via 1-3\nclient 3 via 2 3\nclient 4 via 2 3 keys 3\n",
          &presence,
          "client 3 to station 2: share of padded 7, 1/1\n"
          "client 3 to station 3: share of padded 7, 1/1\n"
          "client 3 to station 2: key 7, 1/1\n"
          "client 4 to station 2: share of padded 7, 1/1\n"
          "client 4 to station 3: share of padded 7, 1/1\n"
          "client 4 to station 3: key 7, 1/1\n"
          "station 2 to federator 1: share of padded 7, 1/1\n"
          "station 3 to federator 1: share of padded 7, 1/1\n"
          "station 2 to station 3: key 7, 1/1\n"
          "station 3 to federator 1: key 7, 1/1\n");
    rangeset_free(&clients);
}

/* Station 2 is missing, and with it the key of client 2. Relay 1 gets no share of client 3, and
 * relay 2 none of client 2. */
static void stations_out(void)
{
    struct rangeset clients = set_of(2, 3), out = set_of(2, 2);
    struct protocol_presence presence = { .clients = &clients, .missing = { &out } };

    lists(FIGURE, &presence,
          "client 2 to station 1: share of padded 4, 1/2\n"
          "client 2 to station 3: share of padded 4, 1/2\n"
          "client 3 to station 3: share of padded 4, 1/2\n"
          "client 3 to station 4: share of padded 4, 1/2\n"
          "client 3 to station 3: key 7, 1/1\n"
          "station 1 to relay 1: share of padded 4, 1/2\n"
          "station 3 to relay 3: share of padded 4, 1/2\n"
          "station 3 to relay 2: share of padded 4, 1/2\n"
          "station 4 to relay 3: share of padded 4, 1/2\n"
          "relay 1 to federator 1: share of padded 4, 1/2, incomplete\n"
          "relay 2 to federator 1: share of padded 4, 1/2, incomplete\n"
          "relay 3 to federator 1: share of padded 4, 1/2\n"
          "station 3 to station 4: key 7, 1/1, incomplete\n"
          "station 4 to relay 3: key 7, 1/1, incomplete\n"
          "relay 3 to federator 1: key 7, 1/1, incomplete\n");
    rangeset_free(&clients);
    rangeset_free(&out);
}

/* The total is sent through the next relay that the last station reaches. */
static void relays_out(void)
{
    struct rangeset clients = set_of(4, 4), out = set_of(3, 3);
    struct protocol_presence presence = { .clients = &clients, .missing = { NULL, &out } };

    lists(FIGURE, &presence,
          "client 4 to station 2: share of padded 4, 1/2\n"
          "client 4 to station 4: share of padded 4, 1/2\n"
          "client 4 to station 1: share of padded 4, 1/2\n"
          "client 4 to station 1: key 7, 1/1\n"
          "station 2 to relay 1: share of padded 4, 1/2\n"
          "station 1 to relay 4: share of padded 4, 1/2\n"
          "relay 1 to federator 1: share of padded 4, 1/2\n"
          "relay 4 to federator 1: share of padded 4, 1/2\n"
          "station 1 to station 2: key 7, 1/1\n"
          "station 2 to station 3: key 7, 1/1\n"
          "station 3 to station 4: key 7, 1/1\n"
          "station 4 to relay 4: key 7, 1/1\n"
          "relay 4 to federator 1: key 7, 1/1\n");
    rangeset_free(&clients);
    rangeset_free(&out);
}

/* Other stations transform instead of those that are missing. With two of four missing they
 * cannot. */
static void transforming_stations_out(void)
{
    static const char topology[] =
        "collude partial stations=1 relays=1\ndrop stations=1\nminimum 1\nstations 4\nrelays 2\n"
        "transform direct\nstation 1-4 via 1 2\nclient 1 via 1-4 keys 4 relays 1 2\n";
    struct rangeset out = set_of(1, 1), two = set_of(1, 2);

    lists(topology, &(struct protocol_presence){ .missing = { &out } },
          "client 1 to station 2: share of padded 4, 1/2\n"
          "client 1 to station 3: share of padded 4, 1/2\n"
          "client 1 to station 4: share of padded 4, 1/2\n"
          "client 1 to station 4: key 7, 1/1\n"
          "station 2 to relay 1: share of share of padded 4, 1/2\n"
          "station 2 to relay 2: share of share of padded 4, 1/2\n"
          "station 3 to relay 1: share of share of padded 4, 1/2\n"
          "station 3 to relay 2: share of share of padded 4, 1/2\n"
          "station 4 to relay 1: share of share of padded 4, 1/2\n"
          "station 4 to relay 2: share of share of padded 4, 1/2\n"
          "relay 1 to federator 1: share of padded 8, 2/2\n"
          "relay 2 to federator 1: share of padded 8, 2/2\n"
          "station 4 to relay 1: key 7, 1/1\n"
          "relay 1 to federator 1: key 7, 1/1\n");
    lists(topology, &(struct protocol_presence){ .missing = { &two, &out } },
          "client 1 to station 3: share of padded 4, 1/2\n"
          "client 1 to station 4: share of padded 4, 1/2\n"
          "client 1 to station 4: key 7, 1/1\n"
          "station 3 to relay 2: share of share of padded 4, 1/2\n"
          "station 4 to relay 2: share of share of padded 4, 1/2\n"
          "station 4 to relay 2: key 7, 1/1\n"
          "relay 2 to federator 1: key 7, 1/1\n");
    rangeset_free(&out);
    rangeset_free(&two);
}

/* An incomplete sum is not sent. Relay 1 gets vectors from stations 1 and 6, and relay 2 gets keys
 * from station 6. */
static void incomplete_sums(void)
{
    struct rangeset out = set_of(6, 6);
    struct protocol_presence presence = { .missing = { &out } };
    struct totals totals = { 0 };
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, MEETING);
    CHECK(each(&p, &presence, add, &totals, &err) == 0);
    /* all except two vectors and four keys to station 6, and one sum of each from it */
    CHECK(totals.n_messages[LINK_CLIENT_STATION] == 40 - 6);
    CHECK(totals.n_messages[LINK_STATION_RELAY] == 15 - 2);
    /* the sum of vectors of relay 1; relay 2 gets no keys at all */
    CHECK(totals.n_incomplete == 1);
    CHECK(totals.n_messages[LINK_RELAY_FEDERATOR] == 9);
    plan_free(&p);
    rangeset_free(&out);
}

static void hops(const char *topology, const struct protocol_presence *presence, uint32_t station,
                 struct node want)
{
    struct hagg_err err = { 0 };
    struct protocol *round;
    struct plan p;

    load(&p, topology);
    round = protocol_open(&p, presence, &err);
    if (CHECK(round))
        CHECK(node_equal(protocol_key_hop(round, station), want));
    protocol_free(round);
    plan_free(&p);
}

/* To the next station that is present, or from the last one to the first relay that it reaches. */
static void keys_go_on(void)
{
    struct rangeset two = set_of(2, 2), three = set_of(3, 3), both = set_of(3, 4);

    hops(FIGURE, NULL, 1, (struct node){ NODE_STATION, 2 });
    hops(FIGURE, &(struct protocol_presence){ .missing = { &two } }, 1,
         (struct node){ NODE_STATION, 3 });
    hops(FIGURE, &(struct protocol_presence){ .missing = { &both } }, 2,
         (struct node){ NODE_RELAY, 1 });
    hops(FIGURE, NULL, 4, (struct node){ NODE_RELAY, 3 });
    hops(FIGURE, &(struct protocol_presence){ .missing = { NULL, &three } }, 4,
         (struct node){ NODE_RELAY, 4 });
    hops(FIGURE, &(struct protocol_presence){ .missing = { NULL, &both } }, 4,
         (struct node){ NODE_RELAY, 0 });
    hops("collude partial stations=1\n" SIX, NULL, 5, NODE_THE_FEDERATOR);
    rangeset_free(&two);
    rangeset_free(&three);
    rangeset_free(&both);
}

static int stop(void *arg, const struct message *s, struct hagg_err *err)
{
    uint64_t *n = arg;

    (void)s;
    return --*n == 0 ? err_set(err, HAGG_E_TOO_FEW, "enough") : 0;
}

/* Stops at each of the 36 messages. */
static void stops(void)
{
    struct plan p;

    load(&p, FIGURE);
    for (uint64_t at = 1; at <= 37; at++) {
        struct hagg_err err = { 0 };
        uint64_t n = at;

        CHECK(each(&p, NULL, stop, &n, &err) == (at <= 36 ? -1 : 0));
        CHECK(n == (at <= 36 ? 0 : 1));
        CHECK_STR(err.text, at <= 36 ? "enough" : "");
    }
    plan_free(&p);
}

static void fails_cleanly_without_memory(const char *topology, unsigned long n_requests)
{
    struct plan p;
    bool refused = true;

    load(&p, topology);
    for (unsigned long at = 0; refused; at++) {
        struct totals totals = { 0 };
        struct hagg_err err = { 0 };
        int status;

        alloc_refuse(at);
        status = each(&p, NULL, add, &totals, &err);
        refused = alloc_refused();
        CHECK(status == (refused ? -1 : 0));
        CHECK(err.status == (refused ? HAGG_E_SYSTEM : HAGG_OK));
        CHECK(refused || at >= n_requests); /* each request was refused once */
    }
    alloc_watch();
    plan_free(&p);
}

int main(void)
{
    six_clients();
    relays();
    survivors();
    stations_out();
    relays_out();
    transforming();
    transforming_stations_out();
    incomplete_sums();
    keys_go_on();
    stops();
    fails_cleanly_without_memory(FIGURE, 10);
    fails_cleanly_without_memory("collude full stations=2\n" SIX, 10);
    return check_end();
}
