/*
 * contributor.h - a holder's contribution to a transformation under way, for
 * transform_contribute.c, which reads shares, and transform_transport.c, which hides what it sends.
 */
#ifndef HAGG_CONTRIBUTOR_H
#define HAGG_CONTRIBUTOR_H

#include "sharing/layout.h"
#include "protocol/protocol.h"
#include "sharing/sharing.h"
#include "transform/transform.h"

/* One share after the other is turned into what its holder sends. */
struct contributor {
    const struct transform_options *o;
    struct transform_options planned; /* what o is with a plan: other numbers for every pattern */
    struct protocol *round;           /* of the plan */
    struct outfiles *out;
    struct field *field;
    struct scheme *old_scheme, *new_scheme, *ramp; /* ramp: what transport is made with */
    struct random *random;
    /* of the share at hand */
    struct header header; /* a copy; becomes that of the transfers */
    struct header_scheme old;
    struct hagg_scheme_shape shape; /* of the old sharing */
    struct layout layout;
    size_t share_length; /* of a block */
    unsigned char *share;
    size_t n_elems;
    size_t n_touched; /* of its memory, in elements */
};

/* The indices of the k old holders that take part, unless sources is NULL. HAGG_E_TOO_FEW when they
 * are fewer. */
int contributor_sources(const struct contributor *c, uint32_t *sources, struct hagg_err *err);

/* A sharing among the new holders, with their points. */
int contributor_sharing(const struct contributor *c, const struct scheme *scheme, uint32_t k,
                        uint32_t z, struct sharing *s, struct hagg_err *err);

/* A vector in n_blocks blocks, as a sharing takes it: each filled up with zeros. malloc'ed for the
 * caller, to wipe and free. */
unsigned char *contributor_pad(const struct contributor *c, const struct sharing *s,
                               const unsigned char *elems, size_t n_blocks, size_t length,
                               size_t *n_padded, struct hagg_err *err);

/* Makes the header one of transfers of the share at hand, with a fresh number to tell them by.
 * extends: as below. */
int contributor_transfer_header(struct contributor *c, bool extends, struct hagg_err *err);

/* Shares elems, n_blocks blocks of length elements, among the new holders; carried as in
 * spread.h. */
int contributor_spread(struct contributor *c, const struct sharing *s, const char *scheme,
                       const struct header_scheme *carried, const unsigned char *elems,
                       size_t n_blocks, size_t length, struct hagg_err *err);

/* The method transport. extends: the old sharing gets more holders, and only these need it. */
int contribute_transport(struct contributor *c, bool extends, struct hagg_err *err);

#endif
