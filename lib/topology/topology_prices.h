/*
 * topology_prices.h - what a symbol costs on each kind of link, and at nodes that pay for what they
 * send or receive. Prices change no message: hagg-plan minimises them and hagg-cost adds them up.
 *
 * All prices of a topology have a common denominator, so that sums of them are integers.
 */
#ifndef HAGG_TOPOLOGY_PRICES_H
#define HAGG_TOPOLOGY_PRICES_H

#include <stdbool.h>

#include "base/ratio.h"

enum topology_link {
    LINK_CLIENT_STATION,
    LINK_STATION_STATION,
    LINK_STATION_RELAY,
    LINK_RELAY_RELAY,
    LINK_STATION_FEDERATOR,
    LINK_RELAY_FEDERATOR,
    N_LINKS,
};

enum { TOPOLOGY_PRICED_STATIONS, TOPOLOGY_PRICED_RELAYS, N_TOPOLOGY_PRICED };

/* What a node pays for a symbol, in addition to the price of the link. */
struct topology_node_price {
    uint32_t send, receive;
};

struct topology_prices {
    uint32_t unit;           /* the common denominator; 0 without a price line */
    uint32_t links[N_LINKS]; /* numerators */
    /* The same for stations and for relays, by number - 1; NULL if none of them pays. */
    struct topology_node_price *nodes[N_TOPOLOGY_PRICED];
    uint32_t n_nodes[N_TOPOLOGY_PRICED];
};

/* Frees the prices of nodes. */
void topology_prices_free(struct topology_prices *p);

/* The words of a price line, "clients-stations=" and so on by kind of link, then NULL. */
extern const char *const topology_price_words[N_LINKS + 1];

/* Sets the price of a link, and of all other links to 1 if there was no price. Returns -1 if a
 * numerator or the common denominator would exceed RATIO_MOST. */
int topology_prices_set(struct topology_prices *p, enum topology_link link, struct ratio price);

/* The same for a node of a kind of which there are n_nodes; number is from 1. errno is ENOMEM
 * without memory, and otherwise 0. */
int topology_prices_set_node(struct topology_prices *p, int kind, uint32_t number, uint32_t n_nodes,
                             struct ratio send, struct ratio receive);

/* Returns true if links of this kind exist in a network with or without relays. */
bool topology_prices_has_link(enum topology_link link, bool relays);

/* Prints the lines, of a network with or without relays; nothing without a price line. */
void topology_prices_print(const struct topology_prices *p, bool relays, struct text *text);

#endif
