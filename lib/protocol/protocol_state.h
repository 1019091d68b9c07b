/*
 * protocol_state.h - what an open protocol knows, for protocol.c and the files that state one.
 */
#ifndef HAGG_PROTOCOL_STATE_H
#define HAGG_PROTOCOL_STATE_H

#include "protocol/protocol.h"

/* The sums that a tier makes of one secret, vectors or keys: a pattern each. */
struct protocol_sums {
    struct plan_patterns patterns;
    uint64_t *begins;    /* by pattern: the shares of all before it; one more for the end */
    uint64_t *n_clients; /* by pattern: that take part */
};

/* With relays: the sums of stations that go into each sum of the relays. */
struct protocol_merging {
    size_t *begins;     /* by sum of the relays, and the end */
    uint32_t *patterns; /* of the stations */
};

/* The sharing among so many holders of a tier, made when it is first asked for. */
struct protocol_sharing {
    bool has_shape, has_matrix;
    uint32_t k, z;
    struct hagg_scheme_shape shape;
    struct sharing sharing;
    struct matrix inverse; /* gives its parts, from the shares of these holders: k of them */
    uint32_t *inverse_of;  /* NULL: there is none yet */
};

struct protocol {
    const struct plan *plan;
    struct protocol_presence presence;
    const struct stage *stages;
    size_t n_stages;
    uint64_t *first_ids;                      /* by stage, and the end */
    uint64_t *n_taking_part;                  /* by group of the topology: clients */
    struct protocol_sums sums[2][PLAN_TIERS]; /* by enum plan_what: vectors, and keys if shared */
    struct protocol_merging merging[2];
    struct protocol_sharing *sharings[PLAN_TIERS]; /* by number of holders */
    bool *has_keys;      /* by station: it gets keys in the clear of clients that take part */
    uint32_t first_keys; /* the first of them that is present, or 0 */
    uint32_t first_lost; /* and that is not */
    uint32_t *sources;   /* room for the indices of all stations, twice */
};

/* An enumeration under way. */
struct walk {
    const struct protocol *p;
    bool whoever; /* all messages that there may be, whoever of the plan takes part */
    protocol_message_fn *fn;
    void *arg;
    struct hagg_err *err;
};

/* The paper's protocol: vectors are padded with keys. */
extern const struct stage protocol_keys[];
extern const size_t protocol_keys_n;

/* How many ids one of its stages needs. */
uint64_t protocol_keys_size(const struct protocol *p, const struct stage *s);

/* In how many units it sends: a unit is a client of the plan, a sum of the sender's tier or, for
 * keys in the clear that go on, a station. */
size_t protocol_keys_units(const struct protocol *p, const struct stage *s);

bool protocol_is_missing(const struct protocol *p, size_t tier, uint32_t number);

/* k, z and shape of the sharing among n holders of the tier; NULL on failure. */
const struct protocol_sharing *protocol_shape(const struct protocol *p, size_t tier, size_t n,
                                              struct hagg_err *err);

/* The same sharing with its matrix. */
const struct sharing *protocol_sharing(struct protocol *p, size_t tier, size_t n,
                                       struct hagg_err *err);

/* The matrix that gives the parts of a sharing among n stations from the shares of k of them. */
const struct matrix *protocol_inverse(struct protocol *p, size_t n, const uint32_t *sources,
                                      struct hagg_err *err);

/* The same as protocol_find, but for some of what the header says: to find out what is wrong. */
enum { FIND_ANY_SENDER = 1, FIND_ANY_ADDRESSEE = 2, FIND_ANY_CLIENTS = 4 };
bool protocol_find_ignoring(const struct protocol *p, const struct header *h, unsigned ignoring,
                            struct message *s);

/* Whether these are the holders that a record names. */
bool protocol_is_tier(const struct header_tier *named, size_t tier,
                      const struct topology_list *list);

/* Of a stage: whether it is about vectors or about keys. */
static inline enum plan_what protocol_what(const struct stage *s)
{
    return s->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES;
}

#endif
