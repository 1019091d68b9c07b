#include "round/commands_steps.h"
#include "round/node_name.h"
#include "round/sending.h"

static void read_stations(struct commands *c, uint32_t relay)
{
    size_t n;
    const struct link *stations = links_of(&c->deliveries.gathered, relay, &n);

    for (size_t i = 0; i < n; i++)
        COMMANDS_READS(c, "%s/relay-%u/in/%s", c->base, relay,
                       commands_sum_name(&c->relay_suffix, "station", stations[i].with).text);
}

static bool gathers(const struct commands *c, uint32_t relay)
{
    size_t n;

    links_of(&c->deliveries.gathered, relay, &n);
    return n > 0;
}

void commands_relay_finish(struct commands *c, uint32_t relay)
{
    if (!c->topology->transform || !gathers(c, relay))
        return;
    commands_begin_transform(c, relay, "finish", "--relay");
    COMMANDS_WRITES(c, "%s/relay-%u/private/shares%s.cbor", c->base, relay, c->suffix.text);
    read_stations(c, relay);
}

void commands_relay_sum(struct commands *c, uint32_t relay)
{
    if (!c->deliveries.relay_sends[relay])
        return;
    commands_begin_aggregate(c, relay, "--relay");
    if (c->missing && c->topology->aligned)
        step_option(c->layer, "--missing", "%s", c->missing);
    else if (c->missing && !c->topology->transform)
        commands_text(c, "--skip-incomplete");
    if (c->present[1])
        step_option(c->layer, "--present", "%s", c->present[1]);
    COMMANDS_WRITES(c, "%s/relay-%u/out/sum%s.cbor", c->base, relay, c->suffix.text);
    if (!c->topology->transform)
        read_stations(c, relay);
    else if (gathers(c, relay))
        COMMANDS_READS(c, "%s/relay-%u/private/shares%s.cbor", c->base, relay, c->suffix.text);
    if (relay == c->deliveries.chain_relay)
        COMMANDS_READS(c, "%s/relay-%u/in/keys.cbor", c->base, relay);
}

void commands_relay_send(struct commands *c, uint32_t relay)
{
    if (!c->deliveries.relay_sends[relay])
        return;
    sending_begin(c, relay, node_name_of("sums%s", c->suffix.text).text);
    sending_file(c, node_name_of("sum%s.cbor", c->suffix.text).text, STEP_FEDERATOR, 1,
                 commands_sum_name(&c->suffix, "relay", relay).text);
    sending_end(c);
}

/* The sums from stations or relays, and the total of the keys. */
static void read_sums(struct commands *c)
{
    const struct topology *t = c->topology;

    for (uint32_t m = 1; m <= t->n_relays; m++)
        if (c->deliveries.relay_sends[m])
            COMMANDS_READS(c, "%s/federator/in/%s", c->base,
                           commands_sum_name(&c->suffix, "relay", m).text);
    if (t->n_relays > 0)
        return;
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (commands_sends_sum(c, u))
            COMMANDS_READS(c, "%s/federator/in/%s", c->base,
                           commands_sum_name(&c->suffix, "station", u).text);
    if (c->deliveries.n_chain > 0)
        COMMANDS_READS(c, "%s/federator/in/keys.cbor", c->base);
}

void commands_relay_total(struct commands *c, uint32_t federator)
{
    commands_begin_once(c, federator, "hagg-decode");
    commands_use_roster(c, federator);
    if (c->o->mean)
        commands_text(c, "--mean");
    COMMANDS_WRITES(c, "%s", c->result);
    read_sums(c);
}
