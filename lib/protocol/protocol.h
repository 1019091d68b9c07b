/*
 * protocol.h - the messages of a round under a plan: sender, receiver, and the terms of each.
 *
 * A round is a linear network code: each message is a linear combination of messages that its
 * sender received, its secret, and its random vectors. A protocol is a table of stages, one row for
 * each kind of message; protocol_keys.c has that of the paper and protocol_aligned.c that of
 * docs/aligned.md. It is the only statement of the
 * protocol: the commands execute it, hagg-cost counts its messages, hagg-audit proves what they
 * reveal, and hagg-round schedules them.
 *
 * Clients whose vectors, or whose keys, are shared over the same holders form a class. All clients
 * of a class send the same linear combinations of their own secrets and random vectors, so a
 * message is stated once, with one id, for the whole class.
 */
#ifndef HAGG_PROTOCOL_H
#define HAGG_PROTOCOL_H

#include "protocol/node.h"
#include "plan/plan_patterns.h"
#include "base/rangeset.h"

struct protocol;
struct message;
struct term;
struct walk;

/* A nonzero result ends the enumeration, which then returns -1. */
typedef int protocol_message_fn(void *arg, const struct message *s, struct hagg_err *err);
typedef int protocol_group_fn(void *arg, const struct message *s, uint64_t n, struct hagg_err *err);
typedef int protocol_term_fn(void *arg, const struct term *t, struct hagg_err *err);

/* One kind of message: a row of a protocol's table. send lists the messages of one unit, made_of
 * the terms of one row of a message; only lib/protocol calls them. */
struct stage {
    enum node_tier from, to;
    enum header_kind kind;
    enum header_secret secret;
    unsigned collusion, relays; /* STAGE_... below: the rounds in which it occurs */
    int (*send)(const struct walk *w, const struct stage *s, size_t unit);
    int (*made_of)(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                   void *arg, struct hagg_err *err);
};

enum { STAGE_PARTIAL = 1, STAGE_FULL = 2 };
enum {
    STAGE_NO_RELAYS = 1,
    STAGE_PASSED_ON = 2, /* relays add up shares of the stations' sharings */
    STAGE_RESHARED = 4,  /* relays have a sharing of their own */
};

/* Enumerates the stages that occur in a round of the topology, in the order of the table. Returns
 * the first one if after is NULL, and NULL after the last. */
const struct stage *protocol_next_stage(const struct topology *t, const struct stage *after);

/* The nodes that take part in a round. */
struct protocol_presence {
    const struct rangeset *clients;             /* NULL for all of the plan */
    const struct rangeset *missing[PLAN_TIERS]; /* missing stations and relays; NULL for none */
    /* True if stations and relays send only the symbols of their shares that the number of present
     * ones requires; false if they send whole shares. It makes no difference unless the scheme has
     * prefixes. With relays that pass on shares, the sums have prefixes only if no relay is
     * missing, and every missing station counts. */
    bool prefixes;
    /* True to list what nodes have sent at most once as many of them have failed as the plan allows
     * (protocol_worst_prefix). Such a list is there to be counted: it has no terms. It requires
     * prefixes, and nobody is missing. */
    bool worst;
    /* True if stations keep back stand-by sums: see protocol_stands_by. */
    bool stand_by;
};

/* One message: n_rows rows, one after the other. To get the length of a row, cut the vector into
 * cuts[0] parts and each part into cuts[1] parts, rounding up. */
struct message {
    const struct stage *stage;
    struct node from, to;
    uint64_t id;      /* below protocol_n_ids; the same for all clients of a class */
    uint32_t class;   /* of a client's message */
    uint32_t pattern; /* of the sum of the sender's tier that it belongs to: see plan_patterns.h */
    uint32_t index;   /* of the share in its sharing */
    uint32_t source;  /* of a transfer: index of the sender in the sharing that it reshares */
    struct header_symbols
        symbols; /* of the share or, in a transfer, of its source: all if end is 0 */
    uint32_t n_rows;
    uint32_t cuts[2];
    uint64_t draws;   /* messages of a sender with the same number use the same random vectors */
    uint32_t n_draws; /* number of these vectors, each as long as a row */
    bool complete;    /* True if no summand was lost with a missing node. */
    /* How many of the cuts are undone, the last one first: the rows are joined and cut off where
     * the part, or the vector, ends that was cut. */
    uint32_t n_joined;
    bool seed;        /* True if the record has a seed that the rows are the expansion of. */
    uint32_t courier; /* station that passes on a client's record, or 0 */
};

/* One summand of a row of a message: factor times a segment of one of these. Rows of a message are
 * counted as if it had whole shares. */
enum term_of {
    TERM_SECRET,  /* the secret of a client of class `id`: see protocol_class_holds */
    TERM_DRAW,    /* the sender's random vector `row` for messages with draws == id */
    TERM_MESSAGE, /* row `row` of message `id`; if from a client, the sum over its class */
};

struct term {
    enum term_of of;
    uint64_t id;
    uint32_t row;
    uint32_t segment, n_segments; /* of the row, filled up with zeros and cut into n_segments */
    const void *factor;           /* a packed element of the plan's field */
};

/* presence may be NULL: all nodes take part. The plan and the sets must outlive the protocol. The
 * plan is from plan_load, or has a route for every client. */
struct protocol *protocol_open(const struct plan *plan, const struct protocol_presence *presence,
                               struct hagg_err *err);

/* p may be NULL. */
void protocol_free(struct protocol *p);

const struct plan *protocol_plan(const struct protocol *p);

/* Enumerates every message between nodes that are present, each after the messages in its terms:
 * first those of the clients, client by client, then the others, stage by stage. With protocol
 * aligned a dealer also has a message to itself, which is not sent: its own mask. */
int protocol_each(const struct protocol *p, protocol_message_fn *fn, void *arg,
                  struct hagg_err *err);

/* The same, but of the clients of a group of the topology that take part only the first is listed,
 * together with their number n. They send the same messages. For other nodes n is 1. */
int protocol_each_group(const struct protocol *p, protocol_group_fn *fn, void *arg,
                        struct hagg_err *err);

/* Finds the message of the round that a record with this header contains, whichever nodes take
 * part. Returns false if there is none. An intermediate sum that a holder keeps until it can make
 * its own message is found as a message from the holder to itself. Not thread-safe. */
bool protocol_find(const struct protocol *p, const struct header *h, struct message *s);

/* Enumerates the terms of a row of the message. Not thread-safe. */
int protocol_made_of(struct protocol *p, const struct message *s, uint32_t row,
                     protocol_term_fn *fn, void *arg, struct hagg_err *err);

uint64_t protocol_n_ids(const struct protocol *p);

/* Sets n_rows and cuts of a message from the shapes of the stations' sharing and, with transform,
 * the relays' sharing, and from its symbols. */
void protocol_set_size(struct message *s, const struct hagg_scheme_shape *of_stations,
                       const struct hagg_scheme_shape *of_relays);

/* Sets n_rows, cuts and n_joined of a message of protocol aligned that has n_rows blocks or
 * intervals; for a summand n_rows does not matter. n_chunks is the number of chunks of a row that
 * has a mask, or 0 without masks. */
void protocol_set_aligned_size(struct message *s, uint32_t n_segments, uint32_t n_rows,
                               uint32_t n_chunks);

/* Returns the number of field elements of the message for vectors of the given length, including
 * the sample count; of a seed, the number of elements of its expansion. */
uint64_t protocol_symbols(const struct message *s, uint64_t length);

/* Classes of clients are numbered from 0. */
uint32_t protocol_n_classes(const struct protocol *p);

/* What the secret of a client of the class consists of: its vector, its key or the sum of both. */
struct protocol_secret {
    bool vector, key;
};
struct protocol_secret protocol_class_holds(const struct protocol *p, uint32_t class);

/* The classes of the padded vectors and of the keys of the clients of a group of the topology. */
#define PROTOCOL_NO_CLASS UINT32_MAX /* clients have no keys */
struct protocol_classes {
    uint32_t vector, key;
};
struct protocol_classes protocol_classes_of(const struct protocol *p, uint32_t group);

/* A sum that stations or relays make, of all shares with the same pattern. */
struct protocol_sum {
    enum plan_what what; /* PLAN_SHARES or PLAN_KEYS */
    size_t tier;         /* 0 for stations, 1 for relays */
    size_t pattern;      /* below protocol_n_sums */
};

size_t protocol_n_sums(const struct protocol *p, enum plan_what what, size_t tier);

/* Finds the sum that a share with this header belongs to; returns false if there is none. */
bool protocol_find_sum(const struct protocol *p, const struct header *h, struct protocol_sum *sum);

/* Returns the relays that stations reshare the sum for, in order of share index. */
const struct topology_list *protocol_new_holders(const struct protocol *p, const struct message *s);

/* Sets *prefix to what a holder sends of its share of the sum, a share with this header, if the
 * nodes are present that are in this round: the whole share, unless the round has prefixes. Returns
 * false if the round has no such sum. */
bool protocol_sum_prefix(const struct protocol *p, const struct header *h,
                         struct hagg_scheme_prefix *prefix);

/* Returns the most that the holder with this index has sent of its share of a sum among n holders,
 * if n_spare of them fail one after the other, each after it has sent what the present ones
 * required, and the others then send more. The holder with index 0 fails first. If relays pass
 * shares on, a missing node counts for sums that it has no part in, so all holders may have sent
 * whole shares. */
const struct hagg_scheme_prefix *protocol_worst_prefix(const struct topology *t,
                                                       const struct scheme_prefixes *prefixes,
                                                       uint32_t n, uint32_t n_spare,
                                                       uint32_t index);

/* Returns how many clients in the sum take part in the round. */
uint64_t protocol_sum_clients(const struct protocol *p, const struct protocol_sum *sum);

/* Returns true if clients of the group are in the sum if they take part. */
bool protocol_sum_has(const struct protocol *p, const struct protocol_sum *sum, uint32_t group);

/* Returns the holders of its shares, in order of share index. */
const struct topology_list *protocol_sum_holders(const struct protocol *p,
                                                 const struct protocol_sum *sum);

/* Without transform, returns the station that sends the shares of the group's clients to the
 * relay. */
uint32_t protocol_station_before(const struct protocol *p, enum plan_what what, uint32_t group,
                                 uint32_t relay);

/* Returns the first client that takes part and of whose vector, or key, the station or relay gets a
 * share or a sum; for a key in the clear also along the chain. Node number 0 means any. Returns 0
 * if there is no such client. */
uint32_t protocol_first_client(const struct protocol *p, enum plan_what what, struct node node);

/* Returns true if the node takes part in the round. */
bool protocol_has(const struct protocol *p, struct node node);

/* Returns the node that a station sends the sum of the keys in the clear to: the next station; for
 * the last station a relay that it reaches, or the federator without relays. The number is 0 if all
 * these relays are missing. */
struct node protocol_key_hop(const struct protocol *p, uint32_t station);

/* With protocol aligned: */

/* Returns the node that a station in use sends its sum to. The number is 0 if all relays that it
 * reaches are missing. */
struct node protocol_sum_hop(const struct protocol *p, uint32_t station);

/* Returns true if the sum of a station in use is zero, and is not sent: no client that takes part
 * uses the station, and it gets no masks. */
bool protocol_is_idle(const struct protocol *p, uint32_t station);

/* Returns true if the federator can do without some of the sums that stations make. With relays it
 * needs what all stations send. */
bool protocol_has_stand_by(const struct plan *p);

/* Returns true if a station that is present makes its sum but keeps it back. With stand_by, only
 * as many sums are sent as decode: those with the fewest rows and, among equals, of the lowest
 * station numbers. If others are lost, a station that sends still does. The clients of the round
 * make no difference. */
bool protocol_stands_by(const struct protocol *p, uint32_t station);

/* Returns true if a relay combines sums with this number of rows to a summand, when n_present of
 * the stations in use are present. It does so if a summand is shorter than the sums, and if the
 * missing stations leave no choice of stations to decode from. */
bool protocol_combines_rows(const struct plan *p, uint32_t n_present, uint64_t n_rows);

/* The same for a relay that received the sums of these stations. */
bool protocol_combines(const struct protocol *p, const struct rangeset *stations);

/* Adds the stations that are in use and present, from whose sums the total is decoded if relays
 * combine, to basis. */
int protocol_basis(const struct protocol *p, struct rangeset *basis, struct hagg_err *err);

#endif
