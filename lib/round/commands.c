#include "round/commands.h"

#include <stdlib.h>

#include "records/outfiles.h"

static void text(struct commands *c, const char *word)
{
    step_word(c->layer, STEP_TEXT, "%s", word);
}

static void begin(struct commands *c, uint32_t node, const char *command)
{
    step_add(c->layer, node);
    text(c, command);
    step_option(c->layer, "--plan", "%s", c->o->plan_path);
}

/* Begins a command that remembers what it did. */
static void begin_once(struct commands *c, uint32_t node, const char *command)
{
    begin(c, node, command);
    if (c->o->state)
        step_option(c->layer, "--state", "%s", c->o->state);
}

/* An input file that is an argument of the command. */
#define READS(c, ...)                                                                              \
    do {                                                                                           \
        step_input((c)->layer, __VA_ARGS__);                                                       \
        step_word((c)->layer, STEP_TEXT, __VA_ARGS__);                                             \
    } while (0)

/* The only output file of the command. */
#define WRITES(c, ...)                                                                             \
    do {                                                                                           \
        step_output((c)->layer, __VA_ARGS__);                                                      \
        step_option((c)->layer, "-o", __VA_ARGS__);                                                \
    } while (0)

static void begin_keygen(struct commands *c, uint32_t node, const char *option)
{
    begin(c, node, "hagg-keygen");
    step_option(c->layer, option, "%u", node);
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (c->topology->length == 0)
        step_option(c->layer, "--length", "%llu", (unsigned long long)c->length);
}

static void add_masks(struct commands *c, uint32_t dealer)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.deals, dealer, &n);

    if (n == 0)
        return;
    begin_keygen(c, dealer, "--station");
    step_option(c->layer, "-o", "%s/station-{}/mask-%u.cbor", c->base, dealer);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/mask-%u.cbor", c->base, stations[i].with, dealer);
}

static void add_key(struct commands *c, uint32_t client)
{
    if (c->topology->aligned)
        return;
    begin_keygen(c, client, "--client");
    step_option(c->layer, "-o", "%s/client-{}/key.cbor", c->base);
    step_output(c->layer, "%s/client-%u/key.cbor", c->base, client);
}

/* Expands the user's pattern. If memory is short, returns NULL and marks the layer as failed. */
static char *client_file(struct commands *c, const char *pattern, uint32_t client)
{
    char *path = outfiles_path(pattern, client);

    c->layer->failed = c->layer->failed || !path;
    return path;
}

static void add_samples(struct commands *c, uint32_t client)
{
    char *path = client_file(c, c->o->samples, client);

    if (path) {
        text(c, "--samples");
        step_word(c->layer, STEP_CONTENT, "%s", path);
        step_input(c->layer, "%s", path);
    }
    free(path);
}

static void add_share(struct commands *c, uint32_t client)
{
    char *vector = client_file(c, c->o->vectors, client);
    size_t n;
    const struct link *stations = links_of(&c->deliveries.uploads, client, &n);

    begin_once(c, client, "hagg-share");
    step_option(c->layer, "--client", "%u", client);
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (!c->topology->aligned) {
        step_option(c->layer, "--key", "%s/client-%u/key.cbor", c->base, client);
        step_input(c->layer, "%s/client-%u/key.cbor", c->base, client);
    }
    if (c->topology->samples)
        add_samples(c, client);
    if (c->o->type)
        step_option(c->layer, "--type", "%s", c->o->type);
    if (c->o->format)
        step_option(c->layer, "--format", "%s", c->o->format);
    if (c->o->clip)
        text(c, "--clip");
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
    step_option(c->layer, "-o", "%s/station-{}/client-%u.cbor", c->base, client);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/client-%u.cbor", c->base, stations[i].with, client);
    if (vector)
        READS(c, "%s", vector);
    free(vector);
}

/* All files that clients sent to the station. Uses a shell pattern, because there may be too many
 * for a command line. */
static void read_clients(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *clients = links_of(&c->deliveries.received, station, &n);

    for (size_t i = 0; i < n; i++)
        step_input(c->layer, "%s/station-%u/client-%u.cbor", c->base, station, clients[i].with);
    step_word(c->layer, STEP_FILES, "%s/station-%u/client-*.cbor", c->base, station);
}

static void begin_roster(struct commands *c, uint32_t node)
{
    begin_once(c, node, "hagg-roster");
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (c->clients)
        step_option(c->layer, "--clients", "%s", c->clients);
    text(c, "--quiet");
}

static bool receives(const struct commands *c, uint32_t station)
{
    size_t n;

    links_of(&c->deliveries.received, station, &n);
    return n > 0;
}

static void add_report(struct commands *c, uint32_t station)
{
    if (!receives(c, station))
        return;
    begin_roster(c, station);
    step_option(c->layer, "--station", "%u", station);
    WRITES(c, "%s/federator/report-station-%u.cbor", c->base, station);
    read_clients(c, station);
}

static void add_roster(struct commands *c, uint32_t federator)
{
    begin_roster(c, federator);
    if (c->missing)
        step_option(c->layer, "--without", "stations=%s", c->missing);
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
    WRITES(c, "%s/roster.cbor", c->base);
    for (uint32_t u = 1; u <= c->topology->n_stations; u++)
        if (receives(c, u))
            READS(c, "%s/federator/report-station-%u.cbor", c->base, u);
}

/* The roster is checked in every run, so it is no reason to make a file again. */
static void use_roster(struct commands *c)
{
    step_option(c->layer, "--roster", "%s/roster.cbor", c->base);
    step_settled(c->layer, "%s/roster.cbor", c->base);
}

static void begin_aggregate(struct commands *c, uint32_t node, const char *option)
{
    begin_once(c, node, "hagg-aggregate");
    step_option(c->layer, option, "%u", node);
    use_roster(c);
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
}

/* One output for each relay that the station sends to. */
static void write_relays(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *relays = links_of(&c->deliveries.forwards, station, &n);

    step_option(c->layer, "-o", "%s/relay-{}/from-station-%u.cbor", c->base, station);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/relay-%u/from-station-%u.cbor", c->base, relays[i].with, station);
}

/* True if the station sends to a relay that is present. */
static bool forwards(const struct commands *c, uint32_t station)
{
    size_t n;

    links_of(&c->deliveries.forwards, station, &n);
    return n > 0;
}

/* True if the station has something to send to the federator. */
static bool sends_sum(const struct commands *c, uint32_t station)
{
    size_t n_masks;

    links_of(&c->deliveries.dealt, station, &n_masks);
    return (c->deliveries.sends_sum[station] || forwards(c, station)) &&
           (n_masks > 0 || receives(c, station));
}

/* With protocol aligned also a station without clients sends a sum, of masks alone. */
static void add_aligned_sum(struct commands *c, uint32_t station)
{
    size_t n, n_relays;
    const struct link *dealers = links_of(&c->deliveries.dealt, station, &n);

    if (!sends_sum(c, station))
        return;
    begin_aggregate(c, station, "--station");
    if (c->dealers)
        step_option(c->layer, "--dealers", "%s", c->dealers);
    if (c->topology->n_relays > 0) {
        const struct link *relays = links_of(&c->deliveries.forwards, station, &n_relays);

        step_option(c->layer, "--via", "%u", relays[0].with);
        write_relays(c, station);
    } else {
        WRITES(c, "%s/federator/from-station-%u.cbor", c->base, station);
    }
    if (receives(c, station))
        read_clients(c, station);
    for (size_t i = 0; i < n; i++)
        READS(c, "%s/station-%u/mask-%u.cbor", c->base, station, dealers[i].with);
}

static void add_sum(struct commands *c, uint32_t station)
{
    if (c->topology->aligned) {
        add_aligned_sum(c, station);
        return;
    }
    if (!c->deliveries.has_shares[station] || (c->topology->n_relays > 0 && !forwards(c, station)))
        return;
    begin_aggregate(c, station, "--station");
    if (!c->topology->full)
        step_option(c->layer, "--only", "shares");
    if (c->topology->transform)
        WRITES(c, "%s/station-%u/sum.cbor", c->base, station);
    else if (c->topology->n_relays > 0)
        write_relays(c, station);
    else
        WRITES(c, "%s/federator/from-station-%u.cbor", c->base, station);
    read_clients(c, station);
}

/* The last station of the chain sends to the federator, or to the relay that passes the keys on. */
static void write_end(struct commands *c)
{
    if (c->deliveries.chain_relay == 0) {
        WRITES(c, "%s/federator/keys.cbor", c->base);
        return;
    }
    step_option(c->layer, "--via", "%u", c->deliveries.chain_relay);
    step_option(c->layer, "-o", "%s/relay-{}/keys.cbor", c->base);
    step_output(c->layer, "%s/relay-%u/keys.cbor", c->base, c->deliveries.chain_relay);
}

static void add_link(struct commands *c, uint32_t station)
{
    const struct deliveries *d = &c->deliveries;
    size_t at = 0;

    while (at < d->n_chain && d->chain[at] != station)
        at++;
    if (at == d->n_chain)
        return;
    begin_aggregate(c, station, "--station");
    step_option(c->layer, "--only", "keys");
    if (c->missing)
        step_option(c->layer, "--missing", "%s", c->missing);
    if (at + 1 < d->n_chain) {
        step_option(c->layer, "-o", "%s/station-{}/keys.cbor", c->base);
        step_output(c->layer, "%s/station-%u/keys.cbor", c->base, d->chain[at + 1]);
    } else {
        write_end(c);
    }
    if (d->has_keys[station])
        read_clients(c, station);
    if (at > 0)
        READS(c, "%s/station-%u/keys.cbor", c->base, station);
}

static void begin_transform(struct commands *c, uint32_t node, const char *step, const char *option)
{
    begin_once(c, node, "hagg-transform");
    step_option(c->layer, "--step", "%s", step);
    step_option(c->layer, option, "%u", node);
    use_roster(c);
}

static void add_transfer(struct commands *c, uint32_t station)
{
    if (!c->topology->transform || !forwards(c, station))
        return;
    begin_transform(c, station, "contribute", "--station");
    if (c->sources)
        step_option(c->layer, "--from", "%s", c->sources);
    write_relays(c, station);
    READS(c, "%s/station-%u/sum.cbor", c->base, station);
}

static void read_stations(struct commands *c, uint32_t relay)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.gathered, relay, &n);

    for (size_t i = 0; i < n; i++)
        READS(c, "%s/relay-%u/from-station-%u.cbor", c->base, relay, stations[i].with);
}

static bool gathers(const struct commands *c, uint32_t relay)
{
    size_t n;

    links_of(&c->deliveries.gathered, relay, &n);
    return n > 0;
}

static void add_finish(struct commands *c, uint32_t relay)
{
    if (!c->topology->transform || !gathers(c, relay))
        return;
    begin_transform(c, relay, "finish", "--relay");
    WRITES(c, "%s/relay-%u/shares.cbor", c->base, relay);
    read_stations(c, relay);
}

static void add_relay_sum(struct commands *c, uint32_t relay)
{
    if (!c->deliveries.relay_sends[relay])
        return;
    begin_aggregate(c, relay, "--relay");
    if (c->missing && !c->topology->transform && !c->topology->aligned)
        text(c, "--skip-incomplete");
    WRITES(c, "%s/federator/from-relay-%u.cbor", c->base, relay);
    if (!c->topology->transform)
        read_stations(c, relay);
    else if (gathers(c, relay))
        READS(c, "%s/relay-%u/shares.cbor", c->base, relay);
    if (relay == c->deliveries.chain_relay)
        READS(c, "%s/relay-%u/keys.cbor", c->base, relay);
}

/* The sums from stations or relays, and the total of the keys. */
static void read_sums(struct commands *c)
{
    const struct topology *t = c->topology;

    for (uint32_t m = 1; m <= t->n_relays; m++)
        if (c->deliveries.relay_sends[m])
            READS(c, "%s/federator/from-relay-%u.cbor", c->base, m);
    if (t->n_relays > 0)
        return;
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (sends_sum(c, u))
            READS(c, "%s/federator/from-station-%u.cbor", c->base, u);
    if (c->deliveries.n_chain > 0)
        READS(c, "%s/federator/keys.cbor", c->base);
}

static void add_total(struct commands *c, uint32_t federator)
{
    begin_once(c, federator, "hagg-decode");
    use_roster(c);
    if (c->o->mean)
        text(c, "--mean");
    WRITES(c, "%s", c->result);
    read_sums(c);
}

/* The layers of a round, in this order. */
const struct commands_layer commands_layers[ROUND_MAX_LAYERS] = {
    { "keys", "clients make their keys", STEP_CLIENT, STEP_ONCE, add_key },
    { "masks", "dealers make masks for the stations", STEP_STATION, STEP_ONCE, add_masks },
    { "shares", "clients share their vectors", STEP_CLIENT, STEP_TOGETHER, add_share },
    { "reports", "stations report which clients are complete", STEP_STATION, STEP_ONCE,
      add_report },
    { "roster", "the federator issues the roster: all nodes sum these clients", STEP_FEDERATOR,
      STEP_ALWAYS, add_roster },
    { "sums", "stations add up shares", STEP_STATION, STEP_ONCE, add_sum },
    { "chain", "stations add up keys, one after the other", STEP_STATION, STEP_IN_ORDER, add_link },
    { "transfers", "stations share their sums among relays", STEP_STATION, STEP_TOGETHER,
      add_transfer },
    { "finish", "relays make their shares", STEP_RELAY, STEP_TOGETHER, add_finish },
    { "relay", "relays add up", STEP_RELAY, STEP_TOGETHER, add_relay_sum },
    { "total", "the federator decodes the total", STEP_FEDERATOR, STEP_ALWAYS, add_total },
};

static void check_total(struct commands *c, uint32_t federator)
{
    step_add(c->layer, federator);
    text(c, "test");
    step_option(c->layer, "-e", "%s", c->result);
}

/* Begins a command that empties files. A file that was removed would be made again. */
static void begin_empty(struct commands *c, uint32_t node)
{
    step_add(c->layer, node);
    text(c, "truncate");
    text(c, "-c");
    step_option(c->layer, "-s", "0");
}

static void empty_key(struct commands *c, uint32_t client)
{
    if (c->topology->aligned)
        return;
    begin_empty(c, client);
    step_word(c->layer, STEP_TEXT, "%s/client-%u/key.cbor", c->base, client);
}

static void empty_shares(struct commands *c, uint32_t station)
{
    begin_empty(c, station);
    step_word(c->layer, STEP_FILES, "%s/station-%u/client-*.cbor", c->base, station);
    step_word(c->layer, c->topology->aligned ? STEP_FILES : STEP_TEXT, "%s/station-%u/%s.cbor",
              c->base, station, c->topology->aligned ? "mask-*" : "keys");
}

/* After the round, in this order. The files of stations are emptied after the keys, so that they
 * are newer than the keys and make does not share again. */
const struct commands_layer commands_cleaning[ROUND_CLEANING] = {
    { "check", "the total was decoded", STEP_FEDERATOR, STEP_ALWAYS, check_total },
    { "keys", "clients remove their keys", STEP_CLIENT, STEP_ALWAYS, empty_key },
    { "shares", "stations remove shares and keys", STEP_STATION, STEP_ALWAYS, empty_shares },
};
