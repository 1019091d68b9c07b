/*
 * topology.h - who reaches whom, what is to be tolerated and what was chosen: hagg-topology(5).
 *
 * A plan is a topology whose client lines also say which stations get shares and keys. Parsing is
 * strict; what was parsed has one printed form, and the digest of that form names the plan.
 */
#ifndef HAGG_TOPOLOGY_H
#define HAGG_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"
#include "header.h"
#include "base/text.h"

#define TOPOLOGY_MAX_CLIENTS 1000000u
#define TOPOLOGY_MAX_NODES   LIMIT_HOLDERS /* stations, relays */
#define TOPOLOGY_MAX_NUMBERS (1u << 26)    /* in all lists together, ranges written out */
#define TOPOLOGY_MAX_BYTES   (1u << 28)    /* of text */

struct topology_list {
    uint32_t *numbers;
    size_t n;
};

/* What one line says of its clients. Clients that are alike share a group. */
struct topology_group {
    struct topology_list via;    /* ascending */
    struct topology_list shares; /* in order of share index; empty: as via */
    struct topology_list keys;   /* partial: one station; full: in order of share index; or empty */
    struct topology_list relays; /* matched with shares one by one, or with transform the holders of
                                    the new sharing; or empty */
    struct topology_list key_relays; /* the same for keys, under full collusion; or empty */
    size_t line;                     /* where it stands first, for messages */
};

struct topology_client {
    uint32_t number;
    uint32_t group;
};

struct topology {
    char field[LIMIT_FIELD_SPEC + 1]; /* m31 unless said otherwise */
    char scheme[LIMIT_NAME + 1];      /* ramp unless said otherwise */
    bool full;                        /* clients collude with stations and federator together */
    uint32_t collude_clients, collude_stations, collude_relays;
    uint32_t drop_clients, drop_stations, drop_relays;
    size_t collude_line, drop_line; /* where they are, for messages; 0: nowhere */
    struct header_quant quant;      /* bits 0: none */
    bool bits_max; /* quantize bits=max: quant.bits is open until plan_load has the field */
    bool samples;
    bool transform;   /* relays hold sharings of their own, which stations make from theirs */
    uint64_t length;  /* 0: not said */
    uint32_t minimum; /* fewest clients in a decoded total; collude_clients + 2 if not said */
    uint32_t n_stations, n_relays;
    struct topology_list *station_via; /* n_stations lists of relays, or NULL without relays */
    struct topology_group *groups;     /* in order of their first client */
    size_t n_groups;
    struct topology_client *clients; /* ascending */
    size_t n_clients;
};

/* Reads text, n bytes, into a topology that is all zero. name is for messages, which say
 * "NAME:LINE: 'WORD': reason". HAGG_E_MALFORMED for what is wrong. */
int topology_parse(struct topology *t, const char *name, const char *text, size_t n,
                   struct hagg_err *err);

/* The same from a file; "-" is standard input. */
int topology_load(struct topology *t, const char *path, struct hagg_err *err);

void topology_free(struct topology *t);

/* Frees what the group's lists hold. */
void topology_clear_group(struct topology_group *g);

/* Groups and all they hold; NULL is fine. */
void topology_free_groups(struct topology_group *groups, size_t n);

/* The canonical form: parsing it gives the same topology, printing that the same text. */
void topology_print(const struct topology *t, struct text *text);

/* XXH3-128 of the canonical form. */
int topology_digest(const struct topology *t, uint8_t digest[16], struct hagg_err *err);

/* Reads "bits=16,clip=1.0,rounding=nearest", as after the word quantize. */
int topology_quantize(struct header_quant *quant, const char *text, struct hagg_err *err);

/* So many holders of a sharing of the tier, 0 for stations and 1 for relays, may collude. A sharing
 * that passes both shows them the same shares under partial collusion, where one of the two tiers
 * may collude, and different ones under full; with transform each tier has its own. */
uint32_t topology_colluders(const struct topology *t, size_t tier);

/* And so many may be missing. */
uint32_t topology_spares(const struct topology *t, size_t tier);

/* What is open because a tier is not named in the collude line, for a warning; NULL: nothing. The
 * caller puts the name of the file in front. */
const char *topology_unprotected(const struct topology *t);

/* The client with this number, or NULL. */
const struct topology_client *topology_client(const struct topology *t, uint32_t number);

/* The clients with these numbers, in a row, or NULL if one is missing. */
const struct topology_client *topology_clients(const struct topology *t, uint32_t first,
                                               uint32_t last);

#endif
