#include <string.h>

#include "protocol/protocol_aligned.h"

/* Returns true if the header describes the value of a holder in an aligned sharing of the plan. */
static bool is_value(const struct protocol *p, const struct header *h, uint32_t holder)
{
    struct header own;

    plan_aligned_describe(p->plan, holder, &own);
    return protocol_is_scheme(&h->scheme, &own.scheme) && h->n_segments == own.n_segments &&
           h->n_route == 1 && protocol_is_tier(&h->route[0], 0, &p->plan->aligned->stations);
}

static bool has_counts(const struct header *h, const uint32_t *counts, size_t n)
{
    return h->n_blocks == n && memcmp(h->blocks, counts, n * sizeof *counts) == 0;
}

static bool has_blocks(const struct protocol *p, const struct header *h, uint32_t holder)
{
    const struct blocks *b = &p->plan->aligned->blocks[holder];

    return has_counts(h, b->counts, b->n_counts);
}

/* All clients must be in the plan. */
static bool has_known_clients(const struct protocol *p, const struct header *h)
{
    for (size_t i = 0; i < h->n_clients; i++)
        if (!topology_clients(&p->plan->topology, h->clients[i].first, h->clients[i].last))
            return false;
    return h->n_clients > 0;
}

/* Returns true if all numbers in the ranges are in the list. */
static bool are_in(const struct topology_list *list, struct header_range *ranges, size_t n_ranges)
{
    const struct rangeset set = { .ranges = ranges, .n = n_ranges };
    uint64_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        n += rangeset_overlap(&set, list->numbers[i], list->numbers[i]);
    return n == rangeset_count(&set);
}

/* With fewer dealers than this the masks hide nothing. */
static bool has_known_dealers(const struct protocol *p, const struct header *h)
{
    const struct topology *t = &p->plan->topology;
    const struct rangeset dealers = { .ranges = h->dealers, .n = h->n_dealers };

    return are_in(&t->dealers, h->dealers, h->n_dealers) &&
           rangeset_count(&dealers) >= plan_aligned_fewest_dealers(p->plan);
}

static bool find_share(const struct protocol *p, const struct header *h, uint32_t holder,
                       struct message *s)
{
    const struct topology_client *client = topology_client(&p->plan->topology, h->from.number);
    uint32_t class, station = p->plan->aligned->stations.numbers[holder];
    size_t index;

    if (!client || h->n_dealers > 0 || header_count_clients(h) != 1 ||
        h->clients[0].first != client->number)
        return false;
    class = p->sums[PLAN_SHARES][0].patterns.of_group[client->group];
    index = protocol_aligned_index(p, class, station);
    if (index == p->sums[PLAN_SHARES][0].patterns.routes[class].lists[0]->n ||
        !has_counts(h, &p->plan->aligned->parts[class], 1))
        return false;
    protocol_aligned_share(p, class, client->number, index, s);
    return true;
}

static bool find_mask(const struct protocol *p, const struct header *h, uint32_t holder,
                      struct message *s)
{
    size_t dealer = plan_aligned_dealer(p->plan, h->from.number);

    if (dealer == p->plan->topology.dealers.n || h->dealers[0].first != h->from.number ||
        h->chunks != p->plan->aligned->chunks || p->plan->aligned->bare[holder] ||
        !has_blocks(p, h, holder))
        return false;
    /* which masks are seeds is the dealer's choice */
    protocol_aligned_mask(p, dealer, holder, h->seed && p->plan->topology.computational, s);
    return true;
}

/* A sum may go through any relay that its station reaches. */
static bool find_sum(const struct protocol *p, const struct header *h, uint32_t holder,
                     struct message *s)
{
    bool relays = p->plan->topology.n_relays > 0;
    bool from_relay = strcmp(h->from.tier, node_tier_name(NODE_RELAY)) == 0;
    uint32_t station = p->plan->aligned->stations.numbers[holder];
    uint32_t relay = from_relay ? h->from.number : h->to.number;

    if (!has_blocks(p, h, holder) || !has_known_clients(p, h) || !has_known_dealers(p, h))
        return false;
    if (relays && !plan_reaches_relay(p->plan, station, relay))
        relay = p->plan->topology.station_via[station - 1].numbers[0];
    protocol_aligned_sum(p, holder, relays ? relay : 0, from_relay, s);
    return true;
}

/* A relay may combine the sums of any stations that reach it, if a summand is shorter than they
 * are. The total may be decoded from any k stations. */
static bool find_summand(const struct protocol *p, const struct header *h, struct message *s)
{
    const struct plan_aligned *a = p->plan->aligned;
    const struct rangeset stations = { .ranges = h->stations, .n = h->n_stations };
    const struct rangeset basis = { .ranges = h->basis, .n = h->n_basis };
    uint64_t n_rows = 0;

    if (!node_is(&h->from, (struct node){ NODE_RELAY, h->from.number }) ||
        h->from.number > p->plan->topology.n_relays || !has_known_clients(p, h) ||
        !has_known_dealers(p, h) || !are_in(&a->stations, h->basis, h->n_basis) ||
        rangeset_count(&basis) != a->sharing.k)
        return false;
    for (uint32_t i = 0; i < a->sharing.n; i++) {
        uint32_t station = a->stations.numbers[i];

        if (rangeset_overlap(&stations, station, station) == 0)
            continue;
        if (!plan_reaches_relay(p->plan, station, h->from.number))
            return false;
        n_rows += a->n_rows[i];
    }
    protocol_aligned_summand(p, h->from.number, s);
    return protocol_combines_rows(p->plan, a->sharing.k, n_rows);
}

bool protocol_aligned_find(const struct protocol *p, const struct header *h, unsigned ignoring,
                           struct message *s)
{
    uint32_t holder = h->scheme.index;
    bool from_client = strcmp(h->from.tier, node_tier_name(NODE_CLIENT)) == 0;
    bool found;

    if (h->kind == HEADER_SUMMAND)
        found = find_summand(p, h, s);
    else if (h->kind != HEADER_SHARE || holder >= p->plan->aligned->sharing.n ||
             !is_value(p, h, holder))
        found = false;
    else
        found = h->secret == HEADER_MASK ? find_mask(p, h, holder, s)
                : from_client            ? find_share(p, h, holder, s)
                                         : find_sum(p, h, holder, s);
    return found && ((ignoring & FIND_ANY_SENDER) != 0 || node_is(&h->from, s->from)) &&
           ((ignoring & FIND_ANY_ADDRESSEE) != 0 || node_is(&h->to, s->to));
}
