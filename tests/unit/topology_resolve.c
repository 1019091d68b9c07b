#include "topology/topology.h"

#include <stdlib.h>

#include "check.h"
#include "topology_text.h"

static void checks_what_belongs_together(void)
{
    refuses("", "t: the number of stations is missing: add a line stations N");
    refuses("stations 3", "t: has no clients: add a line client 1-6 via 1-5");
    refuses("stations 3\nclient 1 2 via 4", "t:2: '4': there are only 3 stations");
    refuses("client 1 2 via 1 4\nstations 3", "t:1: '4': there are only 3 stations");
    refuses("stations 3\nclient 1 2 via 2 1-3", "t:2: '2': station appears twice");
    refuses("stations 3\nclient 1-4 via 1\nclient 6 via 2\nclient 3 via 1",
            "t:4: '3': client already appears in line 2");
    refuses("stations 3\nclient 1 2 1 via 1", "t:2: '1': client already appears in line 2");
    refuses("stations 3\nclient 1 2 via 1 2 shares 2 3",
            "t:2: '3': shares names a station that these clients do not reach");
    refuses("stations 3\nclient 1 2 via 1 2 shares 2 2", "t:2: '2': station appears twice");
    refuses_keys("stations 3\nclient 1 2 via 1 2 keys 3",
                 "t:2: '3': keys names a station that these clients do not reach");
    refuses_keys("stations 3\nclient 1 2 via 1 2 keys 1 2",
                 "t:2: 'keys': under partial collusion one station gets the key");
    refuses("stations 3\ncollude partial stations=2\nclient 1 2 via 1 2",
            "t:3: 'via': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 "
            "are needed: for computational privacy instead, add a line fallback "
            "computational");
    refuses_keys(
        "stations 3\ncollude partial stations=1\ndrop stations=1\nclient 1 2 via 1-3 shares 3 1",
        "t:4: 'shares': 2 stations are too few: 1 may collude and 1 may be missing, so at least 4 "
        "are needed");
    refuses_keys(
        "stations 3\ncollude full stations=1\nclient 1 2 via 1-3 keys 2",
        "t:3: 'keys': 1 station is too few: 1 may collude and 0 may be missing, so at least 2 "
        "are needed");
    refuses(
        "stations 3\ncollude partial stations=1\ndrop stations=1\nclient 1 2 via 1-3 shares 3 1",
        "t:4: 'shares': 2 stations are too few: 1 may collude and 1 may be missing, so at least "
        "3 are needed");
}

/* Without a protocol line, the protocol is aligned, which has no keys. */
static void keeps_protocols_apart(void)
{
    static const char *const words[] = { "keys", "relays", "key-relays" };
    struct topology t;
    char text[120], want[120];

    accepts(&t, "stations 3\nclient 1 2 via 1-3");
    CHECK(t.aligned);
    CHECK_STR(t.scheme, "aligned");
    topology_free(&t);
    accepts(&t, "protocol aligned\nstations 3\nclient 1 2 via 1-3\nsegments 4\ndealers 2 1");
    CHECK(t.aligned && t.segments == 4 && t.dealers.n == 2 && t.dealers.numbers[0] == 2);
    CHECK_STR(t.scheme, "aligned");
    topology_free(&t);
    accepts(&t, "stations 3\nclient 1 2 via 1-3\nprotocol keys");
    CHECK(!t.aligned && t.segments == 0 && t.dealers.n == 0);
    CHECK_STR(t.scheme, "ramp");
    topology_free(&t);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text,
                 "stations 3\nrelays 3\nstation 1-3 via 1-3\nclient 1 2 via 1-3 %s 1", words[i]);
        snprintf(want, sizeof want,
                 "t:4: '%s': is not used with protocol aligned: remove it, or add a line protocol "
                 "keys",
                 words[i]);
        refuses(text, want);
    }
    refuses("stations 3\nrelays 3\nstation 1-3 via 1-3\nclient 1 2 via 1-3\ntransform direct",
            "t: transform is not needed with protocol aligned: remove it, or add a line protocol "
            "keys");
    refuses_keys(
        "stations 3\nclient 1 2 via 1-3\nsegments 4",
        "t:3: 'segments': is not used with protocol keys: remove it, or the line protocol keys");
    refuses_keys(
        "dealers 1-3\nstations 3\nclient 1 2 via 1-3\nsegments 4",
        "t:1: 'dealers': is not used with protocol keys: remove it, or the line protocol keys");
}

/* Unless the topology states otherwise, no single station and no single relay learns anything. */
static void protects_against_single_nodes(void)
{
    static const struct {
        const char *text;
        uint32_t stations, relays;
        const char *why;
    } cases[] = {
        { "", 1, 0, "" },
        { "collude full clients=0", 1, 0, "" },
        { "collude partial relays=2", 1, 2, "" },
        { "protocol keys", 1, 0, "" },
        { "protocol keys\ntransform direct", 1, 1, "" },
        { "protocol keys\ncollude full clients=0\ntransform direct", 1, 1, "" },
        { "collude full stations=0", 0, 0,
          "t: the collude line has stations=0, so a single station may learn vectors or parts of "
          "them: use stations=1 or more" },
        { "protocol keys\ncollude partial stations=0 relays=1", 0, 1, "" },
        { "collude partial stations=0 relays=1", 0, 1,
          "t: the collude line has stations=0, so a single station may learn vectors or parts of "
          "them: use stations=1 or more" },
        { "protocol keys\ncollude full stations=0 relays=1\ntransform direct", 0, 1,
          "t: the collude line has stations=0, so a single station may learn vectors or parts of "
          "them: use stations=1 or more" },
        { "protocol keys\ncollude full relays=0\ntransform direct", 1, 0,
          "t: the collude line has relays=0, so a single relay may learn sums or parts of them: "
          "use relays=1 or more" },
        { "collude full clients=1\nminimum 2", 1, 0,
          "t: with minimum 2 and clients=1 in the collude line, a total may reveal the vector of "
          "one client: use minimum 3 or more" },
        { "minimum 1", 1, 0,
          "t: with minimum 1 and clients=0 in the collude line, a total may reveal the vector of "
          "one client: use minimum 2 or more" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hagg_err err = { 0 };
        struct text text = { 0 }, printed = { 0 };
        struct topology t = { 0 };

        text_printf(&text, "stations 3\nrelays 3\nstation 1-3 via 1-3\nclient 1-4 via 1-3\n%s",
                    cases[i].text);
        accepts(&t, text.bytes);
        CHECK(t.collude_stations == cases[i].stations && t.collude_relays == cases[i].relays);
        CHECK(topology_check_protected(&t, "t", &err) == (cases[i].why[0] ? -1 : 0));
        CHECK_STR(err.text, cases[i].why);
        CHECK(err.status == (cases[i].why[0] ? HAGG_E_PRIVACY : HAGG_OK));
        /* the canonical form states both */
        topology_print(&t, &printed);
        text_free(&text);
        text_printf(&text, " stations=%u relays=%u\n", cases[i].stations, cases[i].relays);
        CHECK(strstr(printed.bytes, text.bytes));
        text_free(&text);
        text_free(&printed);
        topology_free(&t);
    }
    refuses_keys(
        "stations 3\nrelays 1\nstation 1-3 via 1\nclient 1 2 via 1-3\ntransform direct",
        "t: with transform one relay may collude, and 0 of 1 may be missing, so none is left: "
        "use more relays, or write relays=0 in the collude line");
    refuses("stations 3\nclient 1 2 via 1",
            "t:2: 'via': 1 station is too few: 1 may collude and 0 may be missing, so at least 2 "
            "are needed: for computational privacy instead, add a line fallback "
            "computational");
}

static void holds_clients_to_the_minimum(void)
{
    struct hagg_err err = { 0 };
    struct topology t;

    refuses(
        "stations 3\nclient 1 via 1",
        "t: has 1 client, but a total must have at least 2: add clients or set a lower minimum");
    refuses(
        "stations 3\nclient 1 2 via 1\ncollude partial clients=1",
        "t: has 2 clients, but a total must have at least 3: add clients or set a lower minimum");
    refuses("collude full clients=1000000\nstations 3\nclient 1-1000000 via 1",
            "t: has 1000000 clients, but a total must have at least 1000002: add clients or set a "
            "lower minimum");
    refuses(
        "minimum 4\nstations 3\nclient 1-3 via 1",
        "t: has 3 clients, but a total must have at least 4: add clients or set a lower minimum");
    refuses("stations 3\nclient 1-4 via 1\ncollude partial clients=1\ndrop clients=2",
            "t: has 4 clients and 2 may drop out, but a total must have at least 3: add clients or "
            "set a lower minimum");
    refuses("stations 3\nclient 1-4 via 1\ndrop clients=1000000",
            "t: has 4 clients and 1000000 may drop out, but a total must have at least 2: add "
            "clients or set a lower minimum");
    accepts(&t, "stations 3\nclient 1 2 via 1 2");
    CHECK(t.minimum == 2);
    CHECK(topology_check_minimum(&t, "t", &err) == 0);
    topology_free(&t);
    accepts(&t, "stations 3\nclient 1-3 via 1 2\ncollude partial clients=1");
    CHECK(t.minimum == 3);
    topology_free(&t);
    accepts(&t, "stations 3\ncollude partial clients=4\nclient 1-7 via 1 2\ndrop clients=1");
    CHECK(t.minimum == 6 && t.drop_clients == 1);
    topology_free(&t);
    /* a given minimum overrides the default, whether smaller or larger */
    accepts(&t, "minimum 2\nstations 3\nclient 1-3 via 1 2\ncollude partial clients=2");
    CHECK(t.minimum == 2);
    CHECK(topology_check_minimum(&t, "t", &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text,
              "t: with minimum 2 and clients=2 in the collude line, a total may reveal the "
              "vector of one client: use minimum 4 or more");
    topology_free(&t);
    accepts(&t, "stations 3\nclient 1-9 via 1 2\ncollude partial clients=1\nminimum 8");
    CHECK(t.minimum == 8);
    topology_free(&t);
    accepts(&t, "stations 3\nclient 1 via 1 2\nminimum 1");
    CHECK(t.minimum == 1);
    topology_free(&t);
}

static void checks_relays(void)
{
    refuses("stations 2\nstation 1 via 1\nclient 1 2 via 1",
            "t:2: 'station': the number of relays is missing: add a line such as relays 4");
    refuses("stations 2\nrelays 2\nclient 1 2 via 1",
            "t: station 1 reaches no relay: add a line station 1 via ..");
    refuses("stations 2\nrelays 2\nstation 1 via 1 2\nclient 1 2 via 1",
            "t: station 2 reaches no relay: add a line station 2 via ..");
    refuses("stations 2\nrelays 2\nstation 1-3 via 1 2\nclient 1 2 via 1",
            "t:3: '3': there are only 2 stations");
    refuses("stations 2\nrelays 2\nstation 1 2 via 1 3\nclient 1 2 via 1",
            "t:3: '3': there are only 2 relays");
    refuses("stations 2\nrelays 2\nstation 1 2 via 1 1\nclient 1 2 via 1",
            "t:3: '1': relay appears twice");
    refuses("stations 2\nrelays 2\nstation 1 2 via 1\nstation 2 via 1\nclient 1 2 via 1",
            "t:4: '2': station appears twice");
    refuses_keys("stations 2\nrelays 2\nstation 1 2 via 1\nclient 1 2 via 1 2 relays 1 1",
                 "t:4: '1': relay appears twice");
    refuses_keys("stations 2\nrelays 2\nstation 1 2 via 1\nclient 1 2 via 1 2 relays 2",
                 "t:4: 'relays': one relay is needed for every station that gets a share");
    refuses_keys(
        "stations 3\nrelays 3\nstation 1-3 via 1-3\nclient 1 2 via 1-3 shares 1 2 relays 1-3",
        "t:4: 'relays': one relay is needed for every station that gets a share");
    refuses_keys("stations 2\nrelays 2\nstation 1 via 1\nstation 2 via 1 2\n"
                 "client 1 2 via 1 2 relays 2 1",
                 "t:5: '2': relays matches this relay with station 1, which does not reach it");
    refuses_keys("stations 3\nrelays 2\nstation 1 2 via 1\nstation 3 via 2\n"
                 "client 1 2 via 1-3 shares 3 1 relays 1 2",
                 "t:5: '1': relays matches this relay with station 3, which does not reach it");
    refuses_keys("stations 2\nclient 1 2 via 1 2 relays 2 1", "t:2: '2': there are only 0 relays");
    refuses_keys("stations 2\nrelays 2\nstation 1 2 via 1 2\nclient 1 2 via 1 2 relays 3 1",
                 "t:4: '3': there are only 2 relays");
    refuses_keys("stations 2\nrelays 2\nstation 1 2 via 1 2\nclient 1 2 via 1 2 key-relays 1 2",
                 "t:4: 'key-relays': under partial collusion keys go from station to station");
    refuses_keys("stations 2\nrelays 2\nstation 1 2 via 1 2\ncollude full stations=1\n"
                 "client 1 2 via 1 2 key-relays 2 2",
                 "t:5: '2': relay appears twice");
    refuses_keys("stations 3\nrelays 3\nstation 1-3 via 1-3\ncollude full stations=1\n"
                 "client 1 2 via 1-3 keys 1 2 relays 1-3 key-relays 1-3",
                 "t:5: 'key-relays': one relay is needed for every station that gets a share");
    refuses_keys(
        "stations 2\nrelays 2\nstation 1 via 1\nstation 2 via 1 2\ncollude full stations=1\n"
        "client 1 2 via 1 2 keys 2 1 relays 1 2 key-relays 1 2",
        "t:6: '2': key-relays matches this relay with station 1, which does not reach it");
    refuses_keys(
        "stations 3\nrelays 3\nstation 1-3 via 1-3\ncollude partial stations=1 relays=2\n"
        "client 1 2 via 1 2 relays 1 2",
        "t:5: 'via': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 "
        "are needed");
    refuses_keys(
        "stations 3\nrelays 3\nstation 1-3 via 1-3\ncollude full stations=1 relays=2\n"
        "client 1 2 via 1-3 relays 1-3",
        "t:5: 'via': 3 stations are too few: 3 may collude and 0 may be missing, so at least 4 "
        "are needed");
    refuses_keys(
        "stations 4\nrelays 4\nstation 1-4 via 1-4\ncollude full stations=1 relays=2\n"
        "client 1 2 via 1-4 keys 1-3 key-relays 1-3",
        "t:5: 'keys': 3 stations are too few: 3 may collude and 0 may be missing, so at least "
        "4 are needed");
    refuses_keys(
        "stations 4\nrelays 4\nstation 1-4 via 1-4\ncollude partial relays=1\n"
        "drop stations=1 relays=2\nclient 1 2 via 1-3 relays 1-3",
        "t:6: 'via': 3 stations are too few: 1 may collude and 3 may be missing, so at least 8 "
        "are needed");
    /* if relays are not chosen yet, only the stations that may collude or be missing count */
    refuses_keys(
        "stations 3\nrelays 3\nstation 1-3 via 1-3\ncollude partial stations=2\n"
        "client 1 2 via 1-2",
        "t:5: 'via': 2 stations are too few: 2 may collude and 0 may be missing, so at least 3 "
        "are needed");
}

static void checks_transformations(void)
{
    refuses("stations 2\ntransform\nclient 1 2 via 1", "t:2: 'transform': must be direct");
    refuses("stations 2\ntransform transport\nclient 1 2 via 1",
            "t:2: 'transport': must be direct");
    refuses("stations 2\ntransform direct now\nclient 1 2 via 1", "t:2: 'now': is an extra word");
    refuses("transform direct\ntransform direct", "t:2: 'transform': appears twice");
    refuses_keys("stations 2\ntransform direct\nclient 1 2 via 1",
                 "t: transform needs relays: remove transform, or add a line relays N");
    refuses_keys("stations 2\nrelays 3\ntransform direct\nstation 1 via 1-3\nstation 2 via 1 3\n"
                 "client 1 2 via 1 2 relays 1 2",
                 "t:6: '2': relays matches this relay with station 2, which does not reach it");
    refuses_keys(
        "stations 2\nrelays 3\ntransform direct\nstation 1 2 via 1-3\n"
        "collude partial relays=2\nclient 1 2 via 1 2 relays 1 2",
        "t:6: 'relays': 2 relays are too few: 2 may collude and 0 may be missing, so at least "
        "3 are needed");
    refuses_keys(
        "stations 2\nrelays 3\ntransform direct\nstation 1 2 via 1-3\n"
        "collude full relays=0\ndrop relays=2\nclient 1 2 via 1 2 key-relays 1 2",
        "t:7: 'key-relays': 2 relays are too few: 0 may collude and 2 may be missing, so at "
        "least 5 are needed");
    refuses_keys(
        "stations 2\nrelays 2\ncollude full relays=3\nstation 1 2 via 1 2\nclient 1 2 via 1 2",
        "t:3: 'relays=3': there are 2 relays, and not all of them may collude: use relays=1 at "
        "most, or more relays");
    refuses_keys(
        "relays 2\ndrop relays=1\ncollude full relays=1000000\nstations 2\n"
        "station 1 2 via 1 2\nclient 1 2 via 1 2",
        "t:3: 'relays=1000000': there are 2 relays, 1 of which may be missing, and not all "
        "others may collude: use relays=0 at most, or more relays");
    refuses_keys("stations 2\nrelays 3\ntransform direct\nstation 1 2 via 1-3\n"
                 "client 1 2 via 1 2 relays 1 2 1",
                 "t:5: '1': relay appears twice");
}

/* Fewest holders that two sets of k of n holders have in common, found by trying all. */
static int fewest_common(unsigned n, unsigned k)
{
    int fewest = (int)n;

    for (unsigned a = 0; a < 1u << n; a++)
        for (unsigned b = 0; b < 1u << n; b++)
            if (__builtin_popcount(a) == (int)k && __builtin_popcount(b) == (int)k &&
                __builtin_popcount(a & b) < fewest)
                fewest = __builtin_popcount(a & b);
    return fewest;
}

/* Parses the topology with n, z and t in place of N, Z and T: of n holders z may collude and t may
 * be missing. */
static enum hagg_status status_of(const char *with, unsigned n, unsigned z, unsigned t,
                                  char *message)
{
    struct hagg_err err = { 0 };
    struct text text = { 0 };
    struct topology topology;

    for (; *with; with++)
        if (strchr("NZT", *with))
            text_printf(&text, "%u", *with == 'N' ? n : *with == 'Z' ? z : t);
        else
            text_printf(&text, "%c", *with);
    if (topology_parse(&topology, "t", text.bytes, text.len, &err) == 0)
        topology_free(&topology);
    text_free(&text);
    strcpy(message, err.text);
    return err.status;
}

/* The largest drop that the message names works, and the next one does not. */
static void advises(const char *with, unsigned n, unsigned z, const char *message)
{
    const char *advice = strstr(message, "use drop ");
    char other[sizeof((struct hagg_err *)0)->text];
    unsigned most;

    if (!CHECK(advice != NULL))
        return;
    most = (unsigned)atoi(strpbrk(advice, "0123456789"));
    CHECK(status_of(with, n, z, most, other) == HAGG_OK);
    CHECK(status_of(with, n, z, most + 1, other) != HAGG_OK);
}

/* Two sets of holders that can decode have one holder in common who does not collude. */
static void has_one_total(void)
{
    static const char *const texts[] = {
        "collude partial stations=Z\ndrop stations=T\nstations N\nclient 1 2 via 1-N",
        "protocol keys\n"
        "collude partial stations=Z\ndrop stations=T\nstations N\nclient 1 2 via 1-N",
        "protocol keys\n"
        "collude full stations=Z\ndrop stations=T\nstations 99\nclient 1 2 via 1-99 keys 1-N",
        "protocol keys\n"
        "collude full stations=0 relays=Z\ndrop relays=T\nrelays N\nstations 99\n"
        "station 1-99 via 1-N\n"
        "client 1 2 via 1-99",
        "protocol keys\n"
        "collude partial stations=0 relays=Z\ndrop stations=T\nrelays 99\nstations N\n"
        "station 1-N via 1-99\n"
        "client 1 2 via 1-N relays 1-N",
        "protocol keys\n"
        "collude full stations=0 relays=Z\ndrop relays=T\nrelays 99\nstations 1\n"
        "transform direct\n"
        "station 1 via 1-99\nclient 1 2 via 1 key-relays 1-N",
    };
    char message[sizeof((struct hagg_err *)0)->text];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned n = 2; n <= 7; n++)
            for (unsigned z = 0; z <= 7; z++)
                for (unsigned t = 0; t <= 7; t++) {
                    enum hagg_status status = status_of(texts[i], n, z, t, message);

                    if (z + t >= n)
                        CHECK(status == HAGG_E_MALFORMED);
                    else
                        CHECK(status ==
                              (fewest_common(n, n - t) > (int)z ? HAGG_OK : HAGG_E_PRIVACY));
                    if (status == HAGG_E_PRIVACY)
                        advises(texts[i], n, z, message);
                }
}

/* The advice is for the smallest set. With shares that relays pass on, missing nodes of both tiers
 * add up. */
static void advises_for_all(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "collude partial stations=1\ndrop stations=3\nstations 9\nclient 1 via 1-7\n"
          "client 2 via 1-5\nclient 3 via 1-6\nprotocol keys",
          "t:5: 'via': 5 stations are too few: 1 may collude and 3 may be missing, so two totals "
          "of "
          "one round could be decoded: use drop stations=1 at most, or at least 8 stations" },
        { "collude full stations=1 relays=1\ndrop stations=1 relays=1\nstations 6\nrelays 6\n"
          "station 1-6 via 1-6\nclient 1 2 via 1-6 relays 1-6\nprotocol keys",
          "t:6: 'via': 6 stations are too few: 2 may collude and 2 may be missing, so two totals "
          "of "
          "one round could be decoded: use drop stations and relays that add up to 1 at most, or "
          "at least 7 stations" },
        { "collude full relays=0\ndrop relays=1\nstations 3\nrelays 4\ntransform direct\n"
          "station 1-3 via 1-4\nclient 1 2 via 1-3 relays 1 2\nprotocol keys",
          "t:7: 'relays': 2 relays are too few: 0 may collude and 1 may be missing, so two totals "
          "of one round could be decoded: use drop relays=0, or at least 3 relays" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hagg_err err = { 0 };
        struct topology t;

        CHECK(topology_parse(&t, "t", cases[i].text, strlen(cases[i].text), &err) == -1);
        CHECK(err.status == HAGG_E_PRIVACY);
        CHECK_STR(err.text, cases[i].want);
    }
}

int main(void)
{
    checks_what_belongs_together();
    keeps_protocols_apart();
    protects_against_single_nodes();
    holds_clients_to_the_minimum();
    checks_relays();
    checks_transformations();
    has_one_total();
    advises_for_all();
    return check_end();
}
