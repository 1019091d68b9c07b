/*
 * transform.h - transforms a sharing of one tier into a sharing of another, with other n, k and z,
 * without revealing the secret.
 *
 * Holders of the old sharing contribute: they send shares of their shares. Holders of the new
 * sharing finish. With the method transport, the new holders first collect: they add up transfers
 * for each other and pass them on.
 */
#ifndef HAGG_TRANSFORM_H
#define HAGG_TRANSFORM_H

#include "records/outfiles.h"
#include "base/parallel.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "base/rangeset.h"
#include "sharing/scheme.h"
#include "state/state.h"

enum transform_method {
    TRANSFORM_DIRECT,    /* each old holder shares its share */
    TRANSFORM_FORWARD,   /* old holders pass on their shares: same k and z, no more holders */
    TRANSFORM_TRANSPORT, /* the paper's: a new holder sees only the sum of its transfers */
};

/* The new sharing, and the old holders that make it. */
struct transform_options {
    enum transform_method method;
    const char *tier;        /* of the new holders */
    const uint32_t *holders; /* n numbers, in order of index */
    const uint64_t *points;  /* n points, or NULL for 1 .. n; forward keeps the old ones */
    uint32_t n, k, z;
    const char *scheme; /* NULL for the old one */
    /* Numbers of the old holders that take part. NULL for the first k, or the first n with
     * forward. With direct they send prefixes of their shares, if the scheme has some for their
     * number. after: those that took part when earlier symbols were sent, or NULL. */
    const struct rangeset *sources, *after;
    const char *random_source; /* NULL for the generator */
    const struct plan *plan;   /* if not NULL, sets the new sharing; the method is direct */
    struct opener *opener;     /* of sealed records; NULL for a plan without identities */
    struct state *state;       /* with a plan: what was sent before; NULL to remember nothing */
    /* with a plan: clients that sums must have, and round of all records; NULL for any */
    const struct rangeset *clients;
    const uint64_t *asked_round;
    uint32_t station;          /* with a plan: the station that contributes; 0 for all */
    struct parallel *pool;     /* NULL for one thread */
    struct progress *progress; /* may be NULL */
};

/* Writes the transfers that the holders of the shares in these files send, each for its own share;
 * "-" is standard input. Shares of holders that do not take part are skipped, so there may be no
 * output. */
int transform_contribute(const struct transform_options *options, const char *const *paths,
                         size_t n_paths, struct outfiles *out, struct hagg_err *err);

/* Adds up the transfers that carriers received, and addresses each sum to its holder.
 * HAGG_E_TOO_FEW if a required transfer is missing. */
int transform_collect(const char *const *paths, size_t n_paths, struct outfiles *out,
                      struct hagg_err *err);

/* Makes the new shares, each from the transfers for its holder. If the options have a plan, the
 * transfers must belong to it; if relay is not 0, they must be addressed to that relay. */
int transform_finish(const struct transform_options *options, uint32_t relay,
                     const char *const *paths, size_t n_paths, struct outfiles *out,
                     struct hagg_err *err);

#endif
