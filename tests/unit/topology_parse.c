#include "topology/topology.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"

static void refuses(const char *text, const char *want)
{
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, want);
    CHECK(t.groups == NULL && t.clients == NULL && t.station_via == NULL && t.n_clients == 0);
}

/* The same for a topology with keys. */
static void refuses_keys(const char *text, const char *want)
{
    struct text with = { 0 };

    text_printf(&with, "%s\nprotocol keys\n", text);
    refuses(with.bytes, want);
    text_free(&with);
}

static void accepts(struct topology *t, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(topology_parse(t, "t", text, strlen(text), &err) == 0);
    CHECK_STR(err.text, "");
}

static void names_line_and_word(void)
{
    refuses("stationz 3", "t:1: 'stationz': unknown word: did you mean 'station'?");
    refuses("relay 3", "t:1: 'relay': unknown word: did you mean 'relays'?");
    refuses("quantise bits=8 clip=1", "t:1: 'quantise': unknown word: did you mean 'quantize'?");
    refuses("station 5", "t:1: '5': expected via and relays after the stations; to set the number "
                         "of stations, write stations N");
    refuses("link 1 2", "t:1: 'link': is not a keyword: see hagg-topology(5)");
    refuses("# a comment\n\n \t Client 1", "t:3: 'Client': unknown word: did you mean 'client'?");
    refuses("field", "t:1: 'field': needs the name of a field");
    refuses("field m31 m61", "t:1: 'm61': is an extra word");
    refuses("field m31\nfield m61", "t:2: 'field': appears twice");
    refuses("scheme", "t:1: 'scheme': needs the name of a scheme");
    refuses("scheme ../ramp", "t:1: '../ramp': needs the name of a scheme");
    refuses("scheme ramp 2", "t:1: '2': is an extra word");
    refuses("samples 1", "t:1: '1': is an extra word");
    refuses("samples\n\nsamples", "t:3: 'samples': appears twice");
}

static void checks_numbers(void)
{
    refuses("length", "t:1: 'length': needs a number after it");
    refuses("length 0", "t:1: '0': number must be at least 1");
    refuses("length -1", "t:1: '-1': is not a number");
    refuses("length +1", "t:1: '+1': is not a number");
    refuses("length 1e3", "t:1: '1e3': is not a number");
    refuses("length 007", "t:1: '007': number has a leading zero");
    refuses("length 281474976710657",
            "t:1: '281474976710657': number must be at most 281474976710656");
    refuses("length 18446744073709551617",
            "t:1: '18446744073709551617': number must be at most 281474976710656");
    refuses("length 1 2", "t:1: '2': is an extra word");
    refuses("minimum 0", "t:1: '0': number must be at least 1");
    refuses("minimum 1000001", "t:1: '1000001': number must be at most 1000000");
    refuses("stations 0", "t:1: '0': number must be at least 1");
    refuses("stations 65536", "t:1: '65536': number must be at most 65535");
    refuses("relays 65536", "t:1: '65536': number must be at most 65535");
    refuses("relays 1\nrelays 1", "t:2: 'relays': appears twice");
}

static void checks_counts(void)
{
    refuses("collude", "t:1: 'collude': must be partial or full");
    refuses("collude half stations=1", "t:1: 'half': must be partial or full");
    refuses("collude full", "t:1: 'full': needs a count after it, as in stations=1");
    refuses("collude full stations", "t:1: 'stations': 'stations' needs a value, as in stations=1");
    refuses("collude full station=2",
            "t:1: 'station=2': unknown word 'station': did you mean 'stations'?");
    refuses("collude full clients=1 banks=2",
            "t:1: 'banks=2': unknown word 'banks': use clients=, stations= or relays=");
    refuses("collude full clients=1,stations=2",
            "t:1: 'clients=1,stations=2': contains a comma: separate words with spaces or tabs");
    refuses("collude full Stations=1",
            "t:1: 'Stations=1': unknown word 'Stations': did you mean 'stations'?");
    refuses("collude full stations=", "t:1: 'stations=': is not a number");
    refuses("collude full stations=x", "t:1: 'stations=x': is not a number");
    refuses("collude full stations=1x", "t:1: 'stations=1x': is not a number");
    refuses("collude full stations=01", "t:1: 'stations=01': number has a leading zero");
    refuses("collude full stations=1000001",
            "t:1: 'stations=1000001': number must be at most 1000000");
    refuses("collude full relays=1 relays=1", "t:1: 'relays=1': appears twice");
    refuses("drop", "t:1: 'drop': needs a count after it, as in stations=1");
    refuses("drop clients", "t:1: 'clients': 'clients' needs a value, as in clients=1");
    refuses("drop relay=1", "t:1: 'relay=1': unknown word 'relay': did you mean 'relays'?");
    refuses("drop clients=1 relays=0 clients=1", "t:1: 'clients=1': appears twice");
}

static void checks_quantisation(void)
{
    refuses("quantize", "t:1: 'quantize': needs bits=.. and clip=..");
    refuses("quantize bits=8", "t:1: 'quantize': needs bits=.. and clip=..");
    refuses("quantize clip=1", "t:1: 'quantize': needs bits=.. and clip=..");
    refuses("quantize bits=max", "t:1: 'quantize': needs bits=.. and clip=..");
    refuses("quantize bits=max bits=8 clip=1", "t:1: 'bits=8': appears twice");
    refuses("quantize bits=most clip=1", "t:1: 'bits=most': is not a number");
    refuses("quantize bits=1 clip=1", "t:1: 'bits=1': number must be at least 2");
    refuses("quantize bits=63 clip=1", "t:1: 'bits=63': number must be at most 62");
    refuses("quantize bits=8 bits=8 clip=1", "t:1: 'bits=8': appears twice");
    refuses("quantize bits=8 clip=1 clip=1", "t:1: 'clip=1': appears twice");
    refuses("quantize bits=8 clip=1 scale=2",
            "t:1: 'scale=2': unknown word 'scale': use bits=, clip= or rounding=");
    refuses("quantize bit=8 clip=1", "t:1: 'bit=8': unknown word 'bit': did you mean 'bits'?");
    refuses("quantize bits=8 clip=1 rounding=up",
            "t:1: 'rounding=up': must be nearest or stochastic");
    for (const char *const *clip =
             (const char *const[]){ "", "x", "inf", "nan", "0x1p3", "1f", " ", NULL };
         *clip; clip++) {
        char text[64], want[96];

        snprintf(text, sizeof text, "quantize bits=8 clip=%s", *clip);
        snprintf(want, sizeof want, "t:1: 'clip=%s': is not a number", **clip == ' ' ? "" : *clip);
        refuses(text, want);
    }
    for (const char *const *clip =
             (const char *const[]){ "0", "-1", "-0.0", "1e999", "1e-999", "1-", "1e", ".", NULL };
         *clip; clip++) {
        char text[64], want[96];

        snprintf(text, sizeof text, "quantize bits=8 clip=%s", *clip);
        snprintf(want, sizeof want, "t:1: 'clip=%s': clip must be a finite number above 0", *clip);
        refuses(text, want);
    }
}

static void checks_lists(void)
{
    refuses("client", "t:1: 'client': needs numbers after it");
    refuses("client x via 1", "t:1: 'client': needs numbers after it");
    refuses("client -1 via 1", "t:1: 'client': needs numbers after it");
    refuses("client 1", "t:1: '1': expected via and stations after the clients");
    refuses("client 1 to 2", "t:1: 'to': expected via and stations after the clients");
    refuses("client 1 via", "t:1: 'via': needs numbers after it");
    refuses("client 1 via x", "t:1: 'via': needs numbers after it");
    refuses("client 0 via 1", "t:1: '0': numbers start at 1");
    refuses("client 0-3 via 1", "t:1: '0-3': numbers start at 1");
    refuses("client 3-2 via 1", "t:1: '3-2': range runs backwards");
    refuses("client 1- via 1", "t:1: '1-': is not a number");
    refuses("client 1-x via 1", "t:1: '1-x': is not a number");
    refuses("client 1--2 via 1", "t:1: '1--2': is not a number");
    refuses("client 1-2-3 via 1", "t:1: '1-2-3': is neither a number nor a range");
    refuses("client 1,2 via 1", "t:1: '1,2': is neither a number nor a range");
    refuses("client 1-02 via 1", "t:1: '1-02': number has a leading zero");
    refuses("client 4294967296 via 1", "t:1: '4294967296': number must be at most 4294967295");
    refuses("client 1 via 65536", "t:1: '65536': number must be at most 65535");
    refuses("client 1 via 2 three 3",
            "t:1: 'three': is neither a station nor shares, keys, relays or key-relays");
    refuses("client 1 via 1 shares", "t:1: 'shares': needs numbers after it");
    refuses("client 1 via 1 keys 1 keys 1", "t:1: 'keys': appears twice");
    refuses("client 1 via 1 shares 1 relays 1 shares 1", "t:1: 'shares': appears twice");
    refuses("client 1 via 1 relays 1 relays 1", "t:1: 'relays': appears twice");
    refuses("client 1 via 1 key-relays 1 key-relays 1", "t:1: 'key-relays': appears twice");
    refuses("client 1 via 1 key-relays", "t:1: 'key-relays': needs numbers after it");
    refuses("station", "t:1: 'station': needs numbers after it");
    refuses("station 1", "t:1: '1': expected via and relays after the stations; to set the number "
                         "of stations, write stations N");
    refuses("station 1 via 1 keys", "t:1: 'keys': is an extra word");
}

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
            "are needed");
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
            "are needed");
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

static void reads_all_there_is(void)
{
    struct topology t;
    const struct topology_group *g;

    accepts(&t, "\r\n# caf\xc3\xa9\n\tfield  prime:p=1000003\t# a comment\r\nscheme additive\r\n"
                "collude full clients=3 relays=1 stations=1\n"
                "quantize rounding=stochastic clip=.5e1 bits=62\nsamples\n"
                "length 281474976710656\nminimum 3\nstations 9\nrelays 9\n"
                "station 7-9 1-5 via 4 1-2 8 6\nstation 6 via 9 7\n"
                "client 4294967295 10 7 via 9 3-8 shares 8 3-6 keys 9 4-7 relays 4 1 2 6 9 "
                "key-relays 8 4 2 7 1\nprotocol keys");
    CHECK_STR(t.field, "prime:p=1000003");
    CHECK_STR(t.scheme, "additive");
    CHECK(t.full && t.collude_clients == 3 && t.collude_stations == 1 && t.collude_relays == 1);
    CHECK(t.drop_clients == 0 && t.drop_stations == 0 && t.drop_relays == 0);
    CHECK(t.quant.bits == 62 && t.quant.clip == 5 && t.quant.rounding == HEADER_STOCHASTIC);
    CHECK(t.samples && t.length == 1ull << 48 && t.minimum == 3);
    CHECK(t.n_stations == 9 && t.n_relays == 9 && t.n_groups == 1 && t.n_clients == 3);
    CHECK(t.clients[0].number == 7 && t.clients[1].number == 10);
    CHECK(t.clients[2].number == UINT32_MAX);
    for (uint32_t u = 0; u < 9; u++)
        CHECK(t.station_via[u].n == (u == 5 ? 2 : 5) &&
              t.station_via[u].numbers[0] == (u == 5 ? 7 : 1) &&
              t.station_via[u].numbers[1] == (u == 5 ? 9 : 2));
    g = &t.groups[0];
    CHECK(g->via.n == 7 && g->via.numbers[0] == 3 && g->via.numbers[6] == 9);
    CHECK(g->shares.n == 5 && g->shares.numbers[0] == 8 && g->shares.numbers[1] == 3);
    CHECK(g->keys.n == 5 && g->keys.numbers[0] == 9 && g->keys.numbers[1] == 4);
    CHECK(g->relays.n == 5 && g->relays.numbers[0] == 4 && g->relays.numbers[4] == 9);
    CHECK(g->key_relays.n == 5 && g->key_relays.numbers[0] == 8 && g->key_relays.numbers[3] == 7);
    CHECK(topology_client(&t, 10) == &t.clients[1] && topology_client(&t, 8) == NULL);
    CHECK(topology_client(&t, UINT32_MAX) == &t.clients[2] && topology_client(&t, 0) == NULL);
    topology_free(&t);
    topology_free(&t);
    accepts(&t, "stations 2\nclient 1 2 via 1 2");
    CHECK_STR(t.field, "m31");
    CHECK_STR(t.scheme, "aligned");
    CHECK(t.aligned && !t.full && t.minimum == 2 && t.length == 0 && t.quant.bits == 0 &&
          !t.samples);
    topology_free(&t);
}

/* Bytes that are not allowed in a topology. */
static void refuses_other_bytes(void)
{
    static const char nul[] = "stations 2\nclient 1\0 2 via 1\n";
    struct hagg_err err = { 0 };
    struct topology t;

    CHECK(topology_parse(&t, "t", nul, sizeof nul - 1, &err) == -1);
    CHECK_STR(err.text, "t:2: '': contains a NUL byte: this is not a topology");
    refuses("stations 2\n\x01 3", "t:2: '? 3': contains characters that are not printable ASCII");
    refuses("stations\x7f", "t:1: 'stations?': contains characters that are not printable ASCII");
    refuses("stations\r 2", "t:1: 'stations? 2': contains characters that are not printable ASCII");
    refuses("caf\xc3\xa9", "t:1: 'caf\xc3\xa9': contains characters that are not printable ASCII");
}

/* A short text that declares large numbers must not use much memory. */
static void hostile(const char *text, size_t most_bytes)
{
    struct hagg_err err = { 0 };
    struct topology t;

    alloc_watch();
    CHECK(topology_parse(&t, "t", text, strlen(text), &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    if (!CHECK(alloc_bytes() < most_bytes))
        fprintf(stderr, "%zu bytes for: %.60s\n", alloc_bytes(), text);
}

static void takes_no_memory_for_promises(void)
{
    const size_t mega = 1 << 20;
    size_t n = 4 * mega;
    char *text = malloc(n + 1);

    hostile("client 1-4294967295 via 1", mega);
    hostile("client 1-1000001 via 1", mega);
    hostile("client 1-1000000 1-1000000 via 1", mega);
    hostile("client 1 via 1-65535 1-65535", mega);
    hostile("stations 65535\nrelays 65535\nstation 1-65535 via 1-65535\nclient 1-2 via 1",
            8 * mega);
    /* one word, then many words, in one line */
    memset(text, '7', n);
    text[n] = 0;
    hostile(text, 3 * n);
    memcpy(text, "field a", 7);
    hostile(text, 3 * n);
    memset(text, ' ', n);
    for (size_t i = 0; i < n; i += 2)
        text[i] = 'x';
    hostile(text, 40 * n);
    memset(text, '\n', n);
    hostile(text, 3 * n);
    free(text);
}

static void fails_cleanly_without_memory(void)
{
    static const char text[] = "stations 3\nrelays 3\nstation 1-3 via 1-3\n"
                               "collude full stations=1\nclient 1 2 via 1-3 shares 3 2 1 relays "
                               "1-3 keys 2 3 key-relays 3 1\nclient 3 via 1-2\nprotocol keys";

    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        struct topology t;
        int status;

        alloc_refuse(at);
        status = topology_parse(&t, "t", text, strlen(text), &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        if (alloc_refused())
            CHECK_STR(err.text, "t: Cannot allocate memory");
        topology_free(&t);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
}

static void reads_an_option(void)
{
    struct header_quant q = { 0 };
    struct hagg_err err = { 0 };

    CHECK(topology_quantize(&q, "bits=12,rounding=stochastic,clip=2.5", &err) == 0);
    CHECK(q.bits == 12 && q.clip == 2.5 && q.rounding == HEADER_STOCHASTIC);
    CHECK(topology_quantize(&q, "clip=1,bits=2", &err) == 0);
    CHECK(q.bits == 2 && q.clip == 1 && q.rounding == HEADER_NEAREST);
    CHECK(topology_quantize(&q, "bits=12,clip=x", &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "--quantize:1: 'clip=x': is not a number");
    CHECK(topology_quantize(&q, "", &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "--quantize:1: 'quantize': needs bits=.. and clip=..");
    CHECK(topology_quantize(&q, "bits=2,clip=1\nsamples", &err) == -1);
}

int main(void)
{
    names_line_and_word();
    checks_numbers();
    checks_counts();
    checks_quantisation();
    checks_lists();
    checks_what_belongs_together();
    keeps_protocols_apart();
    protects_against_single_nodes();
    holds_clients_to_the_minimum();
    checks_relays();
    checks_transformations();
    has_one_total();
    advises_for_all();
    reads_all_there_is();
    refuses_other_bytes();
    takes_no_memory_for_promises();
    fails_cleanly_without_memory();
    reads_an_option();
    return check_end();
}
