#include "cost/measure/flow.h"

#include <stdio.h>
#include <string.h>

const char *flow_what_name(enum flow_what what)
{
    static const char *const names[N_FLOW_WHATS] = {
        [FLOW_VECTORS] = "vectors",
        [FLOW_KEYS] = "keys",
        [FLOW_TRANSFERS] = "transfers",
        [FLOW_MASKS] = "masks",
    };

    return names[what];
}

enum flow_what flow_what_of(enum header_kind kind, enum header_secret secret)
{
    return kind == HEADER_TRANSFER ? FLOW_TRANSFERS
           : secret == HEADER_KEY  ? FLOW_KEYS
           : secret == HEADER_MASK ? FLOW_MASKS
                                   : FLOW_VECTORS;
}

/* In the order of a round. */
static void begin(struct flow_tiers *tiers)
{
    static const char *const usual[] = { "", "client", "holder", "station", "relay", "federator" };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        snprintf(tiers->names[tiers->n++], sizeof *tiers->names, "%s", usual[i]);
}

static int find_tier(struct flow_tiers *tiers, const char *name, uint8_t *tier,
                     struct hagg_err *err)
{
    size_t i = 0;

    if (tiers->n == 0)
        begin(tiers);
    while (i < tiers->n && strcmp(tiers->names[i], name))
        i++;
    if (i == FLOW_MAX_TIERS)
        return err_set(err, HAGG_E_MALFORMED,
                       "tier '%s' exceeds the limit: at most %u tiers are counted", name,
                       FLOW_MAX_TIERS - 1);
    if (i == tiers->n)
        snprintf(tiers->names[tiers->n++], sizeof *tiers->names, "%s", name);
    *tier = (uint8_t)i;
    return 0;
}

int flow_of(struct flow *flow, struct flow_tiers *tiers, const struct header_node *from,
            const struct header_node *to, enum flow_what what, struct hagg_err *err)
{
    *flow = (struct flow){ .from = from->number, .to = to->number, .what = (uint8_t)what };
    return find_tier(tiers, from->tier, &flow->from_tier, err) ||
                   find_tier(tiers, to->tier, &flow->to_tier, err)
               ? -1
               : 0;
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static uint32_t class_of(const struct flow *flow)
{
    return (uint32_t)flow->from_tier << 16 | (uint32_t)flow->to_tier << 8 | flow->what;
}

int flow_compare(const struct flow *a, const struct flow *b)
{
    int order = compare(class_of(a), class_of(b));

    order = order ? order : compare(a->from, b->from);
    return order ? order : compare(a->to, b->to);
}

bool flow_is_alike(const struct flow *a, const struct flow *b)
{
    return class_of(a) == class_of(b);
}
