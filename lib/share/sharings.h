/*
 * sharings.h - the sharings of the clients of a plan, each made once for all clients that use it.
 */
#ifndef HAGG_SHARINGS_H
#define HAGG_SHARINGS_H

#include "share/client_aligned.h"

/* Protocol keys: a sharing, and which of its shares are seeds. */
struct sharings_ramp {
    struct sharing sharing; /* n is 0 if it was not made */
    struct client_seeds seeds;
};

/* Clients that send seeds have sharings for their group only, because the drawn shares depend on
 * the stations that they reach. Initialise to all zero. */
struct sharings {
    const struct plan *plan;
    const struct rangeset *missing; /* stations that are no couriers, or NULL */
    struct client_aligned *aligned; /* protocol aligned: by class, then by group; without a plan if
                                       not made */
    struct sharings_ramp *among;    /* protocol keys: by number of holders, then by group those of
                                       vector and key */
    size_t n;                       /* of either */
};

/* The plan and the missing stations, which may be NULL, must outlive the result. */
int sharings_new(struct sharings *s, const struct plan *plan, const struct rangeset *missing,
                 struct hagg_err *err);

void sharings_free(struct sharings *s);

/* Makes the sharings of a client, unless they are there. HAGG_E_USAGE if the plan does not have the
 * client. The functions below are for clients that were added. */
int sharings_add(struct sharings *s, uint32_t client, struct hagg_err *err);

/* Protocol aligned; otherwise NULL. */
const struct client_aligned *sharings_aligned(const struct sharings *s, uint32_t client);

/* Protocol keys: the sharing of the padded vector, and, under full collusion, of the key; otherwise
 * NULL. */
const struct sharings_ramp *sharings_shares(const struct sharings *s,
                                            const struct plan_client *client);
const struct sharings_ramp *sharings_keys(const struct sharings *s,
                                          const struct plan_client *client);

/* Returns the length of a vector that is filled up to whole parts; the length if there is no
 * sharing. */
size_t sharings_padded(const struct sharings_ramp *ramp, size_t length);

#endif
