/*
 * coalition.h - who puts together what they know, and who is missing from the sums.
 */
#ifndef HAGG_COALITION_H
#define HAGG_COALITION_H

#include "audit/model.h"
#include "base/rangeset.h"

enum coalition_client {
    COALITION_HONEST,
    COALITION_MEMBER,  /* colludes, and knows all that it has drawn and sent */
    COALITION_MISSING, /* has sent its shares and is left out of all sums */
};

struct coalition {
    bool *nodes;      /* by node */
    uint8_t *clients; /* enum coalition_client, profile by profile, in the order of their numbers */
};

/* Nobody. */
int coalition_new(struct coalition *c, const struct model *m, struct hagg_err *err);
int coalition_copy(struct coalition *to, const struct coalition *from, const struct model *m,
                   struct hagg_err *err);
void coalition_free(struct coalition *c);

bool coalition_equal(const struct coalition *a, const struct coalition *b, const struct model *m);

/* By their numbers. HAGG_E_USAGE when the plan has not all of them. */
int coalition_add_stations(struct coalition *c, const struct model *m, const struct rangeset *set,
                           struct hagg_err *err);
int coalition_add_relays(struct coalition *c, const struct model *m, const struct rangeset *set,
                         struct hagg_err *err);
int coalition_set_clients(struct coalition *c, const struct model *m, const struct rangeset *set,
                          enum coalition_client state, struct hagg_err *err);

/* How many clients of the profile are so. */
size_t coalition_count(const struct coalition *c, const struct model *m, size_t profile,
                       enum coalition_client state);

/* The numbers of all clients that are so, ascending, malloc'ed for the caller. */
uint32_t *coalition_list(const struct coalition *c, const struct model *m,
                         enum coalition_client state, size_t *n);

#endif
