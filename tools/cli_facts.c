#include "cli_facts.h"

#include "cli.h"
#include "records/describe.h"

void cli_facts_given(const struct plan *plan, const struct cli_options *o)
{
    struct json *j = cli_json();

    if (!j)
        return;
    if (plan)
        json_hex(j, "plan", plan->digest, sizeof plan->digest);
    if (o->has_round)
        json_uint(j, "round", o->round);
    if (o->client > 0)
        json_uint(j, "client", o->client);
}

void cli_facts_round(const struct cli_options *o, bool has_round, uint64_t round)
{
    if (cli_json() && has_round && !o->has_round)
        json_uint(cli_json(), "round", round);
}

void cli_facts_output(const struct cli_options *o)
{
    if (cli_json())
        json_string(cli_json(), "output", o->output ? o->output : "-");
}

void cli_facts_set(const char *name, const struct rangeset *set)
{
    if (cli_json())
        describe_ranges_json(cli_json(), name, set->ranges, set->n);
}
