/*
 * coalition.h - the nodes that pool what they saw, and the clients that are missing from the sums.
 */
#ifndef HAGG_COALITION_H
#define HAGG_COALITION_H

#include "audit/model.h"
#include "base/rangeset.h"

enum coalition_client {
    COALITION_HONEST,
    COALITION_MEMBER,  /* colludes: its vector, key and random vectors are known */
    COALITION_MISSING, /* has sent its shares, but is in no sum */
};

struct coalition {
    bool *nodes;      /* by node: true if it colludes */
    uint8_t *clients; /* enum coalition_client; profile by profile, ascending within a profile */
    bool total;       /* may learn the total also without the federator */
};

/* An empty coalition. */
int coalition_new(struct coalition *c, const struct model *m, struct hagg_err *err);
int coalition_copy(struct coalition *to, const struct coalition *from, const struct model *m,
                   struct hagg_err *err);

/* The same coalition in another model of the same plan. */
int coalition_translate(struct coalition *to, const struct model *to_model,
                        const struct coalition *from, const struct model *from_model,
                        struct hagg_err *err);
void coalition_free(struct coalition *c);

bool coalition_equal(const struct coalition *a, const struct coalition *b, const struct model *m);

/* The sets are numbers of nodes. HAGG_E_USAGE if the plan does not have all of them. */
int coalition_add_stations(struct coalition *c, const struct model *m, const struct rangeset *set,
                           struct hagg_err *err);
int coalition_add_relays(struct coalition *c, const struct model *m, const struct rangeset *set,
                         struct hagg_err *err);
int coalition_set_clients(struct coalition *c, const struct model *m, const struct rangeset *set,
                          enum coalition_client state, struct hagg_err *err);

/* The number of clients of the profile in this state. */
size_t coalition_count(const struct coalition *c, const struct model *m, size_t profile,
                       enum coalition_client state);

/* The numbers of all clients in this state, ascending. The caller frees the array. NULL: no
 * memory. */
uint32_t *coalition_list(const struct coalition *c, const struct model *m,
                         enum coalition_client state, size_t *n);

#endif
