#include "round/commands.h"

#include <stdlib.h>

#include "records/outfiles.h"
#include "round/node_name.h"
#include "round/sending.h"

static void text(struct commands *c, const char *word)
{
    step_word(c->layer, STEP_TEXT, "%s", word);
}

void commands_add_step(struct commands *c, uint32_t node)
{
    step_add(c->layer, node);
    step_settled(c->layer, "%s/%s/private", c->base, node_name_home(c->layer->tier, node).text);
}

static void begin(struct commands *c, uint32_t node, const char *command)
{
    commands_add_step(c, node);
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

/* The mode is that of the inbox, to which other nodes write. */
static void add_directories(struct commands *c, uint32_t node)
{
    struct node_name home = node_name_home(c->layer->tier, node);

    step_add(c->layer, node);
    text(c, "hagg-round");
    text(c, "--inbox");
    step_word(c->layer, STEP_SETTING, "INBOX");
    step_option(c->layer, "--prepare", "%s/%s", c->base, home.text);
    step_output(c->layer, "%s/%s/private", c->base, home.text);
}

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
    step_option(c->layer, "-o", "%s/station-%u/out/mask-{}.cbor", c->base, dealer);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/out/mask-%u.cbor", c->base, dealer, stations[i].with);
}

/* Also the dealer's own mask goes to its directory in. */
static void send_masks(struct commands *c, uint32_t dealer)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.deals, dealer, &n);

    if (n == 0)
        return;
    sending_begin(c, dealer, "masks");
    for (size_t i = 0; i < n; i++)
        sending_file(c, node_name_of("mask-%u.cbor", stations[i].with).text, STEP_STATION,
                     stations[i].with, node_name_of("mask-%u.cbor", dealer).text);
    sending_end(c);
}

static void add_key(struct commands *c, uint32_t client)
{
    if (c->topology->aligned)
        return;
    begin_keygen(c, client, "--client");
    WRITES(c, "%s/client-%u/private/key.cbor", c->base, client);
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
        step_option(c->layer, "--samples-file", "%s", path);
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
        step_option(c->layer, "--key", "%s/client-%u/private/key.cbor", c->base, client);
        step_input(c->layer, "%s/client-%u/private/key.cbor", c->base, client);
    }
    if (c->topology->samples)
        add_samples(c, client);
    if (c->o->type)
        step_option(c->layer, "--type", "%s", c->o->type);
    if (c->o->format)
        step_option(c->layer, "--format", "%s", c->o->format);
    if (c->o->again)
        text(c, "--again");
    if (c->o->clip) {
        text(c, "--clip");
        /* others may read the messages, and the number of clipped elements depends on the vector */
        text(c, "--quiet");
    }
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
    step_option(c->layer, "-o", "%s/client-%u/out/station-{}.cbor", c->base, client);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/client-%u/out/station-%u.cbor", c->base, client,
                    stations[i].with);
    if (vector)
        READS(c, "%s", vector);
    free(vector);
}

static void send_shares(struct commands *c, uint32_t client)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.uploads, client, &n);

    sending_begin(c, client, "shares");
    for (size_t i = 0; i < n; i++)
        sending_file(c, node_name_of("station-%u.cbor", stations[i].with).text, STEP_STATION,
                     stations[i].with, node_name_of("client-%u.cbor", client).text);
    sending_end(c);
}

/* All files that clients sent to the station. Uses a shell pattern, because there may be too many
 * for a command line. */
static void read_clients(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *clients = links_of(&c->deliveries.received, station, &n);

    for (size_t i = 0; i < n; i++)
        step_input(c->layer, "%s/station-%u/in/client-%u.cbor", c->base, station, clients[i].with);
    step_word(c->layer, STEP_FILES, "%s/station-%u/in/client-*.cbor", c->base, station);
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
    WRITES(c, "%s/station-%u/out/report.cbor", c->base, station);
    read_clients(c, station);
}

static void send_report(struct commands *c, uint32_t station)
{
    if (!receives(c, station))
        return;
    sending_begin(c, station, "report");
    sending_file(c, "report.cbor", STEP_FEDERATOR, 1,
                 node_name_of("report-station-%u.cbor", station).text);
    sending_end(c);
}

static void add_roster(struct commands *c, uint32_t federator)
{
    begin_roster(c, federator);
    if (c->missing)
        step_option(c->layer, "--without", "stations=%s", c->missing);
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
    WRITES(c, "%s/federator/out/roster.cbor", c->base);
    for (uint32_t u = 1; u <= c->topology->n_stations; u++)
        if (receives(c, u))
            READS(c, "%s/federator/in/report-station-%u.cbor", c->base, u);
}

static void send_roster(struct commands *c, uint32_t federator)
{
    sending_begin(c, federator, "roster");
    for (uint32_t u = 1; u <= c->topology->n_stations; u++)
        if (protocol_has(c->deliveries.round, (struct node){ NODE_STATION, u }))
            sending_file(c, "roster.cbor", STEP_STATION, u, "roster.cbor");
    for (uint32_t m = 1; m <= c->topology->n_relays; m++)
        if (protocol_has(c->deliveries.round, (struct node){ NODE_RELAY, m }))
            sending_file(c, "roster.cbor", STEP_RELAY, m, "roster.cbor");
    sending_end(c);
}

/* The roster is checked in every run, so it is no reason to make a file again. */
static void use_roster(struct commands *c, uint32_t node)
{
    struct node_name home = node_name_home(c->layer->tier, node);
    const char *box = c->layer->tier == STEP_FEDERATOR ? "out" : "in";

    step_option(c->layer, "--roster", "%s/%s/%s/roster.cbor", c->base, home.text, box);
    step_settled(c->layer, "%s/%s/%s/roster.cbor", c->base, home.text, box);
}

static void begin_aggregate(struct commands *c, uint32_t node, const char *option)
{
    begin_once(c, node, "hagg-aggregate");
    step_option(c->layer, option, "%u", node);
    use_roster(c, node);
    if (c->o->unsafe_plan)
        text(c, "--unsafe-plan");
}

/* One output for each relay that the station sends to. */
static void write_relays(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *relays = links_of(&c->deliveries.forwards, station, &n);

    step_option(c->layer, "-o", "%s/station-%u/out/relay-{}.cbor", c->base, station);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/out/relay-%u.cbor", c->base, station, relays[i].with);
}

static void send_relays(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *relays = links_of(&c->deliveries.forwards, station, &n);

    sending_begin(c, station, "sums");
    for (size_t i = 0; i < n; i++)
        sending_file(c, node_name_of("relay-%u.cbor", relays[i].with).text, STEP_RELAY,
                     relays[i].with, node_name_of("from-station-%u.cbor", station).text);
    sending_end(c);
}

/* True if the station sends to a relay that is present. */
static bool forwards(const struct commands *c, uint32_t station)
{
    size_t n;

    links_of(&c->deliveries.forwards, station, &n);
    return n > 0;
}

/* With protocol aligned also a station without clients sends a sum, of masks alone. */
static bool adds_up(const struct commands *c, uint32_t station)
{
    size_t n_masks;

    links_of(&c->deliveries.dealt, station, &n_masks);
    if (c->topology->aligned)
        return (c->deliveries.sends_sum[station] || forwards(c, station)) &&
               (n_masks > 0 || receives(c, station));
    return c->deliveries.has_shares[station] &&
           (c->topology->n_relays == 0 || forwards(c, station));
}

/* The options and masks of a station with protocol aligned. */
static void add_aligned(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *dealers = links_of(&c->deliveries.dealt, station, &n);

    for (size_t i = 0; i < n; i++)
        READS(c, "%s/station-%u/in/mask-%u.cbor", c->base, station, dealers[i].with);
    if (c->dealers)
        step_option(c->layer, "--dealers", "%s", c->dealers);
    if (c->topology->n_relays > 0)
        step_option(c->layer, "--via", "%u",
                    links_of(&c->deliveries.forwards, station, &n)[0].with);
}

static void add_sum(struct commands *c, uint32_t station)
{
    if (!adds_up(c, station))
        return;
    begin_aggregate(c, station, "--station");
    if (c->topology->aligned)
        add_aligned(c, station);
    else if (!c->topology->full)
        step_option(c->layer, "--only", "shares");
    if (c->topology->transform)
        WRITES(c, "%s/station-%u/private/sum.cbor", c->base, station);
    else if (c->topology->n_relays > 0)
        write_relays(c, station);
    else
        WRITES(c, "%s/station-%u/out/sum.cbor", c->base, station);
    if (receives(c, station))
        read_clients(c, station);
}

static void send_sum(struct commands *c, uint32_t station)
{
    if (!adds_up(c, station) || c->topology->transform)
        return;
    if (c->topology->n_relays > 0) {
        send_relays(c, station);
        return;
    }
    sending_begin(c, station, "sums");
    sending_file(c, "sum.cbor", STEP_FEDERATOR, 1,
                 node_name_of("from-station-%u.cbor", station).text);
    sending_end(c);
}

/* The receiver of the keys of a station: the next one of the chain, or the relay that passes them
 * on, or the federator. at is the place of the station in the chain. */
struct next {
    enum step_tier tier;
    uint32_t node;
};

static struct next next_of(const struct deliveries *d, size_t at)
{
    if (at + 1 < d->n_chain)
        return (struct next){ STEP_STATION, d->chain[at + 1] };
    if (d->chain_relay > 0)
        return (struct next){ STEP_RELAY, d->chain_relay };
    return (struct next){ STEP_FEDERATOR, 1 };
}

/* A station adds up keys and then sends them, before the next one of the chain starts. The file
 * names its receiver, because a station may have to send to another one if that one is missing. */
static void add_link(struct commands *c, uint32_t station)
{
    const struct deliveries *d = &c->deliveries;
    struct next next;
    struct node_name what;
    size_t at = 0;

    while (at < d->n_chain && d->chain[at] != station)
        at++;
    if (at == d->n_chain)
        return;
    next = next_of(d, at);
    what = node_name_of("keys-%s", node_name_home(next.tier, next.node).text);
    begin_aggregate(c, station, "--station");
    step_option(c->layer, "--only", "keys");
    if (c->missing)
        step_option(c->layer, "--missing", "%s", c->missing);
    if (next.tier == STEP_RELAY)
        step_option(c->layer, "--via", "%u", next.node);
    WRITES(c, "%s/station-%u/out/%s.cbor", c->base, station, what.text);
    if (d->has_keys[station])
        read_clients(c, station);
    if (at > 0)
        READS(c, "%s/station-%u/in/keys.cbor", c->base, station);
    sending_begin(c, station, what.text);
    sending_file(c, node_name_of("%s.cbor", what.text).text, next.tier, next.node, "keys.cbor");
    sending_end(c);
}

static void begin_transform(struct commands *c, uint32_t node, const char *step, const char *option)
{
    begin_once(c, node, "hagg-transform");
    step_option(c->layer, "--step", "%s", step);
    step_option(c->layer, option, "%u", node);
    use_roster(c, node);
}

static void add_transfer(struct commands *c, uint32_t station)
{
    if (!c->topology->transform || !forwards(c, station))
        return;
    begin_transform(c, station, "contribute", "--station");
    if (c->sources)
        step_option(c->layer, "--from", "%s", c->sources);
    write_relays(c, station);
    READS(c, "%s/station-%u/private/sum.cbor", c->base, station);
}

static void send_transfer(struct commands *c, uint32_t station)
{
    if (c->topology->transform && forwards(c, station))
        send_relays(c, station);
}

static void read_stations(struct commands *c, uint32_t relay)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.gathered, relay, &n);

    for (size_t i = 0; i < n; i++)
        READS(c, "%s/relay-%u/in/from-station-%u.cbor", c->base, relay, stations[i].with);
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
    WRITES(c, "%s/relay-%u/private/shares.cbor", c->base, relay);
    read_stations(c, relay);
}

static void add_relay_sum(struct commands *c, uint32_t relay)
{
    if (!c->deliveries.relay_sends[relay])
        return;
    begin_aggregate(c, relay, "--relay");
    if (c->missing && c->topology->aligned)
        step_option(c->layer, "--missing", "%s", c->missing);
    else if (c->missing && !c->topology->transform)
        text(c, "--skip-incomplete");
    WRITES(c, "%s/relay-%u/out/sum.cbor", c->base, relay);
    if (!c->topology->transform)
        read_stations(c, relay);
    else if (gathers(c, relay))
        READS(c, "%s/relay-%u/private/shares.cbor", c->base, relay);
    if (relay == c->deliveries.chain_relay)
        READS(c, "%s/relay-%u/in/keys.cbor", c->base, relay);
}

static void send_relay_sum(struct commands *c, uint32_t relay)
{
    if (!c->deliveries.relay_sends[relay])
        return;
    sending_begin(c, relay, "sums");
    sending_file(c, "sum.cbor", STEP_FEDERATOR, 1, node_name_of("from-relay-%u.cbor", relay).text);
    sending_end(c);
}

/* The sums from stations or relays, and the total of the keys. */
static void read_sums(struct commands *c)
{
    const struct topology *t = c->topology;

    for (uint32_t m = 1; m <= t->n_relays; m++)
        if (c->deliveries.relay_sends[m])
            READS(c, "%s/federator/in/from-relay-%u.cbor", c->base, m);
    if (t->n_relays > 0)
        return;
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (adds_up(c, u))
            READS(c, "%s/federator/in/from-station-%u.cbor", c->base, u);
    if (c->deliveries.n_chain > 0)
        READS(c, "%s/federator/in/keys.cbor", c->base);
}

static void add_total(struct commands *c, uint32_t federator)
{
    begin_once(c, federator, "hagg-decode");
    use_roster(c, federator);
    if (c->o->mean)
        text(c, "--mean");
    WRITES(c, "%s", c->result);
    read_sums(c);
}

/* The layers of a round, in this order. */
const struct commands_layer commands_layers[ROUND_MAX_LAYERS] = {
    { "clientdirs", "clients create or check their directories", STEP_CLIENT, STEP_ALWAYS,
      add_directories },
    { "stationdirs", "stations create or check their directories", STEP_STATION, STEP_ALWAYS,
      add_directories },
    { "relaydirs", "relays create or check their directories", STEP_RELAY, STEP_ALWAYS,
      add_directories },
    { "federatordirs", "the federator creates or checks its directories", STEP_FEDERATOR,
      STEP_ALWAYS, add_directories },
    { "keys", "clients make their keys", STEP_CLIENT, STEP_ONCE, add_key },
    { "masks", "dealers make masks for the stations", STEP_STATION, STEP_ONCE, add_masks },
    { "sendmasks", "dealers send the masks", STEP_STATION, STEP_TOGETHER, send_masks },
    { "shares", "clients share their vectors", STEP_CLIENT, STEP_TOGETHER, add_share },
    { "sendshares", "clients send their shares", STEP_CLIENT, STEP_TOGETHER, send_shares },
    { "reports", "stations report which clients are complete", STEP_STATION, STEP_ONCE,
      add_report },
    { "sendreports", "stations send their reports", STEP_STATION, STEP_TOGETHER, send_report },
    { "roster", "the federator issues the roster: all nodes sum these clients", STEP_FEDERATOR,
      STEP_ALWAYS, add_roster },
    { "sendroster", "the federator sends the roster", STEP_FEDERATOR, STEP_ONCE, send_roster },
    { "sums", "stations add up shares", STEP_STATION, STEP_ONCE, add_sum },
    { "sendsums", "stations send their sums", STEP_STATION, STEP_TOGETHER, send_sum },
    { "chain", "stations add up keys and send them, one after the other", STEP_STATION,
      STEP_IN_ORDER, add_link },
    { "transfers", "stations share their sums among relays", STEP_STATION, STEP_TOGETHER,
      add_transfer },
    { "sendtransfers", "stations send these shares", STEP_STATION, STEP_TOGETHER, send_transfer },
    { "finish", "relays make their shares", STEP_RELAY, STEP_TOGETHER, add_finish },
    { "relay", "relays add up", STEP_RELAY, STEP_TOGETHER, add_relay_sum },
    { "sendrelay", "relays send their sums", STEP_RELAY, STEP_TOGETHER, send_relay_sum },
    { "total", "the federator decodes the total", STEP_FEDERATOR, STEP_ALWAYS, add_total },
};
