#include "round/commands.h"

#include "round/commands_steps.h"
#include "base/marks.h"
#include "round/node_name.h"

void commands_text(struct commands *c, const char *word)
{
    step_word(c->layer, STEP_TEXT, "%s", word);
}

enum step_tier commands_client_tier(const struct commands *c)
{
    return c->o->batch > 0 ? STEP_BATCH : STEP_CLIENT;
}

void commands_add_step(struct commands *c, uint32_t node)
{
    step_add(c->layer, node);
    step_settled(c->layer, "%s/%s/private", c->base, node_name_home(c->layer->tier, node).text);
}

/* Each node gets the name of its own private key only; for the clients of a batch, "{}" stays. */
static void add_identity(struct commands *c, uint32_t node)
{
    bool is_batch = c->layer->tier == STEP_BATCH;
    struct node_name number = node_name_of("%u", node);
    const struct marks_value values[] = {
        { "{tier}", node_name_kind(is_batch ? STEP_CLIENT : c->layer->tier) },
        { "{}", is_batch ? "{}" : number.text },
    };
    struct text path = { 0 };

    marks_replace(&path, c->o->identity, values, 2);
    c->layer->failed = c->layer->failed || !text_ok(&path);
    step_option(c->layer, "--identity", "%s", text_ok(&path) ? path.bytes : "");
    text_free(&path);
}

void commands_begin(struct commands *c, uint32_t node, const char *command)
{
    commands_add_step(c, node);
    commands_text(c, command);
    step_option(c->layer, "--plan", "%s", c->o->plan_path);
    if (c->o->identity)
        add_identity(c, node);
}

void commands_begin_once(struct commands *c, uint32_t node, const char *command)
{
    commands_begin(c, node, command);
    if (c->o->state)
        step_option(c->layer, "--state", "%s", c->o->state);
}

void commands_keygen(struct commands *c)
{
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (c->topology->length == 0)
        step_option(c->layer, "--length", "%llu", (unsigned long long)c->length);
}

struct node_name commands_copy_name(const struct commands *c, uint32_t client, uint32_t courier)
{
    struct node_name home = node_name_home(commands_client_tier(c), client);

    return courier > 0 ? node_name_of("%s-via-%u", home.text, courier) : home;
}

struct node_name commands_reroute(const struct commands *c, uint32_t client)
{
    size_t n;
    const struct link *couriers = links_of(&c->deliveries.rerouted, client, &n);

    return n > 0 ? node_name_of("-via-%u", couriers[0].with) : node_name_of("%s", "");
}

struct node_name commands_sum_name(const struct node_name *suffix, const char *tier, uint32_t node)
{
    return node_name_of("from-%s-%u%s.cbor", tier, node, suffix->text);
}

/* Uses a shell pattern, because there may be too many for a command line. In the part of the
 * station, only the report waits for clients, until the deadline; after that the roster names
 * those that have delivered. */
void commands_read_clients(struct commands *c, uint32_t station, bool reports)
{
    size_t n;
    const struct link *clients = links_of(&c->deliveries.received, station, &n);

    for (size_t i = 0; i < n && (!c->o->node || reports); i++)
        (c->o->node ? step_expected
                    : step_input)(c->layer, "%s/station-%u/in/%s.cbor", c->base, station,
                                  commands_copy_name(c, clients[i].with, clients[i].third).text);
    step_word(c->layer, STEP_FILES, "%s/station-%u/in/%s-*.cbor", c->base, station,
              node_name_kind(commands_client_tier(c)));
}

bool commands_receives(const struct commands *c, uint32_t station)
{
    size_t n;

    links_of(&c->deliveries.received, station, &n);
    return n > 0;
}

/* The roster is checked in every run, so it is no reason to make a file again. */
void commands_use_roster(struct commands *c, uint32_t node)
{
    struct node_name home = node_name_home(c->layer->tier, node);
    const char *box = c->layer->tier == STEP_FEDERATOR ? "out" : "in";

    step_option(c->layer, "--roster", "%s/%s/%s/roster.cbor", c->base, home.text, box);
    /* so that the roster of another round is refused */
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    step_settled(c->layer, "%s/%s/%s/roster.cbor", c->base, home.text, box);
}

void commands_begin_aggregate(struct commands *c, uint32_t node, const char *option)
{
    commands_begin_once(c, node, "hagg-aggregate");
    step_option(c->layer, option, "%u", node);
    commands_use_roster(c, node);
    if (c->o->unsafe_plan)
        commands_text(c, "--unsafe-plan");
}

void commands_begin_transform(struct commands *c, uint32_t node, const char *step,
                              const char *option)
{
    commands_begin_once(c, node, "hagg-transform");
    step_option(c->layer, "--step", "%s", step);
    step_option(c->layer, option, "%u", node);
    commands_use_roster(c, node);
}

bool commands_forwards(const struct commands *c, uint32_t station)
{
    size_t n;

    links_of(&c->deliveries.forwards, station, &n);
    return n > 0;
}

/* With protocol aligned also a station without clients sends a sum, of masks alone. */
bool commands_adds_up(const struct commands *c, uint32_t station)
{
    size_t n_masks;

    links_of(&c->deliveries.dealt, station, &n_masks);
    if (c->topology->aligned)
        return (c->deliveries.sends_sum[station] || commands_forwards(c, station) ||
                protocol_stands_by(c->deliveries.round, station)) &&
               (n_masks > 0 || commands_receives(c, station));
    return c->deliveries.has_shares[station] &&
           (c->topology->n_relays == 0 || commands_forwards(c, station));
}

bool commands_sends_sum(const struct commands *c, uint32_t station)
{
    return commands_adds_up(c, station) && !protocol_stands_by(c->deliveries.round, station);
}

/* The mode is that of the inbox, to which other nodes write. */
static void add_directories(struct commands *c, uint32_t node)
{
    struct node_name home = node_name_home(c->layer->tier, node);

    step_add(c->layer, node);
    commands_text(c, "hagg-round");
    commands_text(c, "--inbox");
    step_word(c->layer, STEP_SETTING, "INBOX");
    step_option(c->layer, "--prepare", "%s/%s", c->base, home.text);
    step_output(c->layer, "%s/%s/private", c->base, home.text);
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
    { "keys", "clients make their keys", STEP_CLIENT, STEP_ONCE, commands_client_key },
    { "masks", "dealers make masks for the stations", STEP_STATION, STEP_ONCE,
      commands_station_masks },
    { "sendmasks", "dealers send the masks", STEP_STATION, STEP_TOGETHER,
      commands_station_send_masks },
    { "shares", "clients share their vectors", STEP_CLIENT, STEP_TOGETHER, commands_client_share },
    { "sendshares", "clients send their shares", STEP_CLIENT, STEP_TOGETHER, commands_client_send },
    { "passon", "couriers copy what clients send to stations that they do not reach", STEP_STATION,
      STEP_ONCE, commands_courier_pass },
    { "sendpassed", "couriers send these copies", STEP_STATION, STEP_TOGETHER,
      commands_courier_send },
    { "reports", "stations report which clients are complete", STEP_STATION, STEP_ONCE,
      commands_roster_report },
    { "sendreports", "stations send their reports", STEP_STATION, STEP_TOGETHER,
      commands_roster_send_report },
    { "roster", "the federator issues the roster: all nodes sum these clients", STEP_FEDERATOR,
      STEP_ALWAYS, commands_roster_issue },
    { "sendroster", "the federator sends the roster", STEP_FEDERATOR, STEP_ONCE,
      commands_roster_send },
    { "sums", "stations add up shares", STEP_STATION, STEP_ONCE, commands_station_sum },
    { "sendsums", "stations send their sums", STEP_STATION, STEP_TOGETHER,
      commands_station_send_sum },
    { "chain", "stations add up keys and send them, one after the other", STEP_STATION,
      STEP_IN_ORDER, commands_station_keys },
    { "transfers", "stations share their sums among relays", STEP_STATION, STEP_TOGETHER,
      commands_station_transfer },
    { "sendtransfers", "stations send these shares", STEP_STATION, STEP_TOGETHER,
      commands_station_send_transfer },
    { "finish", "relays make their shares", STEP_RELAY, STEP_TOGETHER, commands_relay_finish },
    { "relay", "relays add up", STEP_RELAY, STEP_TOGETHER, commands_relay_sum },
    { "sendrelay", "relays send their sums", STEP_RELAY, STEP_TOGETHER, commands_relay_send },
    { "total", "the federator decodes the total", STEP_FEDERATOR, STEP_ALWAYS,
      commands_relay_total },
};
