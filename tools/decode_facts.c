#include "decode_facts.h"

#include <stdio.h>

#include "cli.h"
#include "cli_facts.h"
#include "records/describe.h"

static void add_missing(struct json *j, const char *tier, const struct rangeset *missing)
{
    struct header_node node = { 0 };

    snprintf(node.tier, sizeof node.tier, "%s", tier);
    json_open(j, "missing", '[');
    for (size_t i = 0; i < missing->n; i++)
        for (uint64_t n = missing->ranges[i].first; n <= missing->ranges[i].last; n++) {
            node.number = (uint32_t)n;
            describe_node_json(j, NULL, &node);
        }
    json_close(j, ']');
}

static void add_corrected(struct json *j, const struct decode *d)
{
    struct decode_blame blame;
    size_t at = 0;

    json_open(j, "corrected", '[');
    while (decode_next_blame(d, &at, &blame)) {
        json_open(j, NULL, '{');
        describe_node_json(j, "holder", &blame.holder);
        json_string(j, "file", blame.file);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void decode_facts(const struct decode *d, const struct total_report *r, bool mean,
                  const struct cli_options *common)
{
    const struct header *h = decode_header(d);
    struct json *j = cli_json();
    struct rangeset missing = { 0 };
    struct hagg_err err;
    const char *tier;

    if (!j)
        return;
    tier = decode_missing(d, &missing, &err);
    if (tier) {
        cli_facts_round(common, h->has_round, h->round);
        cli_facts_set("clients", decode_clients(d));
        add_missing(j, tier, &missing);
        add_corrected(j, d);
        json_string(j, "what", mean ? "mean" : "sum");
        if (r->has_samples)
            json_uint(j, "samples", (uint64_t)r->samples);
        json_double(j, "error_bound", r->error.worst);
        json_double(j, "error_deviation", r->error.deviation);
        json_double(j, "error_bias", r->error.bias);
        cli_facts_output(common);
    } else
        j->text->failed = true;
    rangeset_free(&missing);
}
