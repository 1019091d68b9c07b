#include "round/commands_steps.h"
#include "round/node_name.h"
#include "round/sending.h"

static void begin_roster(struct commands *c, uint32_t node)
{
    commands_begin_once(c, node, "hagg-roster");
    step_option(c->layer, "--round", "%llu", (unsigned long long)c->o->number);
    if (c->clients)
        step_option(c->layer, "--clients", "%s", c->clients);
    commands_text(c, "--quiet");
}

void commands_roster_report(struct commands *c, uint32_t station)
{
    if (!commands_receives(c, station))
        return;
    begin_roster(c, station);
    step_option(c->layer, "--station", "%u", station);
    COMMANDS_WRITES(c, "%s/station-%u/out/report.cbor", c->base, station);
    commands_read_clients(c, station, true);
}

void commands_roster_send_report(struct commands *c, uint32_t station)
{
    if (!commands_receives(c, station))
        return;
    sending_begin(c, station, "report");
    sending_file(c, "report.cbor", STEP_FEDERATOR, 1,
                 node_name_of("report-station-%u.cbor", station).text);
    sending_end(c);
}

void commands_roster_issue(struct commands *c, uint32_t federator)
{
    begin_roster(c, federator);
    if (c->missing)
        step_option(c->layer, "--without", "stations=%s", c->missing);
    if (c->o->unsafe_plan)
        commands_text(c, "--unsafe-plan");
    COMMANDS_WRITES(c, "%s/federator/out/roster.cbor", c->base);
    for (uint32_t u = 1; u <= c->topology->n_stations; u++)
        if (commands_receives(c, u))
            COMMANDS_READS(c, "%s/federator/in/report-station-%u.cbor", c->base, u);
}

void commands_roster_send(struct commands *c, uint32_t federator)
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
