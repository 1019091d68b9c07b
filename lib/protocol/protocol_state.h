/*
 * protocol_state.h - internals of an open protocol, for protocol.c and the files with stage tables.
 */
#ifndef HAGG_PROTOCOL_STATE_H
#define HAGG_PROTOCOL_STATE_H

#include "plan/plan_aligned.h"
#include "protocol/protocol_relays.h"

/* The sums that a tier makes of vectors, or of keys: one per pattern. */
struct protocol_sums {
    struct plan_patterns patterns;
    uint64_t *begins; /* by pattern, and at the end: number of shares of all patterns before it */
    uint64_t *n_clients; /* by pattern: clients that take part */
};

/* With relays: the stations' sums in each of the relays' sums. */
struct protocol_merging {
    size_t *begins;     /* by sum of the relays, and the end: index in patterns */
    uint32_t *patterns; /* of the stations */
};

/* The sharing among a given number of holders of a tier. Shape, matrix and inverse are computed on
 * first use. */
struct protocol_sharing {
    bool has_shape, has_matrix;
    uint32_t k, z;
    struct hagg_scheme_shape shape;
    struct scheme_prefixes prefixes;
    struct sharing sharing;
    struct matrix inverse; /* decodes the parts from prefixes of the shares of holders inverse_of */
    uint32_t *inverse_of;  /* NULL if there is no inverse yet */
    const struct hagg_scheme_prefix *inverse_prefix;
};

/* Only for protocol aligned: what was computed so far. */
struct protocol_aligned {
    bool has_masks, has_factors;
    struct masks masks;    /* the same for all dealers */
    struct matrix factors; /* rows: values of the mask, holder by holder; columns: draws */
    size_t *first_value;   /* by holder, and the end: index of its first value */
    bool has_extraction;
    struct matrix extraction; /* by dealer: the powers of its element */
    uint32_t class;           /* whose blocks these are */
    struct sharing *blocks;
    uint32_t n_blocks;
    struct protocol_relays relays; /* empty without relays */
    bool *stands_by;               /* by holder; NULL if all stations send their sums */
};

/* A protocol: its stages, and what they need. Only lib/protocol uses it. */
struct protocol_table {
    const struct stage *stages;
    size_t n_stages;
    /* Returns how many ids a stage needs. */
    uint64_t (*size)(const struct protocol *p, const struct stage *s);
    /* Returns the number of units of a stage. */
    size_t (*units)(const struct protocol *p, const struct stage *s);
    bool (*find)(const struct protocol *p, const struct header *h, unsigned ignoring,
                 struct message *s);
};

extern const struct protocol_table protocol_keys, protocol_aligned;

struct protocol {
    const struct plan *plan;
    struct protocol_presence presence;
    const struct protocol_table *table;
    uint64_t *first_ids;                      /* by stage, and the end: first id of its messages */
    uint64_t *n_taking_part;                  /* by group of the topology: number of clients */
    struct protocol_sums sums[2][PLAN_TIERS]; /* by enum plan_what: vectors, and keys if shared */
    struct protocol_merging merging[2];
    struct protocol_sharing *sharings[PLAN_TIERS]; /* by number of holders */
    bool *has_keys; /* by station: True if it gets keys in the clear of clients that take part. */
    uint32_t first_keys;              /* the first of these stations that is present, or 0 */
    uint32_t first_lost;              /* the first of these stations that is missing, or 0 */
    uint32_t *sources;                /* scratch: room for the indices of all stations, twice */
    struct protocol_aligned *aligned; /* NULL with protocol keys */
};

/* State of an enumeration. */
struct walk {
    const struct protocol *p;
    bool all_possible; /* True to list the messages for every possible set of missing nodes. */
    protocol_message_fn *fn;
    void *arg;
    struct hagg_err *err;
};

static inline int walk_send(const struct walk *w, const struct message *s)
{
    return w->fn(w->arg, s, w->err) ? -1 : 0;
}

/* The element 1, packed, for any element size. */
static const unsigned char protocol_one[8] = { 1 };

bool protocol_is_missing(const struct protocol *p, size_t tier, uint32_t number);

/* Returns the courier of the clients of a group to a station: the first that is present of those
 * that they reach, or the first of all. 0 if they reach the station themselves. */
uint32_t protocol_courier(const struct protocol *p, const struct topology_group *g,
                          uint32_t station);

/* Returns true if receiver and courier of a client's message are present. */
bool protocol_arrives(const struct protocol *p, const struct message *s);

/* Returns the sharing among n holders of the tier with k, z and shape, but maybe no matrix; NULL on
 * failure. */
const struct protocol_sharing *protocol_shape(const struct protocol *p, size_t tier, size_t n,
                                              struct hagg_err *err);

/* Returns the same sharing with its matrix; NULL on failure. */
const struct sharing *protocol_sharing(struct protocol *p, size_t tier, size_t n,
                                       struct hagg_err *err);

/* Returns the matrix that decodes the parts of a sharing among n stations from the prefix, one of
 * this sharing, of the shares of as many of them as it needs, sources; NULL on failure. Valid until
 * the next call for the same n. */
const struct matrix *protocol_inverse(struct protocol *p, size_t n, const uint32_t *sources,
                                      const struct hagg_scheme_prefix *prefix,
                                      struct hagg_err *err);

/* The same as protocol_find, but ignores some of the header, to find out what is wrong with it. The
 * form is whether it has elements or a seed. */
enum { FIND_ANY_SENDER = 1, FIND_ANY_ADDRESSEE = 2, FIND_ANY_CLIENTS = 4, FIND_ANY_FORM = 8 };
bool protocol_find_ignoring(const struct protocol *p, const struct header *h, unsigned ignoring,
                            struct message *s);

/* Finds a message of protocol keys. */
bool protocol_find_keys(const struct protocol *p, const struct header *h, unsigned ignoring,
                        struct message *s);

/* Finds the stations that keep their sums back. */
int protocol_stand_by_new(struct protocol *p, struct hagg_err *err);

/* Frees what the functions of protocol_aligned.c have computed. */
void protocol_aligned_free(struct protocol *p);

/* Sets what the header of share number `index` of a sharing among n holders of the tier has as its
 * scheme. */
int protocol_scheme(const struct protocol *p, size_t tier, size_t n, uint32_t index,
                    struct header_scheme *scheme, struct hagg_err *err);

bool protocol_is_scheme(const struct header_scheme *a, const struct header_scheme *b);

/* Where a message of protocol keys that is not a whole vector is on its route, which contains only
 * the tiers that it has not passed yet. */
struct protocol_place {
    size_t tier;                              /* of its holders, the first on the route */
    const struct topology_list *const *lists; /* n_route tiers of holders */
    size_t n_route;
    size_t n_layout; /* number of cuts before its own */
    size_t n_source; /* of a transfer: holders of the sharing that is reshared */
};

struct protocol_place protocol_place(const struct protocol *p, const struct message *s);

/* Returns true if a tier in a record header has these holders. */
bool protocol_is_tier(const struct header_tier *named, size_t tier,
                      const struct topology_list *list);

/* Returns PLAN_KEYS for a stage of keys, PLAN_SHARES for a stage of vectors. */
static inline enum plan_what protocol_what(const struct stage *s)
{
    return s->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES;
}

#endif
