/*
 * plan.h - a plan with its field and scheme loaded, and the routes of each client's shares.
 */
#ifndef HAGG_PLAN_H
#define HAGG_PLAN_H

#include "sharing/field.h"
#include "base/rangeset.h"
#include "sharing/scheme.h"
#include "sharing/sharing.h"
#include "topology/topology.h"

struct plan_aligned;

struct plan {
    struct topology topology;
    struct field *field;
    struct scheme *scheme;
    uint8_t digest[HEADER_PLAN_BYTES];
    char *name;                   /* of the file, for messages */
    struct plan_aligned *aligned; /* see plan_aligned.h; NULL with protocol keys */
};

/* Loads a plan, or a topology, for which default sets are used. Performs the checks that need the
 * plugins: that the scheme supports every set of stations, that the field has enough points for
 * them, and that the quantised sum of all clients fits the field. field auto and bits=max are
 * replaced, and with protocol aligned segments and dealers are set; this is what the digest covers.
 */
int plan_load(struct plan *p, const char *path, struct hagg_err *err);

/* The same for the planner, which chooses the sets later: they are not checked. */
int plan_load_to_choose(struct plan *p, const char *path, struct hagg_err *err);

/* For the planner of one protocol: parses a topology with topology_parse_to_choose and does nothing
 * that depends on choices. name is used in messages. */
int plan_parse_to_choose(struct plan *p, enum topology_protocol protocol, const char *name,
                         const struct text *text, struct hagg_err *err);

/* Derives everything from the topology of a plan again, after it has been changed: with protocol
 * aligned also segments and dealers, unless they are given. */
int plan_settle(struct plan *p, struct hagg_err *err);

/* The check that plan_load_to_choose omits: that the scheme supports every sharing and that every
 * sharing has a route. */
int plan_check_sets(const struct plan *p, struct hagg_err *err);

void plan_free(struct plan *p);

/* The secret that is shared, which determines the station set. */
enum plan_what {
    PLAN_SHARES,  /* the vector */
    PLAN_KEYS,    /* the key, under full collusion */
    PLAN_REACHES, /* either, over all stations that the client reaches itself instead of the chosen
                     set */
};

/* The route of a sharing: share i is sent to station i of the first list, then, if there are
 * relays, to relay i of the second list, then to the federator. With transform the stations'
 * sharing ends at the stations, so n is 1, and the second list has the holders of the relays'
 * sharing. */
#define PLAN_TIERS 2
struct plan_route {
    const struct topology_list *lists[PLAN_TIERS];
    size_t n;
    uint32_t cut; /* for a sharing made from another one, the parts of the latter; otherwise 0 */
};

/* The route for the clients of the group. It points into the plan. */
void plan_route(const struct plan *p, const struct topology_group *g, enum plan_what what,
                struct plan_route *route);

/* Converts a route to the form in a record header. The tiers point into the plan. */
void plan_route_tiers(const struct plan_route *route, struct header_tier tiers[PLAN_TIERS]);

/* "station", "relay" */
const char *plan_tier_name(size_t tier);

/* Returns the number of tiers between clients and federator. */
size_t plan_tiers(const struct plan *p);

/* Returns true if a share with this header is to be transformed into a sharing of the relays. */
bool plan_transforms(const struct plan *p, const struct header *h);

/* Where one client sends its shares and its key. */
struct plan_client {
    uint32_t number, group;
    struct plan_route shares; /* of the vector */
    struct plan_route keys;   /* of the key, under full collusion */
    uint32_t key_station;     /* that gets the key, under partial collusion */
};

/* Returns the station that clients of the group send their keys to, under partial collusion. */
uint32_t plan_key_station(const struct topology_group *g);

bool plan_reaches_relay(const struct plan *p, uint32_t station, uint32_t relay);

/* HAGG_E_USAGE if the plan has no such station or relay. 0 means none and is accepted. */
int plan_check_nodes(const struct plan *p, uint32_t station, uint32_t relay, struct hagg_err *err);

/* Checks that the plan has these missing stations (tier 0) or relays (tier 1), otherwise
 * HAGG_E_USAGE, and that its drop line allows this number of them, otherwise HAGG_E_TOO_FEW. */
int plan_check_missing(const struct plan *p, size_t tier, const struct rangeset *missing,
                       struct hagg_err *err);

/* HAGG_E_TOO_FEW if all stations that the client reaches are missing, which only happens to clients
 * with a courier. */
int plan_check_reach(const struct plan *p, const struct topology_client *client,
                     const struct rangeset *missing, struct hagg_err *err);

/* Adds the plan's clients to the set clients; only those in among, unless among is NULL. */
int plan_clients(const struct plan *p, const struct rangeset *among, struct rangeset *clients,
                 struct hagg_err *err);

/* HAGG_E_USAGE if the plan lacks a client that --clients names. */
int plan_check_clients(const struct plan *p, const struct rangeset *named, struct hagg_err *err);

/* HAGG_E_USAGE if the plan has no such client. */
int plan_client(const struct plan *p, uint32_t number, struct plan_client *client,
                struct hagg_err *err);

/* Determines k, z and shape of a sharing among n holders of the tier. z is at least the plan's
 * collusion bound, and larger if the scheme does not support that bound, as may be the case with
 * additive. */
int plan_shape(const struct plan *p, size_t tier, uint32_t n, uint32_t *k, uint32_t *z,
               struct hagg_scheme_shape *shape, struct hagg_err *err);

/* The same, with the numbers of holders that the scheme supports. */
int plan_prefixes(const struct plan *p, size_t tier, uint32_t n, uint32_t *k, uint32_t *z,
                  struct hagg_scheme_shape *shape, struct scheme_prefixes *prefixes,
                  struct hagg_err *err);

/* Returns true if shares of this plan may be sent in part: the scheme has prefixes for a sharing of
 * its stations or relays. */
bool plan_has_prefixes(const struct plan *p);

/* Replaces the scheme. HAGG_E_SYSTEM if it cannot be loaded; then the plan is unchanged. */
int plan_change_scheme(struct plan *p, const char *name, struct hagg_err *err);

/* Makes the sharing among n holders of the tier, with these k and z. draw is as in sharing_new. */
int plan_sharing(const struct plan *p, size_t tier, uint32_t n, const bool *draw, struct sharing *s,
                 struct hagg_err *err);

/* HAGG_E_PRIVACY if a total has fewer clients than the minimum. */
int plan_check_minimum(uint32_t minimum, uint64_t n_clients, struct hagg_err *err);

/* HAGG_E_PRIVACY if more clients of the plan are missing than its drop line allows. If that number
 * is 0, only the minimum counts. */
int plan_check_dropped(const struct plan *p, uint64_t n_missing, struct hagg_err *err);

/* Both checks for a total of n_clients clients of the plan. */
int plan_check_total(const struct plan *p, uint64_t n_clients, struct hagg_err *err);

/* Sets *lo and *hi to the least and the greatest integer that a client may share: those of the
 * integers line or, without one, the largest range around 0 for which the sum over all clients fits
 * the field. Both are 0 if addition in the field is not integer addition. */
void plan_integers(const struct plan *p, int64_t *lo, int64_t *hi);

/* Returns the largest sample count of a client. */
int64_t plan_most_samples(const struct plan *p);

/* Returns the largest useful number of bits of a quantised value for which the sum fits the field.
 * The plan must quantise. */
uint32_t plan_most_bits(const struct plan *p);

#endif
