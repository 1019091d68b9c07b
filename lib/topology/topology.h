/*
 * topology.h - topologies and plans: the network, who may collude, who may be missing, and the
 * station sets that were chosen. hagg-topology(5) describes the language.
 *
 * A plan is a topology whose client lines also give the stations for shares and keys. Parsing is
 * strict. A topology has one canonical printed form, whose digest identifies the plan.
 */
#ifndef HAGG_TOPOLOGY_H
#define HAGG_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "format_limits.h"
#include "header.h"
#include "base/rangeset.h"
#include "base/text.h"
#include "topology/topology_prices.h"

#define TOPOLOGY_MAX_CLIENTS  1000000u
#define TOPOLOGY_MAX_NODES    LIMIT_HOLDERS /* stations; relays */
#define TOPOLOGY_MAX_NUMBERS  (1u << 26)    /* in all lists together, with ranges expanded */
#define TOPOLOGY_MAX_SEGMENTS LIMIT_SEGMENTS
#define TOPOLOGY_MAX_BYTES    (1u << 28) /* of text */

struct topology_list {
    uint32_t *numbers;
    size_t n;
};

static inline bool topology_list_has(const struct topology_list *list, uint32_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->numbers[i] == number)
            return true;
    return false;
}

/* The clients of one line, or of several equal lines. */
struct topology_group {
    struct topology_list via;    /* ascending */
    struct topology_list shares; /* in order of share index; empty means via */
    struct topology_list keys;   /* partial: one station; full: in order of share index; or empty */
    /* Without transform, the relay for each station of shares, in the same order; with transform,
     * the holders of the new sharing. May be empty. */
    struct topology_list relays;
    struct topology_list key_relays; /* the same for keys, under full collusion; or empty */
    bool computational;              /* True if drawn shares are sent as seeds. */
    /* The stations over which clients share that reach too few: all of shares, or those that were
     * chosen for them. Ascending; empty for other clients. See topology_couriers.h. */
    struct topology_list reach;
    size_t line; /* of its first occurrence, for messages */
};

struct topology_client {
    uint32_t number;
    uint32_t group;
};

enum topology_protocol { TOPOLOGY_ANY, TOPOLOGY_KEYS, TOPOLOGY_ALIGNED };

/* More colluding stations, and the fraction of any vector that they may learn: not 0 and not 1. */
struct topology_tolerated {
    uint32_t stations;
    uint32_t num, den;
};

#define TOPOLOGY_MAX_TOLERATED 8u

/* In place of a field: the shortest one that is large enough. */
#define TOPOLOGY_FIELD_AUTO "auto"

/* Bounds of the integers that clients share. Both are 0 if they are not declared. */
struct topology_integers {
    int64_t lo, hi; /* lo < hi */
};

/* Largest absolute value of a bound. */
#define TOPOLOGY_MAX_INTEGER (INT64_C(1) << 62)

static inline bool topology_integers_given(const struct topology_integers *i)
{
    return i->lo < i->hi;
}

struct topology {
    char field[LIMIT_SPEC + 1];  /* default TOPOLOGY_FIELD_AUTO, which plan_load replaces */
    char scheme[LIMIT_SPEC + 1]; /* default: that of the protocol */
    bool scheme_stated;          /* by a scheme line, not by default */
    bool full;                   /* True for full collusion, false for partial. */
    uint32_t collude_clients;
    uint32_t collude_stations; /* default 1 */
    uint32_t collude_relays;   /* default 1 with transform, otherwise 0 */
    struct topology_tolerated tolerated[TOPOLOGY_MAX_TOLERATED]; /* stations ascend */
    size_t n_tolerated;
    bool relays_stated; /* True if the collude line sets the relays. */
    uint32_t drop_clients, drop_stations, drop_relays;
    size_t collude_line, drop_line; /* line numbers, for messages; 0 if there is none */
    struct header_quant quant;      /* if any */
    bool bits_max; /* True for quantize bits=max: plan_load then sets quant.bits. */
    struct topology_integers integers; /* of an integers line */
    bool samples;
    uint64_t most_samples; /* of a client; 0 if not given */
    bool computational;    /* True if all clients and dealers send drawn shares as seeds. */
    bool fallback;         /* True if clients that reach too few stations do so. */
    bool transform;        /* True if relays have a sharing of their own, made by the stations. */
    bool aligned;          /* True for protocol aligned, the default; false for keys. */
    uint32_t segments; /* protocol aligned: of a vector; 0 if not given, until plan_load sets it */
    struct topology_list dealers;       /* protocol aligned: in order; plan_load sets it if empty */
    size_t aligned_line;                /* of the first line that needs protocol aligned, or 0 */
    size_t segments_line, dealers_line; /* 0 if plan_load sets them */
    uint64_t length;                    /* 0 if not given */
    /* Name of the file with the public keys of the nodes, in the directory of the plan; empty if
     * records are not sealed. Its SHA-256, unless plan_load is to compute it. */
    char identities[LIMIT_NAME + 1];
    bool has_identities_digest;
    uint8_t identities_digest[HEADER_PLAN_BYTES];
    uint32_t minimum; /* fewest clients in a decoded total; default collude_clients + 2 */
    uint32_t n_stations, n_relays;
    struct topology_list *station_via; /* relays that each station reaches; NULL without relays */
    struct topology_group *groups;     /* in order of their first client */
    size_t n_groups;
    struct topology_client *clients; /* ascending */
    size_t n_clients;
    struct topology_prices prices;
};

/* Parses n bytes of text into t, which must be all zero. Errors are HAGG_E_MALFORMED and begin with
 * "NAME:LINE: 'WORD': ". */
int topology_parse(struct topology *t, const char *name, const char *text, size_t n,
                   struct hagg_err *err);

/* The same for a planner: checks all choices and discards them, so that groups are clients with the
 * same reach. With TOPOLOGY_ANY the protocol is the one stated, or the default. Otherwise it is the
 * given one, and lines and choices that only another stated protocol has are discarded without a
 * check. */
int topology_parse_to_choose(struct topology *t, enum topology_protocol protocol, const char *name,
                             const char *text, size_t n, struct hagg_err *err);

/* Reads the text of a file; "-" is standard input. */
int topology_read(struct text *text, const char *path, struct hagg_err *err);

/* Returns the protocol of the protocol line, or TOPOLOGY_ANY without one. text ends with NUL. */
enum topology_protocol topology_stated(const char *text);

/* Returns the name of a file in messages. */
const char *topology_name(const char *path);

/* Reads and parses a file. */
int topology_load(struct topology *t, const char *path, struct hagg_err *err);

void topology_free(struct topology *t);

/* Frees the lists of a group, but not the group. */
void topology_clear_group(struct topology_group *g);

/* Frees an array of groups and their lists. groups may be NULL. */
void topology_free_groups(struct topology_group *groups, size_t n);

/* Prints the canonical form. Parsing it gives the same topology, and printing that gives the same
 * text. */
void topology_print(const struct topology *t, struct text *text);

/* Appends the numbers in their order, each after a space; consecutive ones as a range: " 1-3 5". */
void topology_print_numbers(struct text *text, const struct topology_list *list);

/* SHA-256 of the canonical form. */
int topology_digest(const struct topology *t, uint8_t digest[HEADER_PLAN_BYTES],
                    struct hagg_err *err);

/* Parses the words of a quantize line, separated by commas, such as "bits=16,clip=1.0". */
int topology_quantize(struct header_quant *quant, const char *text, struct hagg_err *err);

/* Returns how many holders of a sharing may collude. tier is 0 for stations and 1 for relays.
 * Without transform, stations and relays see the same sharing: under partial collusion only one of
 * the two tiers colludes, so the larger number counts; under full collusion both may, with
 * different shares, so the numbers add up. With transform each tier has its own sharing. With
 * protocol aligned only stations hold shares. */
uint32_t topology_colluders(const struct topology *t, size_t tier);

/* Returns how many dealers of masks may collude with the federator, also beyond those stations that
 * learn nothing, if the plan promises something about them: none under partial collusion,
 * because colluding stations do not see the sums. */
uint32_t topology_colluding_dealers(const struct topology *t);

/* Returns how many holders of a sharing may be missing. tier is as above. */
uint32_t topology_spares(const struct topology *t, size_t tier);

/* Returns the fewest holders of a sharing: the colluders, twice the spares, and one. Any two sets
 * of holders that can decode then have an honest holder in common, who sends a sum over one set of
 * clients only, so a round has one total: docs/theory.md, section 3. tier is as above. */
uint64_t topology_fewest(const struct topology *t, size_t tier);

/* Returns the fewest clients in a total of a round: those that the drop line requires, but at least
 * the minimum. */
uint64_t topology_smallest_total(const struct topology *t);

/* Sets HAGG_E_MALFORMED and returns -1: n nodes, of the kind `what`, are too few, because at least
 * `fewest` are needed. where is the beginning of the message. */
int topology_too_few(const struct topology *t, const char *where, uint64_t n, const char *what,
                     uint32_t colluders, uint32_t spares, uint64_t fewest, struct hagg_err *err);

/* Checks that n holders of the tier are enough for a sharing. where is the beginning of the
 * message, such as the name of the file. HAGG_E_MALFORMED if no sharing with n holders tolerates
 * the colluding and missing ones; HAGG_E_PRIVACY if one does, but two totals of a round could be
 * decoded. */
int topology_check_holders(const struct topology *t, size_t tier, uint64_t n, const char *where,
                           struct hagg_err *err);

/* Returns a copy in which stations and relays have sharings of their own, each of which tolerates
 * the nodes of its tier only. The lists belong to t. A plan with relays needs no fewer holders. */
struct topology topology_apart(const struct topology *t);

/* Sets collude_relays to its default unless it was stated. To be called when transform changes. */
void topology_default_relays(struct topology *t);

/* HAGG_E_PRIVACY if the minimum is below the colluding clients plus two: they and the federator
 * could subtract their vectors from a total and learn that of the only other client. */
int topology_check_minimum(const struct topology *t, const char *name, struct hagg_err *err);

/* The same check, and HAGG_E_PRIVACY if a single station or relay may learn vectors, sums or parts
 * of them, because no other node of its tier needs to collude. */
int topology_check_protected(const struct topology *t, const char *name, struct hagg_err *err);

/* Returns true if the clients of a group reach the station themselves. */
bool topology_reaches(const struct topology_group *g, uint32_t station);

/* Returns the stations that the clients of a group can address: those that they reach or, if these
 * are too few, also others, through a courier. */
static inline const struct topology_list *topology_reach(const struct topology_group *g)
{
    return g->reach.n > 0 ? &g->reach : &g->via;
}

/* Returns the stations over which the clients of a group share their vectors. */
static inline const struct topology_list *topology_shares(const struct topology_group *g)
{
    return g->shares.n > 0 ? &g->shares : topology_reach(g);
}

/* Returns the station that passes on records of these clients to the given station, or 0 if they
 * reach it themselves: the first that they reach and that is not missing, or the first if all of
 * them are. missing may be NULL. */
uint32_t topology_courier(const struct topology_group *g, uint32_t station,
                          const struct rangeset *missing);

/* Returns true if these clients send to the station through a courier, and the given station can be
 * it: any that they reach. */
bool topology_carries(const struct topology_group *g, uint32_t courier, uint32_t station);

/* Returns true if a round has seeds: of all clients or of some. */
bool topology_has_seeds(const struct topology *t);

/* Returns the client with this number, or NULL. */
const struct topology_client *topology_client(const struct topology *t, uint32_t number);

/* Returns the clients first .. last, which are consecutive, or NULL if one of them does not
 * exist. */
const struct topology_client *topology_clients(const struct topology *t, uint32_t first,
                                               uint32_t last);

#endif
