#include "protocol/record_check_aligned.h"

#include <stdio.h>
#include <string.h>

#include "protocol/protocol_state.h"
#include "sharing/layout.h"

/* Checks everything that is the same for all records of a station. */
static int check_sharing(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    const struct header *h = reader_header(r);
    const struct header_scheme *s = &h->scheme;

    if (h->kind != HEADER_SHARE || h->n_segments == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not an aligned share, but the plan has protocol aligned");
    if (h->n_route != 1 || !protocol_is_tier(&h->route[0], 0, &a->stations))
        return reader_fail(r, err, HAGG_E_MISMATCH, "its stations differ from those of the plan");
    if (strcmp(s->name, p->topology.scheme) || s->n != a->sharing.n || s->k != a->sharing.k ||
        s->z != a->sharing.z || h->n_segments != a->sharing.n_segments ||
        s->point != aligned_point(h->n_segments, a->stations.numbers[s->index]))
        return reader_fail(r, err, HAGG_E_MISMATCH, "scheme differs from that of the plan");
    return 0;
}

/* The sender or addressee of a record, for messages. */
struct node_name {
    char text[LIMIT_TIER + 16];
};

static struct node_name name_of(const struct header_node *node)
{
    struct node_name name = { "no node" };

    if (node->tier[0])
        snprintf(name.text, sizeof name.text, "%s %u", node->tier, node->number);
    return name;
}

static int check_mask(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    uint32_t station = h->route[0].numbers[h->scheme.index];

    if (plan_aligned_dealer(p, h->dealers[0].first) == p->topology.dealers.n)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a mask of station %u, which is not a dealer in the plan",
                           h->dealers[0].first);
    if (!node_is(&h->from, (struct node){ NODE_STATION, h->dealers[0].first }))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a mask of dealer %u, but from %s",
                           h->dealers[0].first, name_of(&h->from).text);
    if (p->aligned->bare[h->scheme.index])
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a mask for station %u, which gets none in the plan", station);
    if (h->chunks != p->aligned->chunks)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is cut into %u chunks, but the plan has %u",
                           h->chunks, p->aligned->chunks);
    return 0;
}

static int check_share(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    uint32_t station = h->route[0].numbers[h->scheme.index];
    const struct topology_client *client = topology_client(&p->topology, h->from.number);
    const struct plan_aligned *a = p->aligned;
    uint32_t parts;
    struct plan_route route;

    if (client && h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not list its clients");
    if (!client || header_count_clients(h) != 1 || h->clients[0].first != h->from.number)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           client ? "is from client %u, but lists other clients"
                                  : "is from client %u, which is not in the plan",
                           h->from.number);
    plan_route(p, &p->topology.groups[client->group], PLAN_SHARES, &route);
    if (!topology_list_has(route.lists[0], station))
        return reader_fail(r, err, HAGG_E_MISMATCH, "client %u does not use station %u in the plan",
                           client->number, station);
    if (h->n_dealers > 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is from client %u, but lists dealers",
                           client->number);
    parts = a->parts[a->classes.of_group[client->group]];
    if (h->n_blocks != 1)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is from client %u, but has blocks of %zu different lengths",
                           client->number, h->n_blocks);
    if (h->blocks[0] != parts)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "has %u segment%s in a block, but client %u has %u in the plan",
                           h->blocks[0], h->blocks[0] == 1 ? "" : "s", client->number, parts);
    return 0;
}

static int check_sum(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct rangeset dealers = { .ranges = h->dealers, .n = h->n_dealers };

    if (strcmp(h->to.tier, node_tier_name(NODE_STATION)) == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "is for station %u, but is not from a client",
                           h->to.number);
    if (h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not list its clients");
    for (size_t i = 0; i < h->n_clients; i++)
        if (!topology_clients(&p->topology, h->clients[i].first, h->clients[i].last))
            return reader_fail(r, err, HAGG_E_MISMATCH, "lists clients that are not in the plan");
    for (size_t i = 0; i < h->n_dealers; i++)
        for (uint64_t u = h->dealers[i].first; u <= h->dealers[i].last; u++)
            if (plan_aligned_dealer(p, (uint32_t)u) == p->topology.dealers.n)
                return reader_fail(r, err, HAGG_E_MISMATCH,
                                   "lists dealer %llu, which is not a dealer in the plan",
                                   (unsigned long long)u);
    if (rangeset_count(&dealers) < plan_aligned_fewest_dealers(p))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "lists the masks of %llu dealers, but at least %llu are needed",
                           (unsigned long long)rangeset_count(&dealers),
                           (unsigned long long)plan_aligned_fewest_dealers(p));
    return 0;
}

/* Checks the stations and the relay of a summand. */
static int check_summand(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    const struct header *h = reader_header(r);
    const struct rangeset stations = { .ranges = h->stations, .n = h->n_stations };
    const struct rangeset basis = { .ranges = h->basis, .n = h->n_basis };
    uint64_t n_in_use = 0;

    if (p->topology.n_relays == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a summand of a relay, but the plan has no relays");
    if (!node_is(&h->from, (struct node){ NODE_RELAY, h->from.number }) ||
        h->from.number > p->topology.n_relays)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is from %s %u, but summands are from relays of the plan", h->from.tier,
                           h->from.number);
    for (uint32_t i = 0; i < a->sharing.n; i++) {
        uint32_t station = a->stations.numbers[i];

        n_in_use += rangeset_overlap(&basis, station, station);
        if (rangeset_overlap(&stations, station, station) > 0 &&
            !plan_reaches_relay(p, station, h->from.number))
            return reader_fail(r, err, HAGG_E_MISMATCH,
                               "contains the sum of station %u, which does not reach relay %u in "
                               "the plan",
                               station, h->from.number);
    }
    if (n_in_use != a->sharing.k || rangeset_count(&basis) != n_in_use)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is for decoding from %llu stations, but the plan decodes from %u of "
                           "those in use",
                           (unsigned long long)rangeset_count(&basis), a->sharing.k);
    return check_sum(p, r, err);
}

/* Finds out what does not fit. */
static int explain(const struct protocol *round, const struct reader *r, struct hagg_err *err)
{
    const struct plan *p = protocol_plan(round);
    const struct header *h = reader_header(r);
    bool from_client = strcmp(h->from.tier, node_tier_name(NODE_CLIENT)) == 0;
    struct message s;

    if (h->kind == HEADER_SUMMAND
            ? check_summand(p, r, err)
            : check_sharing(p, r, err) || (h->secret == HEADER_MASK ? check_mask(p, r, err)
                                           : from_client            ? check_share(p, r, err)
                                                                    : check_sum(p, r, err)))
        return -1;
    if (protocol_find_ignoring(round, h, FIND_ANY_ADDRESSEE, &s))
        return reader_fail(r, err, HAGG_E_MISMATCH, "must be addressed to %s %u, not to %s",
                           node_tier_name(s.to.tier), s.to.number, name_of(&h->to).text);
    if (protocol_find_ignoring(round, h, FIND_ANY_SENDER, &s))
        return reader_fail(r, err, HAGG_E_MISMATCH, "must be from %s %u, not from %s",
                           node_tier_name(s.from.tier), s.from.number, name_of(&h->from).text);
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       h->kind == HEADER_SUMMAND
                           ? "is not shorter than the sums of its stations, which a relay then "
                             "passes on"
                           : "its blocks or chunks differ from those of the plan");
}

int record_check_aligned(const struct protocol *round, const struct reader *r, bool found,
                         struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (!found)
        return explain(round, r, err);
    if (h->kind != HEADER_SUMMAND && !h->seed && reader_n_elems(r) != layout_aligned_length(h))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has %llu elements, but its segments and blocks require %llu",
                           (unsigned long long)reader_n_elems(r),
                           (unsigned long long)layout_aligned_length(h));
    return 0;
}
