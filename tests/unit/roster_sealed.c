/* Reports and rosters under a plan with identities. */
#include "roster/roster.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "identity/opening.h"
#include "identity/sealing.h"
#include "nodes.h"
#include "reader.h"
#include "scratch.h"
#include "writer.h"

#define N_STATIONS 3
#define N_RELAYS   2

static struct plan plan;
static struct keyring *marked;
static struct sealing sealing;
static char path[4096]; /* of the roster or report */

static struct roster *add_nothing(const struct roster_options *o, struct hagg_err *err)
{
    struct roster *r = roster_new(o, err);

    CHECK(r && roster_find(r, err) == 0);
    return r;
}

static int write_roster(const struct roster *r, struct hagg_err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), status;

    status = roster_write(r, fd, path, err);
    close(fd);
    return status;
}

/* Issues the roster of a round, sealed unless sealer is NULL. */
static void issue(uint64_t round, struct sealer *sealer)
{
    struct roster_options o = { .plan = &plan, .round = round, .sealer = sealer };
    struct hagg_err err = { 0 };
    struct roster *r = add_nothing(&o, &err);

    CHECK(write_roster(r, &err) == 0);
    CHECK_STR(err.text, "");
    roster_free(r);
}

/* Loads the roster with the private keys of this name. */
static int load(const char *keys, const uint64_t *round, struct hagg_err *err)
{
    struct keyring *k = nodes_keyring(&plan, keys);
    struct rangeset clients = { 0 };
    struct opening opening;
    uint64_t found = 0;
    int status;

    *err = (struct hagg_err){ 0 };
    opening_init(&opening, k, round);
    status = roster_load(path, &plan, &opening.base, &clients, &found, NULL, err);
    if (status == 0)
        CHECK(found == 3 && clients.n == 1 && clients.ranges[0].first == 1 &&
              clients.ranges[0].last == 3);
    rangeset_free(&clients);
    keyring_free(k);
    return status;
}

/* One record for each station, relay and the federator, all sealed and for different nodes. */
static void has_a_record_for_each_reader(void)
{
    size_t n[N_NODE_TIERS] = { 0 }, i = 0;
    struct hagg_err err = { 0 };
    struct reader *r;
    struct node to;

    issue(3, &sealing.base);
    r = reader_open(path, NULL, &err);
    for (; reader_next(r, &err) == 1; i++) {
        const struct header *h = reader_header(r);

        CHECK(reader_is_sealed(r) && h->kind == HEADER_ROSTER);
        CHECK_STR(h->from.tier, "federator");
        CHECK(keyring_node(&h->to, &to) == 0);
        n[to.tier]++;
    }
    CHECK(err.status == HAGG_OK && i == N_STATIONS + N_RELAYS + 1);
    CHECK(n[NODE_STATION] == N_STATIONS && n[NODE_RELAY] == N_RELAYS && n[NODE_FEDERATOR] == 1 &&
          n[NODE_CLIENT] == 0);
    reader_free(r);
}

static void is_read_by_each(void)
{
    static const char *const keys[] = { "station-1.pem", "station-2.pem", "station-3.pem",
                                        "relay-1.pem",   "relay-2.pem",   "federator-1.pem" };
    struct hagg_err err = { 0 };
    uint64_t round = 3;

    issue(3, &sealing.base);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        CHECK(load(keys[i], NULL, &err) == 0);
        CHECK(load(keys[i], &round, &err) == 0);
        CHECK_STR(err.text, "");
    }
    /* with the keys of all nodes every record is read */
    CHECK(load(NODES_KEYS, NULL, &err) == 0);
    /* a client does not read it */
    CHECK(load("client-1.pem", NULL, &err) == -1 && err.status != HAGG_OK);
}

static void refuses_other_rosters(void)
{
    struct hagg_err err = { 0 };
    uint64_t four = 4;

    issue(3, NULL);
    CHECK(load("station-1.pem", NULL, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "is not sealed, but the nodes of "));
    issue(3, &sealing.base);
    CHECK(load("station-1.pem", &four, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK(strstr(err.text, "was sealed in round 3, but this is round 4"));
}

/* The first record, which is for the federator, is changed, also in its header, which has all the
 * content. */
static void refuses_changed_rosters(void)
{
    struct hagg_err err = { 0 };
    unsigned char *bytes;
    size_t n, accepted = 0, tried = 0, first;
    struct reader *r;

    issue(3, &sealing.base);
    r = reader_open(path, NULL, &err);
    CHECK(reader_next(r, &err) == 1);
    CHECK_STR(reader_header(r)->to.tier, "federator");
    CHECK(reader_finish(r, &err) == 0);
    first = (size_t)reader_len_bytes(r);
    reader_free(r);
    bytes = feed_content(path, &n);
    for (size_t at = 0; at < first; at++) {
        bytes[at] ^= 1;
        scratch_write(path, bytes, n);
        bytes[at] ^= 1;
        accepted += load("federator-1.pem", NULL, &err) == 0;
        tried += err.status == HAGG_E_PRIVACY || err.status == HAGG_E_MALFORMED ||
                 err.status == HAGG_E_MISMATCH || err.status == HAGG_E_TOO_FEW;
    }
    CHECK(accepted == 0 && tried == first);
    free(bytes);
}

/* A report is sealed to the federator, who reads it; a report that is not sealed is refused. */
static void seals_reports(void)
{
    static uint32_t all[] = { 1, 2, 3 };
    const char *delivered = scratch_path("delivered");
    struct header_tier tiers[] = { { "station", all, 3 } };
    struct hagg_err err = { 0 };
    struct opening opening;
    struct roster_options o = {
        .plan = &plan, .round = 3, .station = 1, .sealer = &sealing.base, .opener = &opening.base
    };
    struct roster_options issuer = { .plan = &plan, .round = 3, .opener = &opening.base };
    FILE *file = fopen(delivered, "w");
    struct roster *r;
    struct reader *in;

    for (uint32_t client = 1; client <= 3; client++) {
        struct header_range clients = { client, client };
        struct header h = {
            .kind = HEADER_SHARE,
            .secret = HEADER_PADDED,
            .field = "m31",
            .scheme = { "ramp", 3, 3, 1, 0, true, 1 },
            .route = tiers,
            .n_route = 1,
            .from = { "client", client },
            .to = { "station", 1 },
            .has_round = true,
            .round = 3,
            .length = 4,
            .clients = &clients,
            .n_clients = 1,
            .has_plan = true,
            .has_id = true,
            .id = { (uint8_t)client },
        };
        static const uint8_t elems[8];
        struct writer *w = writer_new(fileno(file), "delivered", &err);

        memcpy(h.plan, plan.digest, sizeof h.plan);
        writer_set_sealer(w, &sealing.base, NULL);
        CHECK(writer_begin(w, &h, 4, 2, &err) == 0 && writer_elems(w, elems, 2, &err) == 0 &&
              writer_end(w, &err) == 0);
        if (client == 1) {
            h.kind = HEADER_VECTOR;
            h.secret = HEADER_KEY;
            h.scheme = (struct header_scheme){ 0 };
            h.n_route = 0;
            CHECK(writer_begin(w, &h, 4, 4, &err) == 0 &&
                  writer_elems(w, (const uint8_t[16]){ 1 }, 4, &err) == 0 &&
                  writer_end(w, &err) == 0);
        }
        writer_free(w);
    }
    fclose(file);
    for (int sealed = 1; sealed >= 0; sealed--) {
        o.sealer = sealed ? &sealing.base : NULL;
        opening_init(&opening, marked, NULL);
        r = roster_new(&o, &err);
        CHECK(roster_add(r, delivered, &err) == 0 && roster_find(r, &err) == 0);
        CHECK_STR(err.text, "");
        CHECK(write_roster(r, &err) == 0);
        roster_free(r);
        in = reader_open(path, NULL, &err);
        CHECK(reader_next(in, &err) == 1 && reader_is_sealed(in) == sealed);
        if (sealed)
            CHECK_STR(reader_header(in)->to.tier, "federator");
        CHECK(reader_next(in, &err) == 0);
        reader_free(in);
        opening_init(&opening, marked, NULL);
        r = roster_new(&issuer, &err);
        CHECK(roster_add(r, path, &err) == (sealed ? 0 : -1));
        CHECK(sealed ? err.status == HAGG_OK : err.status == HAGG_E_PRIVACY);
        roster_free(r);
    }
}

int main(void)
{
    nodes_load(&plan);
    snprintf(path, sizeof path, "%s", scratch_path("roster"));
    marked = nodes_keyring(&plan, NODES_KEYS);
    sealing_init(&sealing, marked);
    has_a_record_for_each_reader();
    is_read_by_each();
    refuses_other_rosters();
    refuses_changed_rosters();
    seals_reports();
    keyring_free(marked);
    plan_free(&plan);
    return check_end();
}
