#include "messages.h"

#include <string.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "text.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

/* 1 and 2 add up at stations, 3 with them at relays, 4 goes a way of its own. */
#define FIGURE                                                                                     \
    "collude partial clients=1 stations=1 relays=1\nstations 4\nrelays 4\n"                        \
    "station 1 via 1 4\nstation 2 via 1 2\nstation 3 via 2 3\nstation 4 via 3 4\n"                 \
    "client 1 via 1-3 keys 1 relays 1-3\nclient 2 via 1-3 keys 2 relays 1-3\n"                     \
    "client 3 via 2-4 keys 3 relays 1-3\n"                                                         \
    "client 4 via 1 2 4 shares 2 4 1 keys 1 relays 1 3 4\n"

#define MEETING                                                                                    \
    "collude full clients=1 stations=1 relays=1\ndrop relays=1\nstations 5\nrelays 5\n"            \
    "station 1-5 via 1-5\n"                                                                        \
    "client 1 2 via 1-5 shares 1-4 relays 1-4 keys 5 2-4 key-relays 2-5\n"                         \
    "client 3 4 via 1-5 shares 5 2-4 relays 1-4 keys 5 2-4 key-relays 2-5\n"

static void load(struct plan *p, const char *topology)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, feed_file(topology, strlen(topology)), &err) == 0);
    CHECK_STR(err.text, "");
}

struct totals {
    uint64_t n_messages[N_LINKS], n_symbols[N_LINKS], n_lacking;
};

static int add(void *arg, const struct plan_message *m, struct hagg_err *err)
{
    struct totals *totals = arg;

    (void)err;
    totals->n_messages[m->link]++;
    totals->n_symbols[m->link] += m->n_symbols;
    totals->n_lacking += m->may_lack;
    return 0;
}

/* Symbols link by link, and how many messages they are. */
static void sends(const char *topology, uint64_t length, const uint64_t n_symbols[N_LINKS],
                  const uint64_t n_messages[N_LINKS])
{
    struct totals totals = { 0 };
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, topology);
    CHECK(plan_messages_each(&p, length, add, &totals, &err) == 0);
    for (size_t i = 0; i < N_LINKS; i++) {
        CHECK(totals.n_symbols[i] == n_symbols[i]);
        CHECK(totals.n_messages[i] == n_messages[i]);
    }
    CHECK(totals.n_lacking == 0);
    plan_free(&p);
}

/* docs/theory.md section 4: 56/3, 4 and 35/3 of a vector where all parts are full. Where they are
 * not: four clients of 4 shares of ceil(13 / 2), 5 of ceil(13 / 3), 3 of 13, and 6 keys. */
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
    /* the paper's sets under full collusion, 48 in all */
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

/* docs/theory.md section 6, of 7 elements: shares have 4. Two clients' sums are one at stations,
 * and those of three are at relays. */
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
    /* one part, as k = 3 of n = 4 and z = 2 */
    sends(MEETING, 7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 4 * 8 * 7,
                                     [LINK_STATION_RELAY] = 3 * 4 * 7,
                                     [LINK_RELAY_FEDERATOR] = 2 * 4 * 7 },
          (const uint64_t[N_LINKS]){
              [LINK_CLIENT_STATION] = 32, [LINK_STATION_RELAY] = 12, [LINK_RELAY_FEDERATOR] = 8 });
}

/* docs/theory.md section 8, of 7 elements: of one part and of two at the stations, to six relays
 * for two parts and to five for one. */
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
    /* (3, 2, 1) to (4, 3, 1), twice: k = 2 of 3 stations send 4 values each */
    sends("collude full stations=1 relays=1\ndrop stations=1 relays=1\nstations 3\nrelays 4\n"
          "transform direct\nstation 1-3 via 1-4\n"
          "client 1-3 via 1-3 relays 1-4 key-relays 1-4\n",
          7,
          (const uint64_t[N_LINKS]){ [LINK_CLIENT_STATION] = 2 * 3 * 3 * 7,
                                     [LINK_STATION_RELAY] = 2 * 2 * 4 * 4,
                                     [LINK_RELAY_FEDERATOR] = 2 * 4 * 4 },
          (const uint64_t[N_LINKS]){
              [LINK_CLIENT_STATION] = 18, [LINK_STATION_RELAY] = 16, [LINK_RELAY_FEDERATOR] = 8 });
}

static int list(void *arg, const struct plan_message *m, struct hagg_err *err)
{
    (void)err;
    text_printf(arg, "%s %u to %s %u: %s%s%s %llu, %llu/%llu%s\n", m->from.tier, m->from.number,
                m->to.tier, m->to.number, m->is_transfer ? "share of " : "",
                m->is_share ? "share of " : "", header_secret_name(m->secret),
                (unsigned long long)m->n_symbols, (unsigned long long)m->num,
                (unsigned long long)m->den, m->may_lack ? ", or not" : "");
    return 0;
}

static void lists(const char *topology, const struct plan_presence *presence, const char *want)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct plan p;

    load(&p, topology);
    CHECK(plan_messages_present(&p, 7, presence, list, &text, &err) == 0);
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

/* Without client 1 the first key is at station 2; nobody is left whose shares 1-3 are at 1. */
static void survivors(void)
{
    struct rangeset clients = set_of(3, 4);
    struct plan_presence presence = { .clients = &clients };

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

/* Station 2 is out: relay 1 has nothing else for its sum of clients 1-2 and 3 from the latter's
 * station 2, and nothing at all of client 4; relay 2 has client 3's from station 3. */
static void stations_out(void)
{
    struct rangeset clients = set_of(2, 3), out = set_of(2, 2);
    struct plan_presence presence = { .clients = &clients, .out = { &out } };

    lists(FIGURE, &presence,
          "client 2 to station 1: share of padded 4, 1/2\n"
          "client 2 to station 2: share of padded 4, 1/2, or not\n"
          "client 2 to station 3: share of padded 4, 1/2\n"
          "client 2 to station 2: key 7, 1/1, or not\n"
          "client 3 to station 2: share of padded 4, 1/2, or not\n"
          "client 3 to station 3: share of padded 4, 1/2\n"
          "client 3 to station 4: share of padded 4, 1/2\n"
          "client 3 to station 3: key 7, 1/1\n"
          "station 1 to relay 1: share of padded 4, 1/2\n"
          "station 2 to relay 2: share of padded 4, 1/2, or not\n"
          "station 3 to relay 3: share of padded 4, 1/2\n"
          "station 2 to relay 1: share of padded 4, 1/2, or not\n"
          "station 3 to relay 2: share of padded 4, 1/2\n"
          "station 4 to relay 3: share of padded 4, 1/2\n"
          "relay 1 to federator 1: share of padded 4, 1/2\n"
          "relay 2 to federator 1: share of padded 4, 1/2\n"
          "relay 3 to federator 1: share of padded 4, 1/2\n"
          "station 2 to station 3: key 7, 1/1, or not\n"
          "station 3 to station 4: key 7, 1/1, or not\n"
          "station 4 to relay 3: key 7, 1/1, or not\n"
          "relay 3 to federator 1: key 7, 1/1, or not\n");
    rangeset_free(&clients);
    rangeset_free(&out);
}

/* The total goes through the next relay that the last station reaches. */
static void relays_out(void)
{
    struct rangeset clients = set_of(4, 4), out = set_of(3, 3);
    struct plan_presence presence = { .clients = &clients, .out = { NULL, &out } };

    lists(FIGURE, &presence,
          "client 4 to station 2: share of padded 4, 1/2\n"
          "client 4 to station 4: share of padded 4, 1/2\n"
          "client 4 to station 1: share of padded 4, 1/2\n"
          "client 4 to station 1: key 7, 1/1\n"
          "station 2 to relay 1: share of padded 4, 1/2\n"
          "station 4 to relay 3: share of padded 4, 1/2, or not\n"
          "station 1 to relay 4: share of padded 4, 1/2\n"
          "relay 1 to federator 1: share of padded 4, 1/2\n"
          "relay 3 to federator 1: share of padded 4, 1/2, or not\n"
          "relay 4 to federator 1: share of padded 4, 1/2\n"
          "station 1 to station 2: key 7, 1/1\n"
          "station 2 to station 3: key 7, 1/1\n"
          "station 3 to station 4: key 7, 1/1\n"
          "station 4 to relay 4: key 7, 1/1\n"
          "relay 4 to federator 1: key 7, 1/1\n");
    rangeset_free(&clients);
    rangeset_free(&out);
}

/* Other stations transform in the place of those that are out. With two of three out they cannot.
 */
static void transforming_stations_out(void)
{
    static const char topology[] =
        "collude partial stations=1 relays=1\ndrop stations=1\nminimum 1\nstations 3\nrelays 2\n"
        "transform direct\nstation 1-3 via 1 2\nclient 1 via 1-3 keys 3 relays 1 2\n";
    struct rangeset out = set_of(1, 1), two = set_of(1, 2);

    lists(topology, &(struct plan_presence){ .out = { &out } },
          "client 1 to station 1: share of padded 7, 1/1, or not\n"
          "client 1 to station 2: share of padded 7, 1/1\n"
          "client 1 to station 3: share of padded 7, 1/1\n"
          "client 1 to station 3: key 7, 1/1\n"
          "station 1 to relay 1: share of share of padded 7, 1/1, or not\n"
          "station 1 to relay 2: share of share of padded 7, 1/1, or not\n"
          "station 2 to relay 1: share of share of padded 7, 1/1\n"
          "station 2 to relay 2: share of share of padded 7, 1/1\n"
          "station 3 to relay 1: share of share of padded 7, 1/1\n"
          "station 3 to relay 2: share of share of padded 7, 1/1\n"
          "relay 1 to federator 1: share of padded 7, 1/1\n"
          "relay 2 to federator 1: share of padded 7, 1/1\n"
          "station 3 to relay 1: key 7, 1/1\n"
          "relay 1 to federator 1: key 7, 1/1\n");
    lists(topology, &(struct plan_presence){ .out = { &two, &out } },
          "client 1 to station 1: share of padded 7, 1/1, or not\n"
          "client 1 to station 2: share of padded 7, 1/1, or not\n"
          "client 1 to station 3: share of padded 7, 1/1\n"
          "client 1 to station 3: key 7, 1/1\n"
          "station 1 to relay 1: share of share of padded 7, 1/1, or not\n"
          "station 1 to relay 2: share of share of padded 7, 1/1, or not\n"
          "station 2 to relay 1: share of share of padded 7, 1/1, or not\n"
          "station 2 to relay 2: share of share of padded 7, 1/1, or not\n"
          "station 3 to relay 1: share of share of padded 7, 1/1, or not\n"
          "station 3 to relay 2: share of share of padded 7, 1/1\n"
          "relay 1 to federator 1: share of padded 7, 1/1, or not\n"
          "relay 2 to federator 1: share of padded 7, 1/1, or not\n"
          "station 3 to relay 2: key 7, 1/1\n"
          "relay 2 to federator 1: key 7, 1/1\n");
    rangeset_free(&out);
    rangeset_free(&two);
}

/* Under full collusion a sum that lacks a client is not sent on: relay 1 has vectors from the
 * stations 1 and 5, and 2 keys from the latter. */
static void incomplete_sums(void)
{
    struct rangeset out = set_of(5, 5);
    struct plan_presence presence = { .out = { &out } };
    struct totals totals = { 0 };
    struct hagg_err err = { 0 };
    struct plan p;

    load(&p, MEETING);
    CHECK(plan_messages_present(&p, 7, &presence, add, &totals, &err) == 0);
    /* two vectors and four keys to station 5, one sum of each from it, one each from relays 1, 2 */
    CHECK(totals.n_lacking == 6 + 2 + 2);
    CHECK(totals.n_messages[LINK_RELAY_FEDERATOR] == 8);
    plan_free(&p);
    rangeset_free(&out);
}

static int stop(void *arg, const struct plan_message *m, struct hagg_err *err)
{
    uint64_t *n = arg;

    (void)m;
    return --*n == 0 ? err_set(err, HAGG_E_TOO_FEW, "enough") : 0;
}

/* At each of the 36 messages. */
static void stops(void)
{
    struct plan p;

    load(&p, FIGURE);
    for (uint64_t at = 1; at <= 37; at++) {
        struct hagg_err err = { 0 };
        uint64_t n = at;

        CHECK(plan_messages_each(&p, 7, stop, &n, &err) == (at <= 36 ? -1 : 0));
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
        status = plan_messages_each(&p, 7, add, &totals, &err);
        refused = alloc_refused();
        CHECK(status == (refused ? -1 : 0));
        CHECK(err.status == (refused ? HAGG_E_SYSTEM : HAGG_OK));
        CHECK(refused || at == n_requests);
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
    stops();
    fails_cleanly_without_memory(FIGURE, 10);
    fails_cleanly_without_memory("collude full stations=2\n" SIX, 10);
    return check_end();
}
