#include "protocol/protocol.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "feed.h"

#define SIX                                                                                        \
    "stations 5\n"                                                                                 \
    "client 1 2 via 1 2 3 5\nclient 3 via 1-5\nclient 4 via 2-5\nclient 5 via 1 2 4 5\n"           \
    "client 6 via 1 2 5\n"

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

/* Sharings with two parts and with three, which have a spare share. */
#define RESHARED                                                                                   \
    "drop stations=1\nstations 5\nrelays 6\ntransform direct\nstation 1-5 via 1-6\n"               \
    "client 1 2 via 1-4 relays 1-6\nclient 3 via 1-5 relays 1-6\nclient 4 via 2-5 relays 1-5\n"

struct record {
    struct header h;
    struct header_tier route[PLAN_TIERS];
    struct header_range clients;
    uint32_t numbers[8]; /* of a route that differs */
    uint32_t layout;
};

struct round {
    struct plan plan;
    struct protocol *p;
    struct plan_patterns patterns[2][PLAN_TIERS]; /* by secret, and tier */
    size_t n_found;
};

/* Returns the first client whose vector or key is in the message. */
static const struct topology_client *member_of(const struct round *r, const struct message *s)
{
    const struct topology *t = &r->plan.topology;
    const struct plan_patterns *patterns =
        &r->patterns[s->stage->secret == HEADER_KEY][s->stage->from == NODE_RELAY];
    size_t i = 0;

    if (s->from.tier == NODE_CLIENT)
        return topology_client(t, s->from.number);
    while (s->stage->kind == HEADER_VECTOR
               ? s->from.tier == NODE_STATION &&
                     plan_key_station(&t->groups[t->clients[i].group]) > s->from.number
               : patterns->of_group[t->clients[i].group] != s->pattern)
        i++;
    return &t->clients[i];
}

static void set_scheme(const struct round *r, size_t tier, size_t n, uint32_t index,
                       struct header_scheme *scheme)
{
    struct hagg_scheme_shape shape;
    struct hagg_err err = { 0 };

    *scheme = (struct header_scheme){ .name = "ramp", .n = (uint32_t)n, .index = index };
    CHECK(plan_shape(&r->plan, tier, scheme->n, &scheme->k, &scheme->z, &shape, &err) == 0);
    scheme->has_point = shape.uses_points != 0;
    scheme->point = scheme->has_point ? index + 1u : 0;
}

/* Makes the record of a message according to FORMAT.md. */
static void make(const struct round *r, const struct message *s, struct record *record)
{
    const struct topology_client *c = member_of(r, s);
    bool transform = r->plan.topology.transform,
         relays = s->to.tier == NODE_RELAY || s->from.tier == NODE_RELAY;
    struct header *h = &record->h;
    struct plan_route way;

    *record = (struct record){
        .h = {
            .kind = s->stage->kind,
            .secret = s->stage->secret,
            .from = node_in_header(s->from),
            .to = node_in_header(s->to),
            .clients = &record->clients,
            .n_clients = 1,
            .route = record->route,
            .layout = &record->layout,
        },
        .clients = { c->number, c->number },
    };
    if (h->kind == HEADER_VECTOR)
        return;
    plan_route(&r->plan, &r->plan.topology.groups[c->group],
               h->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES, &way);
    set_scheme(r, transform && relays, way.lists[relays]->n, s->index, &h->scheme);
    if (h->kind == HEADER_TRANSFER)
        set_scheme(r, 0, way.lists[0]->n, s->source, &h->source);
    h->n_layout = transform && s->from.tier == NODE_RELAY;
    record->layout = h->n_layout > 0 ? s->cuts[0] : 0;
    for (size_t tier = relays; tier < (transform ? relays + 1u : plan_tiers(&r->plan)); tier++) {
        struct header_tier *named = &record->route[h->n_route++];

        snprintf(named->name, sizeof named->name, "%s", plan_tier_name(tier));
        named->numbers = way.lists[tier]->numbers;
        named->n_numbers = way.lists[tier]->n;
    }
}

static bool is_found(const struct round *r, const struct record *record)
{
    struct message s;

    return protocol_find(r->p, &record->h, &s);
}

/* Changes one property after the other. */
static void refuses_others(const struct round *r, const struct message *s)
{
    struct record c;
    struct header *h = &c.h;

#define REFUSES(change)                                                                            \
    do {                                                                                           \
        make(r, s, &c);                                                                            \
        change;                                                                                    \
        CHECK(!is_found(r, &c));                                                                   \
    } while (0)
    REFUSES(h->secret = HEADER_PLAIN);
    REFUSES(h->n_clients = 0);
    REFUSES(c.clients.last = 9);
    REFUSES(c.clients.first = c.clients.last = 9);
    REFUSES(strcpy(h->from.tier, "hub"));
    REFUSES(strcpy(h->to.tier, "hub"));
    REFUSES(h->from.number = 0);
    REFUSES(h->from.number = 77);
    REFUSES(h->to.number = 77);
    REFUSES(h->from = (struct header_node){ 0 });
    REFUSES(h->to = (struct header_node){ 0 });
    REFUSES(h->kind = h->kind == HEADER_TRANSFER ? HEADER_SHARE : HEADER_TRANSFER);
    if (s->stage->kind == HEADER_VECTOR)
        return;
    REFUSES(strcpy(h->scheme.name, "additive"));
    REFUSES(h->scheme.n--);
    REFUSES(h->scheme.k--);
    REFUSES(h->scheme.z++);
    REFUSES(h->scheme.index = (h->scheme.index + 1) % h->scheme.n);
    REFUSES(h->scheme.has_point = !h->scheme.has_point);
    REFUSES(h->scheme.point++);
    REFUSES(h->n_route = 0);
    REFUSES(h->n_layout = !h->n_layout);
    REFUSES(strcpy(h->route[h->n_route - 1].name, "hub"));
    REFUSES(h->route[h->n_route - 1].n_numbers--);
    REFUSES({
        memcpy(c.numbers, h->route[0].numbers, h->route[0].n_numbers * sizeof *c.numbers);
        c.numbers[h->scheme.index == 0]++;
        h->route[0].numbers = c.numbers;
    });
    if (s->stage->kind == HEADER_TRANSFER) {
        REFUSES(h->source.index = (h->source.index + 1) % h->source.n);
        REFUSES(h->source.k--);
        REFUSES(h->has_carrier = true);
    }
    if (r->plan.topology.transform && s->from.tier == NODE_RELAY)
        REFUSES(c.layout++);
#undef REFUSES
}

/* With transform: the sums that stations and relays keep. */
static void finds_what_is_kept(const struct round *r, const struct message *s)
{
    struct node holder = s->from.tier == NODE_CLIENT ? s->to : s->from;
    struct message found;
    struct record c;
    bool kept = r->plan.topology.transform && s->stage->kind == HEADER_SHARE;

    make(r, s, &c);
    c.h.from = s->from.tier == NODE_CLIENT ? node_in_header(holder) : (struct header_node){ 0 };
    c.h.to = node_in_header(holder);
    if (!CHECK(protocol_find(r->p, &c.h, &found) == kept) || !kept)
        return;
    CHECK(found.id == s->id && node_equal(found.from, holder) && node_equal(found.to, holder));
}

static int finds(void *round, const struct message *s, struct hagg_err *err)
{
    struct round *r = round;
    struct message found;
    struct record record;

    (void)err;
    make(r, s, &record);
    if (!CHECK(protocol_find(r->p, &record.h, &found)))
        return 0;
    CHECK(found.stage == s->stage && found.id == s->id && found.pattern == s->pattern &&
          found.index == s->index && found.source == s->source);
    CHECK(node_equal(found.from, s->from) && node_equal(found.to, s->to));
    refuses_others(r, s);
    finds_what_is_kept(r, s);
    r->n_found++;
    return 0;
}

static void open_round(struct round *r, const char *topology)
{
    struct hagg_err err = { 0 };

    *r = (struct round){ 0 };
    CHECK(plan_load(&r->plan, feed_keys(topology), &err) == 0);
    CHECK_STR(err.text, "");
    for (size_t what = 0; what < 2; what++)
        for (size_t tier = 0; tier < plan_tiers(&r->plan); tier++)
            if (what == PLAN_SHARES || r->plan.topology.full)
                CHECK(plan_patterns_new(&r->patterns[what][tier], &r->plan, (enum plan_what)what,
                                        tier, &err) == 0);
}

static void close_round(struct round *r)
{
    protocol_free(r->p);
    for (size_t what = 0; what < 2; what++)
        for (size_t tier = 0; tier < PLAN_TIERS; tier++)
            plan_patterns_free(&r->patterns[what][tier]);
    plan_free(&r->plan);
}

/* Finds each of the n messages. */
static void finds_all(const char *topology, size_t n)
{
    struct hagg_err err = { 0 };
    struct round r;

    open_round(&r, topology);
    r.p = protocol_open(&r.plan, NULL, &err);
    if (CHECK(r.p))
        CHECK(protocol_each(r.p, finds, &r, &err) == 0);
    CHECK(r.n_found == n);
    close_round(&r);
}

static void every_message(void)
{
    finds_all("collude partial clients=1 stations=2\n" SIX, 30 + 4 + 21);
    finds_all("collude full clients=1 stations=1\n" SIX, 48 + 40);
    finds_all(FIGURE, 36);
    finds_all(MEETING, 40 + 15 + 10);
    /* 4 + 4 + 5 + 4 shares and 4 keys; 3, 4 and 3 stations share among 6, 6 and 5 relays, which
     * send sums with two and with three parts; keys are sent from station 1 to 5, relay and
     * federator */
    finds_all("collude partial clients=1 stations=1 relays=4\n" RESHARED,
              17 + 4 + 18 + 24 + 15 + 6 + 6 + 5 + 4 + 2);
}

/* Messages of rounds with other missing nodes are found, too: presence does not matter. */
static void whoever_takes_part(void)
{
    struct rangeset one = { 0 }, two = { 0 };
    struct hagg_err err = { 0 };
    struct round r;
    struct message s = { 0 };
    struct record c;

    CHECK(rangeset_add(&one, 4, 4, &err) == 0 && rangeset_add(&two, 2, 2, &err) == 0);
    open_round(&r, FIGURE);
    r.p = protocol_open(
        &r.plan, &(struct protocol_presence){ .clients = &one, .missing = { &two, &two } }, &err);
    if (CHECK(r.p)) {
        struct stage key = { .from = NODE_STATION, .kind = HEADER_VECTOR, .secret = HEADER_KEY };

        s = (struct message){ .stage = &key,
                              .from = { NODE_STATION, 1 },
                              .to = { NODE_STATION, 2 } };
        make(&r, &s, &c);
        for (c.h.to.number = 1; c.h.to.number <= 5; c.h.to.number++)
            CHECK(is_found(&r, &c) == (c.h.to.number > 1 && c.h.to.number < 5));
        /* station 3, which reaches relays 2 and 3, may be the last */
        s.from.number = 3;
        s.to.tier = NODE_RELAY;
        make(&r, &s, &c);
        for (c.h.to.number = 1; c.h.to.number <= 5; c.h.to.number++)
            CHECK(is_found(&r, &c) == (c.h.to.number == 2 || c.h.to.number == 3));
        /* a total without sender and addressee */
        c.h.from = c.h.to = (struct header_node){ 0 };
        c.clients = (struct header_range){ 1, 4 };
        CHECK(is_found(&r, &c));
    }
    close_round(&r);
    rangeset_free(&one);
    rangeset_free(&two);
}

int main(void)
{
    every_message();
    whoever_takes_part();
    return check_end();
}
