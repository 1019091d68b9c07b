/*
 * protocol.h - a round of a plan, stated once: who sends what to whom, and what it is made of.
 *
 * A round is a linear network code. Each message is a linear combination of what its sender
 * received, what it has and what it drew at random. A protocol is a table of stages, one row for
 * each kind of message; protocol_keys.c has the one of the paper. The commands carry a round out,
 * hagg-cost counts it, hagg-audit eliminates it, hagg-round schedules it: all from here.
 *
 * Clients whose vectors, or whose keys, are shared over the same holders form a class. All clients
 * of a class send the same combinations of their own secrets and draws, so one statement, with one
 * id, serves for all of them.
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

/* Anything but 0 ends the enumeration, which then returns -1. */
typedef int protocol_message_fn(void *arg, const struct message *s, struct hagg_err *err);
typedef int protocol_term_fn(void *arg, const struct term *t, struct hagg_err *err);

/* One kind of message: a row of a protocol's table. Who sends it to whom, what its records are, and
 * in which rounds it occurs; then the two functions that state it, for protocol.c to call. */
struct stage {
    enum node_tier from, to;
    enum header_kind kind;
    enum header_secret secret;
    unsigned collusion, relays; /* STAGE_... below: any of them */
    int (*send)(const struct walk *w, const struct stage *s, size_t unit);
    int (*made_of)(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                   void *arg, struct hagg_err *err);
};

enum { STAGE_PARTIAL = 1, STAGE_FULL = 2 };
enum {
    STAGE_NO_RELAYS = 1,
    STAGE_PASSED_ON = 2, /* relays add up shares of the stations' sharings */
    STAGE_RESHARED = 4,  /* relays hold sharings of their own */
};

/* The stages of a round of the topology, in the order of their table: the one after this one, or
 * for NULL the first. NULL: there are no more. */
const struct stage *protocol_next_stage(const struct topology *t, const struct stage *after);

/* Who takes part in a round. */
struct protocol_presence {
    const struct rangeset *clients; /* NULL: all of the plan */
    const struct rangeset
        *missing[PLAN_TIERS]; /* stations and relays that are missing; NULL: none */
};

/* One message. It consists of rows, one after the other. */
struct message {
    const struct stage *stage;
    struct node from, to;
    uint64_t id;    /* below protocol_n_ids; the same for all clients of a class */
    uint32_t class; /* of a client's message */
    uint32_t
        pattern; /* which sum of the sender's tier it belongs to, in the order of plan_patterns */
    uint32_t index;   /* of the share in its sharing */
    uint32_t source;  /* of a transfer: index of the sender in the sharing that it reshares */
    uint32_t n_rows;  /* each as long as a vector cut into cuts[0] parts, and each of these */
    uint32_t cuts[2]; /* into cuts[1] */
    uint64_t draws;   /* what its sender drew for it is shared by all messages with this number */
    uint32_t n_draws; /* vectors, each as long as a row */
    bool complete;    /* all that belongs in it can be: no missing node held a part of it */
};

/* Of one row of a message: factor times a segment of something. */
enum term_of {
    TERM_SECRET,  /* what a client of class `id` shares or sends: see protocol_class_holds */
    TERM_DRAW,    /* vector `row` of what the sender drew for messages with draws == id */
    TERM_MESSAGE, /* row `row` of message `id`; of a client's, the sum over its class */
};

struct term {
    enum term_of of;
    uint64_t id;
    uint32_t row;
    uint32_t segment, n_segments; /* the row, filled up with zeros, cut into n_segments: this one */
    const void *factor;           /* a packed element of the plan's field */
};

/* Plan and sets must outlive it. The plan is one of plan_load, or has a route for every client. */
struct protocol *protocol_open(const struct plan *plan, const struct protocol_presence *presence,
                               struct hagg_err *err);

/* NULL is fine. */
void protocol_free(struct protocol *p);

const struct plan *protocol_plan(const struct protocol *p);

/* Every message between nodes that are present, after all that it is made of: first those of the
 * clients, client by client, then stage by stage. */
int protocol_each(const struct protocol *p, protocol_message_fn *fn, void *arg,
                  struct hagg_err *err);

/* The message that a record with this header is in a round of the plan, whoever takes part; false
 * if there is none. What a holder keeps until it has all to make a message of its own is found as a
 * message from the holder to itself. Not for several threads at once. */
bool protocol_find(const struct protocol *p, const struct header *h, struct message *s);

/* What a row of the message is made of. Not for several threads at once. */
int protocol_made_of(struct protocol *p, const struct message *s, uint32_t row,
                     protocol_term_fn *fn, void *arg, struct hagg_err *err);

uint64_t protocol_n_ids(const struct protocol *p);

/* Sets how long a message of the stage is: n_rows and cuts, from the sharings that it is about.
 * That of the relays counts where they hold sharings of their own. HAGG_E_MALFORMED if there is no
 * such message; name is for the error. */
int protocol_set_size(struct message *s, const struct hagg_scheme_shape *of_stations,
                      const struct hagg_scheme_shape *of_relays, const char *name,
                      struct hagg_err *err);

/* Symbols of the message in a round of vectors of so many elements, the sample count included. */
uint64_t protocol_symbols(const struct message *s, uint64_t length);

/* Classes of clients are numbered from 0. */
uint32_t protocol_n_classes(const struct protocol *p);

/* What clients of the class contribute to its secret: their vectors, their keys or both. */
struct protocol_secret {
    bool vector, key;
};
struct protocol_secret protocol_class_holds(const struct protocol *p, uint32_t class);

/* The classes that clients of a group of the topology are in: of their padded vectors and of their
 * keys. */
struct protocol_classes {
    uint32_t vector, key;
};
struct protocol_classes protocol_classes_of(const struct protocol *p, uint32_t group);

/* A sum that stations, or relays, make: of all that is shared over the same holders. */
struct protocol_sum {
    enum plan_what what; /* PLAN_SHARES or PLAN_KEYS */
    size_t tier;         /* 0 for stations, 1 for relays */
    size_t pattern;      /* below protocol_n_sums */
};

size_t protocol_n_sums(const struct protocol *p, enum plan_what what, size_t tier);

/* The sum that a share with this header goes into; false if the round has none like it. */
bool protocol_find_sum(const struct protocol *p, const struct header *h, struct protocol_sum *sum);

/* Of a sum that stations reshare: the relays that it is for, in order of their index. */
const struct topology_list *protocol_new_holders(const struct protocol *p, const struct message *s);

/* How many clients that take part are in it. */
uint64_t protocol_sum_clients(const struct protocol *p, const struct protocol_sum *sum);

/* Whether clients of the group are, if they take part. */
bool protocol_sum_has(const struct protocol *p, const struct protocol_sum *sum, uint32_t group);

/* Who holds its shares, in order of their index. */
const struct topology_list *protocol_sum_holders(const struct protocol *p,
                                                 const struct protocol_sum *sum);

/* Where relays add up shares of the stations' sharings: the station that sends those of the group's
 * clients to the relay. */
uint32_t protocol_station_before(const struct protocol *p, enum plan_what what, uint32_t group,
                                 uint32_t relay);

/* The first client that takes part and whose vector, or key, the station or relay gets a share or a
 * sum of; a key in the clear also along the chain. Number 0 stands for any. 0: there is none. */
uint32_t protocol_first_client(const struct protocol *p, enum plan_what what, struct node node);

/* Whether the node is in the round. */
bool protocol_has(const struct protocol *p, struct node node);

/* Where a station sends the sum of the keys in the clear: to the next station, or from the last
 * one to a relay that it reaches, or to the federator. Number 0: no relay is left. */
struct node protocol_key_hop(const struct protocol *p, uint32_t station);

#endif
