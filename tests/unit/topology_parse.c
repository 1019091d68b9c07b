#include "topology/topology.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "topology_text.h"

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
    refuses(
        "scheme ../ramp",
        "t:1: '../ramp': scheme '../ramp' has an invalid name: use 1 to 64 characters from a-z, "
        "0-9 and -");
    refuses("scheme ramp 2", "t:1: '2': is an extra word");
    refuses("samples 1", "t:1: '1': unknown word '1': use most=");
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
    refuses("quantize", "t:1: 'quantize': needs bits=.., levels=.., ternary or sign");
    refuses("quantize bits=8", "t:1: 'quantize': needs clip=..");
    refuses("quantize clip=1", "t:1: 'quantize': needs bits=.., levels=.., ternary or sign");
    refuses("quantize bits=max", "t:1: 'quantize': needs clip=..");
    refuses("quantize levels=5", "t:1: 'quantize': needs clip=..");
    refuses("quantize ternary", "t:1: 'quantize': needs clip=..");
    refuses("quantize sign", "t:1: 'quantize': needs clip=..");
    refuses("quantize levels=1 clip=1", "t:1: 'levels=1': number must be at least 2");
    refuses("quantize levels=9007199254740993 clip=1",
            "t:1: 'levels=9007199254740993': number must be at most 9007199254740992");
    refuses("quantize levels=max clip=1", "t:1: 'levels=max': is not a number");
    refuses("quantize levels=3 bits=2 clip=1",
            "t:1: 'quantize': must have only one of bits=, levels=, ternary and sign");
    refuses("quantize bits=max ternary clip=1",
            "t:1: 'quantize': must have only one of bits=, levels=, ternary and sign");
    refuses("quantize sign ternary clip=1",
            "t:1: 'quantize': must have only one of bits=, levels=, ternary and sign");
    refuses("quantize sign clip=1 rounding=nearest",
            "t:1: 'quantize': sign has no rounding: remove rounding=");
    refuses("quantize sign=1 clip=1", "t:1: 'sign=1': 'sign' does not accept a value");
    refuses("quantize bits=max bits=8 clip=1", "t:1: 'bits=8': appears twice");
    refuses("quantize bits=most clip=1", "t:1: 'bits=most': is not a number");
    refuses("quantize bits=1 clip=1", "t:1: 'bits=1': number must be at least 2");
    refuses("quantize bits=63 clip=1", "t:1: 'bits=63': number must be at most 62");
    refuses("quantize bits=8 bits=8 clip=1", "t:1: 'bits=8': appears twice");
    refuses("quantize bits=8 clip=1 clip=1", "t:1: 'clip=1': appears twice");
    refuses("quantize bits=8 clip=1 scale=2", "t:1: 'scale=2': unknown word 'scale': use bits=, "
                                              "levels=, clip=, rounding=, ternary or sign");
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
        snprintf(want, sizeof want, "t:1: 'clip=%s': clip must be a number from 1e-200 to 1e200",
                 *clip);
        refuses(text, want);
    }
}

#define TOLERATE "collude full stations=2 tolerate "

static void checks_promises(void)
{
    struct topology t;

    refuses("collude full stations=2 tolerate",
            "t:1: 'tolerate': needs a promise after it, as in tolerate 1/4 at 3");
    refuses(TOLERATE "0/4 at 3", "t:1: '0/4': must be a fraction of a vector between 0 and 1, as "
                                 "in 1/4");
    refuses(TOLERATE "4/4 at 3", "t:1: '4/4': must be a fraction of a vector between 0 and 1, as "
                                 "in 1/4");
    refuses(TOLERATE "1/4 on 3", "t:1: '1/4': must be followed by at and a number of stations");
    refuses(TOLERATE "1/4 at", "t:1: 'at': needs a number of stations after it");
    refuses(TOLERATE "1/4 at 3 1/2 at 3", "t:1: '3': must be more stations than the 3 before");
    refuses(TOLERATE "1/4 at 3 2/8 at 4",
            "t:1: '2/8': must be more than the 1/4 before: more stations learn more");
    refuses(TOLERATE "1/19 at 3 1/18 at 4 1/17 at 5 1/16 at 6 1/15 at 7 1/14 at 8 1/13 at 9 "
                     "1/12 at 10 1/11 at 11",
            "t:1: '1/11': is too much: a plan has up to 8 promises");
    accepts(&t, "field m31\n" TOLERATE "1/4 at 3 2/7 at 4\nstations 8\nclient 1-5 via 1-8");
    CHECK(t.n_tolerated == 2 && t.tolerated[1].stations == 4 && t.tolerated[1].den == 7);
    topology_free(&t);
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
    refuses(
        "client 1 via 2 three 3",
        "t:1: 'three': is neither a station nor computational, shares, keys, relays or key-relays");
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
    CHECK_STR(t.field, "auto");
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
    CHECK(topology_quantize(&q, "ternary,clip=1", &err) == 0);
    CHECK(q.bits == 0 && q.levels == 3 && q.rounding == HEADER_STOCHASTIC);
    CHECK(topology_quantize(&q, "ternary,clip=1,rounding=nearest", &err) == 0);
    CHECK(q.levels == 3 && q.rounding == HEADER_NEAREST);
    CHECK(topology_quantize(&q, "sign,clip=1", &err) == 0);
    CHECK(q.levels == 2 && q.rounding == HEADER_SIGN);
    CHECK(topology_quantize(&q, "bits=12,clip=x", &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "--quantize:1: 'clip=x': is not a number");
    CHECK(topology_quantize(&q, "", &err) == -1 && err.status == HAGG_E_USAGE);
    CHECK_STR(err.text, "--quantize:1: 'quantize': needs bits=.., levels=.., ternary or sign");
    CHECK(topology_quantize(&q, "bits=2,clip=1\nsamples", &err) == -1);
}

int main(void)
{
    names_line_and_word();
    checks_numbers();
    checks_counts();
    checks_quantisation();
    checks_promises();
    checks_lists();
    reads_all_there_is();
    refuses_other_bytes();
    takes_no_memory_for_promises();
    fails_cleanly_without_memory();
    reads_an_option();
    return check_end();
}
