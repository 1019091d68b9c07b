#include "round/round.h"

#include "alloc.h"
#include "check.h"
#include "round/emit.h"
#include "round/needs.h"
#include "feed.h"

/* Three tiers, a station without shares and a station without keys, both in the chain. */
static const char partial[] =
    "collude partial stations=1 relays=1\nlength 3\nstations 4\nrelays 3\n"
    "station 1-4 via 1-3\n"
    "client 1 via 1-3 shares 1-3 keys 2 relays 1-3\n"
    "client 2 5 via 1-4 shares 2 3 1 keys 3 relays 1-3\n";

static void load(struct plan *p, const char *text)
{
    struct hagg_err err = { 0 };

    CHECK(plan_load(p, strstr(text, "protocol") ? feed_file(text, strlen(text)) : feed_keys(text),
                    &err) == 0);
    CHECK_STR(err.text, "");
}

static struct round_options options_of(const struct plan *p)
{
    return (struct round_options){
        .plan = p,
        .plan_path = "plan",
        .number = 7,
        .vectors = "v-{}",
        .directory = "w",
    };
}

static const struct step_layer *layer(const struct round *r, const char *name)
{
    for (size_t i = 0; i < r->n_layers; i++)
        if (strcmp(r->layers[i].name, name) == 0)
            return &r->layers[i];
    CHECK(!"there is such a layer");
    return &r->layers[0];
}

static void has_names(const struct step_names *names, const char *want)
{
    char all[1000] = "";

    for (size_t i = 0; i < names->n; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? " " : "",
                 names->names[i]);
    CHECK_STR(all, want);
}

/* Checks which layers a layer needs. */
static void has_needs(const struct round *r, const char *name, const char *want)
{
    size_t at = (size_t)(layer(r, name) - r->layers);
    char all[1000] = "";

    for (size_t i = 0; i < r->n_layers; i++)
        if (r->needs[at][i])
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? " " : "",
                     r->layers[i].name);
    CHECK_STR(all, want);
}

/* A step carries at most 100 files. */
static void sends_in_parts(void)
{
    static const char text[] = "collude full stations=1\nlength 3\nstations 250\n"
                               "client 1-3 via 1-250 shares 1-250 keys 1-250\n";
    struct hagg_err err = { 0 };
    struct plan p;
    struct round r;
    struct round_options o;
    const struct step_layer *l;

    load(&p, text);
    o = options_of(&p);
    CHECK(round_new(&r, &o, &err) == 0);
    l = layer(&r, "sendshares");
    CHECK(l->n == 9 && l->steps[2].node == 1 && l->steps[3].node == 2);
    CHECK(l->steps[0].outputs.n == 101 && l->steps[1].outputs.n == 101);
    CHECK(l->steps[2].outputs.n == 51);
    CHECK_STR(l->steps[0].outputs.names[0], "w/round-7/client-1/out/shares.sent");
    CHECK_STR(l->steps[1].outputs.names[0], "w/round-7/client-1/out/shares-2.sent");
    CHECK_STR(l->steps[1].outputs.names[1], "w/round-7/station-101/in/client-1.cbor");
    CHECK_STR(l->steps[2].outputs.names[0], "w/round-7/client-1/out/shares-3.sent");
    CHECK_STR(l->steps[1].words[l->steps[1].n_words - 1].text,
              "w/round-7/client-1/out/shares-2.sent");
    CHECK(layer(&r, "sendroster")->n == 3);
    round_free(&r);
    plan_free(&p);
}

static void finds_dependencies(void)
{
    struct hagg_err err = { 0 };
    struct plan p;
    struct round r;
    struct round_options o;

    load(&p, partial);
    o = options_of(&p);
    CHECK(round_new(&r, &o, &err) == 0);
    CHECK_STR(r.base, "w/round-7");
    CHECK_STR(r.result, "w/round-7/federator/total.npy");
    CHECK(r.n_layers == 17);
    CHECK(layer(&r, "keys")->n == 3 && layer(&r, "shares")->n == 3 && layer(&r, "sums")->n == 3);
    /* from station 2, the first with a key, to station 4, which receives nothing from clients */
    CHECK(layer(&r, "chain")->n == 6 && layer(&r, "chain")->steps[0].node == 2);
    CHECK(layer(&r, "relay")->n == 3 && layer(&r, "total")->n == 1);
    has_names(&layer(&r, "shares")->steps[1].inputs, "w/round-7/client-2/private/key.cbor v-2");
    has_names(&layer(&r, "shares")->steps[1].outputs,
              "w/round-7/client-2/out/station-1.cbor w/round-7/client-2/out/station-2.cbor "
              "w/round-7/client-2/out/station-3.cbor");
    /* sent only if the client has noted it in its own directory */
    has_names(&layer(&r, "sendshares")->steps[1].inputs,
              "w/round-7/client-2/out/station-1.cbor w/round-7/client-2/out/station-2.cbor "
              "w/round-7/client-2/out/station-3.cbor");
    has_names(&layer(&r, "sendshares")->steps[1].outputs,
              "w/round-7/client-2/out/shares.sent w/round-7/station-1/in/client-2.cbor "
              "w/round-7/station-2/in/client-2.cbor w/round-7/station-3/in/client-2.cbor");
    has_names(&layer(&r, "sendshares")->steps[1].settled,
              "w/round-7/client-2/private w/round-7/station-1/private w/round-7/station-2/private "
              "w/round-7/station-3/private");
    /* client 1 sends its second share to station 2, clients 2 and 5 their first */
    has_names(&layer(&r, "sums")->steps[1].outputs, "w/round-7/station-2/out/relay-1.cbor "
                                                    "w/round-7/station-2/out/relay-2.cbor");
    has_names(&layer(&r, "chain")->steps[4].inputs, "w/round-7/station-4/in/keys.cbor");
    has_names(&layer(&r, "chain")->steps[4].outputs, "w/round-7/station-4/out/keys-relay-1.cbor");
    has_names(&layer(&r, "chain")->steps[5].outputs,
              "w/round-7/station-4/out/keys-relay-1.sent w/round-7/relay-1/in/keys.cbor");
    has_names(&layer(&r, "relay")->steps[0].inputs,
              "w/round-7/relay-1/in/from-station-1.cbor w/round-7/relay-1/in/from-station-2.cbor "
              "w/round-7/relay-1/in/keys.cbor");
    /* station 4 receives nothing from clients, and does not report */
    CHECK(layer(&r, "reports")->n == 3 && layer(&r, "roster")->n == 1);
    has_names(&layer(&r, "roster")->steps[0].outputs, "w/round-7/federator/out/roster.cbor");
    has_names(&layer(&r, "relay")->steps[0].settled,
              "w/round-7/relay-1/private w/round-7/relay-1/in/roster.cbor");
    has_needs(&r, "clientdirs", "");
    has_needs(&r, "keys", "clientdirs");
    has_needs(&r, "shares", "clientdirs keys");
    has_needs(&r, "sendshares", "clientdirs stationdirs shares");
    has_needs(&r, "reports", "stationdirs sendshares");
    has_needs(&r, "sendreports", "stationdirs federatordirs reports");
    has_needs(&r, "roster", "federatordirs sendreports");
    has_needs(&r, "sendroster", "stationdirs relaydirs federatordirs roster");
    has_needs(&r, "sums", "stationdirs sendshares sendroster");
    has_needs(&r, "sendsums", "stationdirs relaydirs sums");
    has_needs(&r, "chain", "stationdirs relaydirs sendshares sendroster chain");
    has_needs(&r, "relay", "relaydirs sendroster sendsums chain");
    has_needs(&r, "sendrelay", "relaydirs federatordirs relay");
    has_needs(&r, "total", "federatordirs roster sendrelay");
    round_free(&r);
    plan_free(&p);
}

/* The part of a station: its own steps, one step for each file that it sends, and no file of
 * another node. */
static void takes_the_part_of_a_node(void)
{
    struct hagg_err err = { 0 };
    struct plan p;
    struct round r;
    struct round_options o;
    struct node node = { NODE_STATION, 2 };

    load(&p, partial);
    o = options_of(&p);
    o.node = &node;
    o.send = "send {file} {to} {name}";
    CHECK(round_new(&r, &o, &err) == 0);
    CHECK(r.n_layers == 6 && layer(&r, "sendsums")->n == 2);
    for (size_t i = 0; i < r.n_layers; i++)
        for (size_t j = 0; j < r.layers[i].n; j++)
            CHECK(r.layers[i].tier == STEP_STATION && r.layers[i].steps[j].node == 2);
    has_names(&layer(&r, "sendsums")->steps[1].inputs, "w/round-7/station-2/out/relay-2.cbor");
    has_names(&layer(&r, "sendsums")->steps[1].outputs,
              "w/round-7/station-2/out/sums-relay-2.sent");
    has_names(&layer(&r, "sendsums")->steps[1].settled, "w/round-7/station-2/private");
    CHECK_STR(layer(&r, "sendsums")->steps[1].receiver, "relay-2");
    CHECK_STR(layer(&r, "sendsums")->steps[1].words[2].text,
              "send w/round-7/station-2/out/relay-2.cbor relay-2 from-station-2.cbor");
    /* the report waits for clients, and the sums only for the roster */
    has_names(&layer(&r, "reports")->steps[0].expected,
              "w/round-7/station-2/in/client-1.cbor w/round-7/station-2/in/client-2.cbor "
              "w/round-7/station-2/in/client-5.cbor");
    has_names(&layer(&r, "reports")->steps[0].inputs, "");
    has_names(&layer(&r, "sums")->steps[0].inputs, "");
    CHECK(r.n_awaited == 4);
    CHECK(needs_awaits(&r, "w/round-7/station-2/in/client-5.cbor"));
    CHECK(needs_awaits(&r, "w/round-7/station-2/in/roster.cbor"));
    CHECK(!needs_awaits(&r, "w/round-7/station-2/out/report.cbor"));
    has_needs(&r, "sums", "stationdirs");
    has_needs(&r, "sendsums", "stationdirs sums");
    /* sending is not waited for, because the receiver may be away */
    has_needs(&r, "chain", "stationdirs");
    CHECK(r.cleaning[0].n == 0 && r.cleaning[1].n == 0);
    CHECK(r.cleaning[2].n == 0 && r.cleaning[3].n == 1);
    round_free(&r);
    node.number = 5;
    CHECK(round_new(&r, &o, &err) == -1 && err.status == HAGG_E_USAGE);
    plan_free(&p);
}

/* Client 7 reaches station 2 only, and client 8 stations 2 and 3. */
static const char couriers[] =
    "protocol aligned\ncollude full clients=1 stations=2\ndrop stations=1\nfallback computational\n"
    "length 3\nstations 5\nclient 1-3 via 1-5\nclient 7 via 2 shares 1-4\n"
    "client 8 via 2 3 shares 2-5\n"
    "identities ids 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n";

static void passes_on(void)
{
    struct node node = { NODE_STATION, 2 };
    struct hagg_err err = { 0 };
    struct round_options o;
    struct plan p;
    struct round r;

    load(&p, couriers);
    o = options_of(&p);
    CHECK(round_new(&r, &o, &err) == 0);
    CHECK(layer(&r, "passon")->n == 2 && layer(&r, "sendpassed")->n == 2);
    has_names(&layer(&r, "shares")->steps[3].outputs, "w/round-7/client-7/out/station-2.cbor");
    has_names(&layer(&r, "passon")->steps[0].inputs, "w/round-7/station-2/in/client-7.cbor");
    has_names(&layer(&r, "passon")->steps[0].outputs,
              "w/round-7/station-2/out/client-7-station-1.cbor "
              "w/round-7/station-2/out/client-7-station-3.cbor "
              "w/round-7/station-2/out/client-7-station-4.cbor");
    has_names(&layer(&r, "passon")->steps[1].outputs,
              "w/round-7/station-2/out/client-8-station-4.cbor "
              "w/round-7/station-2/out/client-8-station-5.cbor");
    has_names(&layer(&r, "sendpassed")->steps[1].outputs,
              "w/round-7/station-2/out/client-8.sent w/round-7/station-4/in/client-8-via-2.cbor "
              "w/round-7/station-5/in/client-8-via-2.cbor");
    has_names(&layer(&r, "reports")->steps[0].inputs,
              "w/round-7/station-1/in/client-1.cbor w/round-7/station-1/in/client-2.cbor "
              "w/round-7/station-1/in/client-3.cbor w/round-7/station-1/in/client-7-via-2.cbor");
    has_needs(&r, "passon", "stationdirs sendshares");
    has_needs(&r, "sendpassed", "stationdirs passon");
    has_needs(&r, "reports", "stationdirs sendshares sendpassed");
    CHECK(r.cleaning[2].n == 1);
    round_free(&r);
    /* in the part of the courier, a client does not wait for another one */
    o.node = &node;
    o.send = "send {file} {to} {name}";
    CHECK(round_new(&r, &o, &err) == 0);
    CHECK(layer(&r, "passon")->n == 2 && layer(&r, "sendpassed")->n == 5);
    has_needs(&r, "sendpassed", "stationdirs");
    for (size_t i = 0; i < 5; i++)
        CHECK_STR(layer(&r, "sendpassed")->steps[i].offered,
                  i < 3 ? "w/round-7/station-2/in/client-7.cbor"
                        : "w/round-7/station-2/in/client-8.cbor");
    CHECK_STR(r.roster, "w/round-7/station-2/in/roster.cbor");
    round_free(&r);
    plan_free(&p);
}

/* With station 2 missing, client 8 has another courier, and its files have other names. */
static void passes_on_through_another_station(void)
{
    struct header_range second = { 2, 2 }, most[] = { { 1, 3 }, { 8, 8 } };
    struct rangeset gone = { &second, 1, 0 }, clients = { most, 2, 0 };
    struct hagg_err err = { 0 };
    struct round_options o;
    struct plan p;
    struct round r;

    load(&p, couriers);
    o = options_of(&p);
    o.presence.missing[0] = &gone;
    CHECK(round_new(&r, &o, &err) == -1 && err.status == HAGG_E_TOO_FEW);
    o.presence.clients = &clients;
    CHECK(round_new(&r, &o, &err) == 0);
    has_names(&layer(&r, "shares")->steps[3].outputs,
              "w/round-7/client-8/out/station-3-via-3.cbor");
    has_names(&layer(&r, "shares")->steps[2].outputs,
              "w/round-7/client-3/out/station-1.cbor w/round-7/client-3/out/station-3.cbor "
              "w/round-7/client-3/out/station-4.cbor w/round-7/client-3/out/station-5.cbor");
    has_names(&layer(&r, "passon")->steps[0].outputs,
              "w/round-7/station-3/out/client-8-via-3-station-4.cbor "
              "w/round-7/station-3/out/client-8-via-3-station-5.cbor");
    has_names(&layer(&r, "sendpassed")->steps[0].outputs,
              "w/round-7/station-3/out/client-8-via-3.sent "
              "w/round-7/station-4/in/client-8-via-3.cbor "
              "w/round-7/station-5/in/client-8-via-3.cbor");
    round_free(&r);
    plan_free(&p);
}

typedef int emit_function(const struct round *r, struct text *out, struct hagg_err *err);

/* If any allocation fails, an error is reported. */
static void fails_cleanly_without_memory(const char *text, const struct protocol_presence *nodes,
                                         const struct node *part, emit_function *emit)
{
    struct hagg_err err = { 0 };
    struct plan p;
    struct round r;
    struct round_options o;
    unsigned long at = 0;
    bool refused;

    load(&p, text);
    o = options_of(&p);
    o.presence = *nodes;
    o.node = part;
    o.send = part ? "send {file} {to} {name}" : NULL;
    o.identity = "{tier}-{}";
    do {
        struct text out = { 0 };
        int status;

        alloc_refuse(at++);
        status = round_new(&r, &o, &err);
        if (status == 0) {
            status = emit(&r, &out, &err);
            round_free(&r);
        }
        refused = alloc_refused();
        CHECK((status == 0 && text_ok(&out)) == !refused);
        text_free(&out);
    } while (refused && at < 100000);
    CHECK(at > 20 && at < 100000);
    alloc_watch();
    plan_free(&p);
}

int main(void)
{
    static const char full[] = "collude full clients=1 stations=1\ndrop stations=1\nlength 3\n"
                               "stations 4\nclient 1-4 via 1-4\n";
    struct header_range third = { 3, 3 }, some = { 1, 3 };
    struct rangeset gone = { &third, 1, 0 }, clients = { &some, 1, 0 };
    struct node station = { NODE_STATION, 2 }, federator = NODE_THE_FEDERATOR;
    struct protocol_presence all = { 0 }, few = { .clients = &clients, .missing = { &gone } };

    finds_dependencies();
    sends_in_parts();
    takes_the_part_of_a_node();
    passes_on();
    passes_on_through_another_station();
    fails_cleanly_without_memory(partial, &all, NULL, emit_make);
    fails_cleanly_without_memory(full, &few, NULL, emit_parallel);
    fails_cleanly_without_memory(full, &all, NULL, emit_slurm);
    fails_cleanly_without_memory(partial, &all, &station, emit_make);
    fails_cleanly_without_memory(couriers, &all, NULL, emit_make);
    fails_cleanly_without_memory(couriers, &all, &station, emit_make);
    fails_cleanly_without_memory(couriers, &all, &station, emit_sh);
    fails_cleanly_without_memory(partial, &all, &station, emit_sh);
    fails_cleanly_without_memory(full, &all, &federator, emit_sh);
    return check_end();
}
