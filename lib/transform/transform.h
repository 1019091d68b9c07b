/*
 * transform.h - from a sharing of one tier to a sharing of the next, with other numbers, without
 * anybody seeing the secret.
 *
 * Holders of the old sharing contribute; what they send is shares of their shares. Holders of the
 * new one finish. With the method transport, they first pass on to each other what they collect.
 */
#ifndef HAGG_TRANSFORM_H
#define HAGG_TRANSFORM_H

#include "records/outfiles.h"
#include "base/parallel.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "base/rangeset.h"
#include "sharing/scheme.h"

enum transform_method {
    TRANSFORM_DIRECT,    /* each holder shares its share */
    TRANSFORM_FORWARD,   /* shares are handed over: the same k and z, no more holders */
    TRANSFORM_TRANSPORT, /* the paper's: what a holder gets is hidden from it until it is a sum */
};

/* The sharing that is to be, and by whom it is made. */
struct transform_options {
    enum transform_method method;
    const char *tier;        /* of the new holders */
    const uint32_t *holders; /* n of them, in order of index */
    const uint64_t *points;  /* n, or NULL for 1 .. n; forward keeps those that were */
    uint32_t n, k, z;
    const char *scheme;             /* NULL: as it was */
    const struct rangeset *sources; /* numbers of the old holders that take part; NULL: the first k,
                                       or the first n that shares are forwarded from */
    const char *random_source;      /* NULL: the generator */
    const struct plan *plan;        /* says all of the above but method, which is direct; or NULL */
    uint32_t station;               /* with a plan: whose work this is; 0: that of all */
    struct parallel *pool;          /* NULL: one thread */
    struct progress *progress;      /* NULL: nobody looks */
};

/* What the holders of the shares in these files send, "-" being standard input, each for itself. A
 * share of a holder that does not take part is passed over, so there may be nothing to send. */
int transform_contribute(const struct transform_options *options, const char *const *paths,
                         size_t n_paths, struct outfiles *out, struct hagg_err *err);

/* Adds up transfers that their carriers were given, and sends each on to whom it is for.
 * HAGG_E_TOO_FEW when not all old holders have contributed that must. */
int transform_collect(const char *const *paths, size_t n_paths, struct outfiles *out,
                      struct hagg_err *err);

/* The new shares, each from the transfers for its holder. plan: that these must belong to, or NULL;
 * relay: whose work this is, or 0. */
int transform_finish(const struct plan *plan, uint32_t relay, const char *const *paths,
                     size_t n_paths, struct outfiles *out, struct hagg_err *err);

#endif
