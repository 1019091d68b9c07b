#include "round/commands_steps.h"
#include "round/node_name.h"
#include "round/sending.h"

void commands_station_masks(struct commands *c, uint32_t dealer)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.deals, dealer, &n);

    if (n == 0)
        return;
    commands_begin_once(c, dealer, "hagg-keygen");
    step_option(c->layer, "--station", "%u", dealer);
    commands_keygen(c);
    step_option(c->layer, "-o", "%s/station-%u/out/mask-{}.cbor", c->base, dealer);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/out/mask-%u.cbor", c->base, dealer, stations[i].with);
}

/* Also the dealer's own mask goes to its directory in. */
void commands_station_send_masks(struct commands *c, uint32_t dealer)
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

/* One output for each relay that the station sends to. */
static void write_relays(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *relays = links_of(&c->deliveries.forwards, station, &n);

    step_option(c->layer, "-o", "%s/station-%u/out/relay-{}%s.cbor", c->base, station,
                c->relay_suffix.text);
    for (size_t i = 0; i < n; i++)
        step_output(c->layer, "%s/station-%u/out/relay-%u%s.cbor", c->base, station, relays[i].with,
                    c->relay_suffix.text);
}

static void send_relays(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *relays = links_of(&c->deliveries.forwards, station, &n);

    sending_begin(c, station, node_name_of("sums%s", c->relay_suffix.text).text);
    for (size_t i = 0; i < n; i++)
        sending_file(c, node_name_of("relay-%u%s.cbor", relays[i].with, c->relay_suffix.text).text,
                     STEP_RELAY, relays[i].with,
                     commands_sum_name(&c->relay_suffix, "station", station).text);
    sending_end(c);
}

/* The options and masks of a station with protocol aligned. */
static void add_aligned(struct commands *c, uint32_t station)
{
    size_t n;
    const struct link *dealers = links_of(&c->deliveries.dealt, station, &n);

    for (size_t i = 0; i < n; i++)
        COMMANDS_READS(c, "%s/station-%u/in/mask-%u.cbor", c->base, station, dealers[i].with);
    if (c->dealers)
        step_option(c->layer, "--dealers", "%s", c->dealers);
    if (c->topology->n_relays > 0)
        step_option(c->layer, "--via", "%u",
                    links_of(&c->deliveries.forwards, station, &n)[0].with);
}

void commands_station_sum(struct commands *c, uint32_t station)
{
    if (!commands_adds_up(c, station))
        return;
    commands_begin_aggregate(c, station, "--station");
    if (c->topology->aligned)
        add_aligned(c, station);
    else if (!c->topology->full)
        step_option(c->layer, "--only", "shares");
    if (c->present[0] && !c->topology->transform)
        step_option(c->layer, "--present", "%s", c->present[0]);
    if (c->topology->transform)
        COMMANDS_WRITES(c, "%s/station-%u/private/sum.cbor", c->base, station);
    else if (c->topology->n_relays > 0)
        write_relays(c, station);
    else
        COMMANDS_WRITES(c, "%s/station-%u/out/sum%s.cbor", c->base, station, c->suffix.text);
    if (commands_receives(c, station))
        commands_read_clients(c, station, false);
}

void commands_station_send_sum(struct commands *c, uint32_t station)
{
    if (!commands_sends_sum(c, station) || c->topology->transform)
        return;
    if (c->topology->n_relays > 0) {
        send_relays(c, station);
        return;
    }
    sending_begin(c, station, node_name_of("sums%s", c->suffix.text).text);
    sending_file(c, node_name_of("sum%s.cbor", c->suffix.text).text, STEP_FEDERATOR, 1,
                 commands_sum_name(&c->suffix, "station", station).text);
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
void commands_station_keys(struct commands *c, uint32_t station)
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
    commands_begin_aggregate(c, station, "--station");
    step_option(c->layer, "--only", "keys");
    if (c->missing)
        step_option(c->layer, "--missing", "%s", c->missing);
    if (next.tier == STEP_RELAY)
        step_option(c->layer, "--via", "%u", next.node);
    COMMANDS_WRITES(c, "%s/station-%u/out/%s.cbor", c->base, station, what.text);
    if (d->has_keys[station])
        commands_read_clients(c, station, false);
    if (at > 0)
        COMMANDS_READS(c, "%s/station-%u/in/keys.cbor", c->base, station);
    sending_begin(c, station, "keys");
    sending_file(c, node_name_of("%s.cbor", what.text).text, next.tier, next.node, "keys.cbor");
    sending_end(c);
}

void commands_station_transfer(struct commands *c, uint32_t station)
{
    if (!c->topology->transform || !commands_forwards(c, station))
        return;
    commands_begin_transform(c, station, "contribute", "--station");
    if (c->sources || c->present[0])
        step_option(c->layer, "--from", "%s", c->sources ? c->sources : c->present[0]);
    write_relays(c, station);
    COMMANDS_READS(c, "%s/station-%u/private/sum.cbor", c->base, station);
}

void commands_station_send_transfer(struct commands *c, uint32_t station)
{
    if (c->topology->transform && commands_forwards(c, station))
        send_relays(c, station);
}
