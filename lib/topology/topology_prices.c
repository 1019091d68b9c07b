#include "topology/topology_prices.h"

#include <errno.h>
#include <stdlib.h>

const char *const topology_price_words[N_LINKS + 1] = {
    [LINK_CLIENT_STATION] = "clients-stations=",      [LINK_STATION_STATION] = "stations=",
    [LINK_STATION_RELAY] = "stations-relays=",        [LINK_RELAY_RELAY] = "relays=",
    [LINK_STATION_FEDERATOR] = "stations-federator=", [LINK_RELAY_FEDERATOR] = "relays-federator=",
};

void topology_prices_free(struct topology_prices *p)
{
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++)
        free(p->nodes[kind]);
    *p = (struct topology_prices){ 0 };
}

static void start(struct topology_prices *p)
{
    if (p->unit > 0)
        return;
    p->unit = 1;
    for (enum topology_link link = 0; link < N_LINKS; link++)
        p->links[link] = 1;
}

static uint32_t largest(const struct topology_prices *p)
{
    uint32_t most = p->unit;

    for (enum topology_link link = 0; link < N_LINKS; link++)
        most = p->links[link] > most ? p->links[link] : most;
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++)
        for (uint32_t i = 0; p->nodes[kind] && i < p->n_nodes[kind]; i++) {
            const struct topology_node_price *node = &p->nodes[kind][i];

            most = node->send > most ? node->send : most;
            most = node->receive > most ? node->receive : most;
        }
    return most;
}

/* Makes the unit a multiple of den. */
static int refine_unit(struct topology_prices *p, uint32_t den)
{
    uint32_t factor = den / (uint32_t)ratio_gcd(p->unit, den);

    if (factor == 1)
        return 0;
    if ((uint64_t)largest(p) * factor > RATIO_MOST)
        return -1;
    p->unit *= factor;
    for (enum topology_link link = 0; link < N_LINKS; link++)
        p->links[link] *= factor;
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++)
        for (uint32_t i = 0; p->nodes[kind] && i < p->n_nodes[kind]; i++) {
            p->nodes[kind][i].send *= factor;
            p->nodes[kind][i].receive *= factor;
        }
    return 0;
}

static int set(const struct topology_prices *p, uint32_t *to, struct ratio price)
{
    uint64_t num = (uint64_t)price.num * (p->unit / price.den);

    if (num > RATIO_MOST)
        return -1;
    *to = (uint32_t)num;
    return 0;
}

int topology_prices_set(struct topology_prices *p, enum topology_link link, struct ratio price)
{
    start(p);
    p->links[link] = 0; /* the old price must not limit the unit */
    return refine_unit(p, price.den) || set(p, &p->links[link], price) ? -1 : 0;
}

int topology_prices_set_node(struct topology_prices *p, int kind, uint32_t number, uint32_t n_nodes,
                             struct ratio send, struct ratio receive)
{
    struct topology_node_price *node;

    errno = 0;
    start(p);
    if (!p->nodes[kind]) {
        p->nodes[kind] = calloc(n_nodes, sizeof *p->nodes[kind]);
        p->n_nodes[kind] = n_nodes;
    }
    if (!p->nodes[kind]) {
        errno = ENOMEM;
        return -1;
    }
    node = &p->nodes[kind][number - 1];
    return refine_unit(p, send.den) || refine_unit(p, receive.den) || set(p, &node->send, send) ||
                   set(p, &node->receive, receive)
               ? -1
               : 0;
}

bool topology_prices_has_link(enum topology_link link, bool relays)
{
    if (link == LINK_CLIENT_STATION || link == LINK_STATION_STATION)
        return true;
    return relays == (link != LINK_STATION_FEDERATOR);
}

static bool is_equal(struct topology_node_price a, struct topology_node_price b)
{
    return a.send == b.send && a.receive == b.receive;
}

/* Prints a line for each run of nodes that pay the same. */
static void print_nodes(const struct topology_prices *p, int kind, struct text *text)
{
    const struct topology_node_price *nodes = p->nodes[kind];

    for (uint32_t i = 0, end; nodes && i < p->n_nodes[kind]; i = end) {
        for (end = i + 1; end < p->n_nodes[kind] && is_equal(nodes[end], nodes[i]);)
            end++;
        if (nodes[i].send == 0 && nodes[i].receive == 0)
            continue;
        text_printf(text, "price %s %u", kind == TOPOLOGY_PRICED_STATIONS ? "station" : "relay",
                    i + 1);
        if (end > i + 1)
            text_printf(text, "-%u", end);
        text_printf(text, " send=");
        ratio_print(nodes[i].send, p->unit, text);
        text_printf(text, " receive=");
        ratio_print(nodes[i].receive, p->unit, text);
        text_printf(text, "\n");
    }
}

void topology_prices_print(const struct topology_prices *p, bool relays, struct text *text)
{
    if (p->unit == 0)
        return;
    text_printf(text, "price");
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (topology_prices_has_link(link, relays)) {
            text_printf(text, " %s", topology_price_words[link]);
            ratio_print(p->links[link], p->unit, text);
        }
    text_printf(text, "\n");
    for (int kind = 0; kind < N_TOPOLOGY_PRICED; kind++)
        print_nodes(p, kind, text);
}
