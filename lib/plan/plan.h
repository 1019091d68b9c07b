/*
 * plan.h - a topology with its field and scheme loaded, and what follows for each client.
 */
#ifndef HAGG_PLAN_H
#define HAGG_PLAN_H

#include "sharing/field.h"
#include "base/rangeset.h"
#include "sharing/scheme.h"
#include "sharing/sharing.h"
#include "topology/topology.h"

struct plan {
    struct topology topology;
    struct field *field;
    struct scheme *scheme;
    uint8_t digest[16];
    char *name; /* of the file, for messages */
};

/* Loads a plan, or a topology, which means the defaults, and checks what needs the plugins: that
 * the scheme has a form for every set of stations, that the field has points for them, and that the
 * quantised sum of all clients fits the field. bits=max becomes a number, so the digest has it. */
int plan_load(struct plan *p, const char *path, struct hagg_err *err);

/* The same for a planner, which is to choose the sets: they are not checked. */
int plan_load_to_choose(struct plan *p, const char *path, struct hagg_err *err);

/* What the latter leaves out: that every sharing has a form and a way. */
int plan_check_sets(const struct plan *p, struct hagg_err *err);

void plan_free(struct plan *p);

/* What is shared, and over which sets. */
enum plan_what {
    PLAN_SHARES,  /* the vectors */
    PLAN_KEYS,    /* the keys, under full collusion */
    PLAN_REACHES, /* no matter what: all stations that a client reaches, whatever was chosen */
};

/* The way of a sharing: share i goes to the station i of the first list, on to the relay i of the
 * second if there are relays, and to the federator. Where relays hold sharings of their own, the
 * stations' sharing ends with them, so that n is 1, and the second list has those that the relays'
 * sharing is for. */
#define PLAN_TIERS 2
struct plan_route {
    const struct topology_list *lists[PLAN_TIERS];
    size_t n;
    uint32_t cut; /* of a sharing that was made from another: parts of that one; otherwise 0 */
};

/* Of clients like these. */
void plan_route(const struct plan *p, const struct topology_group *g, enum plan_what what,
                struct plan_route *route);

/* The same as a record says it; the numbers stay the plan's. */
void plan_route_tiers(const struct plan_route *route, struct header_tier tiers[PLAN_TIERS]);

/* "station", "relay" */
const char *plan_tier_name(size_t tier);

/* How many tiers there are between clients and federator. */
size_t plan_tiers(const struct plan *p);

/* Whether a share with this header is to be transformed, for relays to hold. */
bool plan_transforms(const struct plan *p, const struct header *h);

/* What one client does. */
struct plan_client {
    uint32_t number;
    struct plan_route shares; /* the vector */
    struct plan_route keys;   /* full collusion: the key */
    uint32_t key_station;     /* partial collusion: that gets the key */
};

/* Partial collusion: the station that clients like these send their keys to. */
uint32_t plan_key_station(const struct topology_group *g);

/* Whether the station reaches the relay. */
bool plan_reaches_relay(const struct plan *p, uint32_t station, uint32_t relay);

/* HAGG_E_USAGE when the plan has no such station or relay; 0 stands for none. */
int plan_check_nodes(const struct plan *p, uint32_t station, uint32_t relay, struct hagg_err *err);

/* The plan's clients, or those of them that are in the set, which may be NULL. */
int plan_clients(const struct plan *p, const struct rangeset *among, struct rangeset *clients,
                 struct hagg_err *err);

/* That the plan has all clients that --clients names. HAGG_E_USAGE otherwise. */
int plan_check_clients(const struct plan *p, const struct rangeset *named, struct hagg_err *err);

/* HAGG_E_USAGE when the plan has no such client. */
int plan_client(const struct plan *p, uint32_t number, struct plan_client *client,
                struct hagg_err *err);

/* k, z and shape among n holders of the tier. Collusion bounds are what a scheme must withstand at
 * least; one that comes in fewer forms, as additive does, may withstand more. */
int plan_shape(const struct plan *p, size_t tier, uint32_t n, uint32_t *k, uint32_t *z,
               struct hagg_scheme_shape *shape, struct hagg_err *err);

/* The sharing among n holders of the tier that the plan's collusion and drop bounds ask for. */
int plan_sharing(const struct plan *p, size_t tier, uint32_t n, struct sharing *s,
                 struct hagg_err *err);

/* HAGG_E_PRIVACY for a total of fewer clients than the least allowed. */
int plan_check_minimum(uint32_t minimum, uint64_t n_clients, struct hagg_err *err);

/* The most that an integer of a client may be, so that the sum of all clients fits the field; 0 for
 * a field whose sums are not those of integers. */
int64_t plan_max_int(const struct plan *p);

/* The most bits of a quantised value that the field has room for, if they are of use. The plan
 * quantises. */
uint32_t plan_most_bits(const struct plan *p);

#endif
