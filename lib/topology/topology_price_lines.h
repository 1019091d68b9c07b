/*
 * topology_price_lines.h - the price lines of a topology. For topology_parse.c, and for options
 * with the same words.
 *
 *   price clients-stations=1 stations=0.1 stations-federator=1/5
 *   price station 3 7-9 send=5 receive=0.5
 */
#ifndef HAGG_TOPOLOGY_PRICE_LINES_H
#define HAGG_TOPOLOGY_PRICE_LINES_H

#include "topology/words.h"

/* A price that was parsed. */
struct topology_price_line {
    bool of_links;
    struct ratio links[N_LINKS]; /* of_links; den is 0 if it is not given */
    int kind;                    /* otherwise: of these nodes */
    struct topology_list nodes;
    struct ratio send, receive;
    size_t line;
};

/* In order of appearance. Initially all zero. */
struct topology_price_lines {
    struct topology_price_line *lines;
    size_t n, max;
    bool has_links;
};

void topology_price_lines_free(struct topology_price_lines *lines);

/* Parses the words of a line. */
int topology_price_lines_add(struct topology_price_lines *lines, struct words *w);

/* Sets t->prices, once the numbers of stations and relays are known. */
int topology_price_lines_resolve(const struct topology_price_lines *lines, struct topology *t,
                                 const char *name, struct hagg_err *err);

/* Parses an option with words for links, "stations=0.1,relays=2", into their prices; those of links
 * that it does not name stay as they are, with den 0 if they are not given. HAGG_E_USAGE; the
 * message begins with the option's name. */
int topology_price_lines_option(struct ratio links[N_LINKS], const char *option, const char *text,
                                struct hagg_err *err);

/* Sets the prices that are given. HAGG_E_MALFORMED, and a message that begins with where, if there
 * is no such link, or if the prices together are too large or too fine. */
int topology_price_lines_apply(struct topology *t, const struct ratio links[N_LINKS],
                               const char *where, struct hagg_err *err);

#endif
