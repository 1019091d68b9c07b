#include "planner/aligned/network.h"

#include <math.h>
#include <stdlib.h>

#include "cost/count/prices.h"
#include "plan/plan_relays.h"
#include "plan/plan_seeds.h"
#include "sharing/blocks.h"

/* More segments waste less in last blocks, but need more matrices. */
#define MOST_SEGMENTS 10080u

static uint32_t most_segments(const struct plan *p, uint64_t length)
{
    uint64_t n = p->field->info.order - p->topology.n_stations;

    n = n > MOST_SEGMENTS ? MOST_SEGMENTS : n;
    return (uint32_t)(length > 0 && n > length ? length : n);
}

/* At most LIMIT_COUNTS different part counts in all: the small ones, and of the larger ones some
 * with about the same ratio between neighbours. */
static int choose_parts(struct network *net, uint32_t most)
{
    const uint32_t half = LIMIT_COUNTS / 2;
    double ratio = most > 2 * half ? pow((double)most / half, 1.0 / half) : 1;
    uint32_t v = 0;

    net->parts = calloc(most + (size_t)1, sizeof *net->parts);
    if (!net->parts)
        return -1;
    for (uint32_t i = 1; i <= most; i++) {
        if (i <= half || i >= v * ratio)
            v = i;
        net->parts[i] = v;
    }
    return 0;
}

/* Counts shares of full length that a courier passes on. A client with a courier has one part and
 * uses all stations that it can address. */
static uint32_t count_passed_on(const struct network *net, uint32_t class)
{
    const struct topology_group *g = &net->topology->groups[class];
    uint32_t n = 0;

    for (size_t i = 0; i < g->reach.n; i++)
        n += topology_courier(g, g->reach.numbers[i], NULL) > 0 &&
             !plan_is_seed(g, &g->reach, net->colluding, i);
    return n;
}

static void set_prices(struct network *net)
{
    const struct topology *t = net->topology;
    const struct topology_prices *p = &t->prices;

    net->into = prices_of_link(p, LINK_CLIENT_STATION);
    net->across = prices_of_link(p, LINK_STATION_STATION);
    net->up = prices_of_link(p, t->n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR);
    net->relay_up = prices_of_link(p, LINK_RELAY_FEDERATOR);
    net->pays = p->nodes[TOPOLOGY_PRICED_STATIONS];
    net->relay_pays = p->nodes[TOPOLOGY_PRICED_RELAYS];
    for (uint32_t u = 2; u <= t->n_stations; u++)
        if (network_receive(net, u) != network_receive(net, 1))
            net->receive_differs = true;
}

int network_new(struct network *net, const struct plan *p, uint32_t default_segments,
                struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t most = 0;

    if (p->field->info.order <= t->n_stations)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' has too few points for %u stations and one segment: use a "
                       "larger one",
                       p->name, t->field, t->n_stations);
    *net = (struct network){
        .topology = t,
        .n_stations = t->n_stations,
        .n_classes = (uint32_t)t->n_groups,
        .weight = calloc(t->n_groups, sizeof *net->weight),
        .beyond = calloc(t->n_groups, sizeof *net->beyond),
        .passed_on = calloc(t->n_groups, sizeof *net->passed_on),
        .ranks = calloc(t->n_stations + (size_t)1, sizeof *net->ranks),
        .deals = calloc(t->n_stations + (size_t)1, sizeof *net->deals),
        .hidden = topology_colluders(t, 0) + topology_spares(t, 0),
        .colluding = topology_colluders(t, 0),
        .fewest = (uint32_t)topology_fewest(t, 0),
        .default_segments = default_segments,
        .may_combine = t->n_relays > 0 && topology_spares(t, 0) == 0,
        .length = t->length > 0 ? t->length + t->samples : 0,
    };
    for (uint32_t c = 0; c < net->n_classes; c++)
        if (network_reach(net, c)->n > most)
            most = network_reach(net, c)->n;
    if (!net->weight || !net->beyond || !net->passed_on || !net->ranks || !net->deals ||
        choose_parts(net, (uint32_t)most - net->hidden)) {
        network_free(net);
        return err_errno(err, "%s", p->name);
    }
    net->most_parts = net->parts[most - net->hidden];
    net->most_segments = most_segments(p, net->length);
    for (size_t i = 0; i < t->n_clients; i++)
        net->weight[t->clients[i].group]++;
    for (uint32_t c = 0; c < net->n_classes; c++) {
        net->beyond[c] = t->groups[c].computational ? net->hidden - net->colluding : net->hidden;
        net->passed_on[c] = count_passed_on(net, c);
        net->has_couriers = net->has_couriers || t->groups[c].reach.n > 0;
    }
    set_prices(net);
    return 0;
}

void network_free(struct network *net)
{
    free(net->weight);
    free(net->beyond);
    free(net->passed_on);
    free(net->ranks);
    free(net->deals);
    free(net->parts);
    *net = (struct network){ 0 };
}

bool network_segments_are_useful(const struct network *net, uint32_t n_segments)
{
    return net->length == 0 || n_segments == 1 ||
           blocks_segment_length(n_segments - 1, net->length) >
               blocks_segment_length(n_segments, net->length);
}

network_amount network_share_price(const struct network *net, uint32_t class,
                                   const uint32_t *stations, uint32_t parts)
{
    network_amount each = (parts + (network_amount)net->beyond[class]) * net->into +
                          (network_amount)net->passed_on[class] * net->across;

    for (uint32_t i = 0; net->pays && i < parts + net->hidden; i++)
        each += network_receive(net, stations[i]);
    return each * net->weight[class];
}

static uint64_t relay_sends(const struct network *net, uint32_t relay)
{
    return net->relay_up + (net->relay_pays ? net->relay_pays[relay - 1].send : 0);
}

struct network_sent network_relayed(const struct network *net, uint32_t n_segments,
                                    const uint32_t *stations, const uint32_t *rows, uint32_t n,
                                    uint32_t *relay, bool *combines, uint64_t *weights)
{
    const struct plan_relays_input in = {
        .topology = net->topology,
        .stations = stations,
        .n_rows = rows,
        .n = n,
        .n_segments = n_segments,
        .may_combine = net->may_combine,
    };
    struct network_sent sent = { 0 };

    if (net->topology->n_relays == 0)
        return sent;
    plan_relays_choose(&in, relay, combines, weights);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t price = combines[relay[i]] ? 0 : relay_sends(net, relay[i]);

        price += net->relay_pays ? net->relay_pays[relay[i] - 1].receive : 0;
        sent.rows += (network_amount)rows[i] * price;
    }
    for (uint32_t m = 1; m <= net->topology->n_relays; m++)
        sent.vectors += combines[m] ? relay_sends(net, m) : 0;
    return sent;
}
