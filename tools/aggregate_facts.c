#include "aggregate_facts.h"

#include "cli.h"
#include "cli_facts.h"
#include "protocol/node.h"
#include "records/describe.h"

void aggregate_facts_given(const struct aggregate_options *o, const struct cli_options *common)
{
    const struct header_node node =
        node_in_header(o->relay > 0 ? (struct node){ NODE_RELAY, o->relay }
                                    : (struct node){ NODE_STATION, o->station });

    if (!cli_json())
        return;
    cli_facts_given(o->plan, common);
    if (node.number > 0)
        describe_node_json(cli_json(), "node", &node);
}

static void add_addressees(struct json *j, const struct aggregate_report *r)
{
    json_open(j, "to", '{');
    json_bool(j, "federator", r->to_federator);
    describe_ranges_json(j, "stations", r->to_stations.ranges, r->to_stations.n);
    describe_ranges_json(j, "relays", r->to_relays.ranges, r->to_relays.n);
    json_close(j, '}');
}

void aggregate_facts(const struct aggregate *a, const struct cli_options *common)
{
    const struct aggregate_report *r = aggregate_report(a);
    struct json *j = cli_json();

    if (!j)
        return;
    cli_facts_round(common, r->has_round, r->round);
    cli_facts_set("clients", &r->clients);
    cli_facts_set("dealers", &r->dealers);
    json_uint(j, "sums", r->n_sums);
    json_uint(j, "left_out", aggregate_n_skipped(a));
    json_uint(j, "standing_by", aggregate_n_standing_by(a));
    add_addressees(j, r);
    cli_facts_output(common);
}
