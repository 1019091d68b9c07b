#include "round/round.h"

#include "alloc.h"
#include "check.h"
#include "round/emit.h"
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

    CHECK(plan_load(p, feed_file(text, strlen(text)), &err) == 0);
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
    CHECK(r.n_layers == 8);
    CHECK(layer(&r, "keys")->n == 3 && layer(&r, "shares")->n == 3 && layer(&r, "sums")->n == 3);
    /* from station 2, the first with a key, to station 4, which receives nothing from clients */
    CHECK(layer(&r, "chain")->n == 3 && layer(&r, "chain")->steps[0].node == 2);
    CHECK(layer(&r, "relay")->n == 3 && layer(&r, "total")->n == 1);
    has_names(&layer(&r, "shares")->steps[1].inputs, "w/round-7/client-2/key.cbor v-2");
    has_names(&layer(&r, "shares")->steps[1].outputs,
              "w/round-7/station-1/client-2.cbor w/round-7/station-2/client-2.cbor "
              "w/round-7/station-3/client-2.cbor");
    /* client 1 sends its second share to station 2, clients 2 and 5 their first */
    has_names(&layer(&r, "sums")->steps[1].outputs, "w/round-7/relay-1/from-station-2.cbor "
                                                    "w/round-7/relay-2/from-station-2.cbor");
    has_names(&layer(&r, "chain")->steps[2].inputs, "w/round-7/station-4/keys.cbor");
    has_names(&layer(&r, "chain")->steps[2].outputs, "w/round-7/relay-1/keys.cbor");
    has_names(&layer(&r, "relay")->steps[0].inputs,
              "w/round-7/relay-1/from-station-1.cbor w/round-7/relay-1/from-station-2.cbor "
              "w/round-7/relay-1/keys.cbor");
    /* station 4 receives nothing from clients, and does not report */
    CHECK(layer(&r, "reports")->n == 3 && layer(&r, "roster")->n == 1);
    has_names(&layer(&r, "roster")->steps[0].outputs, "w/round-7/roster.cbor");
    has_names(&layer(&r, "relay")->steps[0].settled, "w/round-7/roster.cbor");
    /* keys, shares, reports, roster, sums, chain, relay, total */
    CHECK(r.needs[1][0] && r.needs[2][1] && !r.needs[2][0] && r.needs[3][2] && !r.needs[3][1]);
    CHECK(r.needs[4][1] && r.needs[4][3] && r.needs[5][1] && r.needs[5][3] && !r.needs[5][4]);
    CHECK(r.needs[6][3] && r.needs[6][4] && r.needs[6][5] && !r.needs[6][1]);
    CHECK(r.needs[7][3] && r.needs[7][6] && !r.needs[7][5]);
    round_free(&r);
    plan_free(&p);
}

typedef int emit_function(const struct round *r, struct text *out, struct hagg_err *err);

/* If any allocation fails, an error is reported. */
static void fails_cleanly_without_memory(const char *text, const struct protocol_presence *nodes,
                                         emit_function *emit)
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
    struct protocol_presence all = { 0 }, few = { &clients, { &gone } };

    finds_dependencies();
    fails_cleanly_without_memory(partial, &all, emit_make);
    fails_cleanly_without_memory(full, &few, emit_parallel);
    fails_cleanly_without_memory(full, &all, emit_slurm);
    return check_end();
}
