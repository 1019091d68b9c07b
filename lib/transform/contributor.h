/*
 * contributor.h - internals of transform_contribute, shared by transform_contribute.c, which reads
 * shares, and transform_transport.c, which implements the method transport.
 */
#ifndef HAGG_CONTRIBUTOR_H
#define HAGG_CONTRIBUTOR_H

#include "sharing/layout.h"
#include "protocol/protocol.h"
#include "sharing/sharing.h"
#include "transform/transform.h"

/* Turns one share after the other into the transfers that its holder sends. */
struct contributor {
    const struct transform_options *o;
    struct transform_options planned; /* with a plan, o points here; differs by pattern */
    struct protocol *round;           /* of the plan */
    struct rangeset missing;          /* clients of the plan that are not in the sums */
    struct outfiles *out;
    struct field *field;
    struct scheme *old_scheme, *new_scheme, *ramp; /* ramp is for the method transport */
    struct random *random;
    /* of the current share */
    struct header header; /* a copy, which becomes that of the transfers */
    struct header_scheme old;
    struct hagg_scheme_shape shape; /* of the old sharing */
    struct scheme_prefixes prefixes;
    struct layout layout;
    size_t share_length; /* of a block */
    unsigned char *share;
    size_t n_elems;
    size_t n_touched; /* elements of its memory that were written, and must be wiped */
};

/* Writes the indices of the k old holders that take part to sources, which may be NULL.
 * HAGG_E_TOO_FEW if there are fewer than k. */
int contributor_sources(const struct contributor *c, uint32_t *sources, struct hagg_err *err);

/* HAGG_E_MISMATCH if the scheme has shares of several symbols, which only the method direct
 * transforms. */
int contributor_check_symbols(const struct scheme *scheme, uint32_t n_symbols,
                              struct hagg_err *err);

/* Makes a sharing among the new holders, with their points. */
int contributor_sharing(const struct contributor *c, const struct scheme *scheme, uint32_t k,
                        uint32_t z, struct sharing *s, struct hagg_err *err);

/* Copies a vector of n_blocks blocks, each filled up with zeros to whole parts of the sharing. The
 * copy has *n_padded elements and is malloc'ed for the caller, who must wipe and free it. */
unsigned char *contributor_pad(const struct contributor *c, const struct sharing *s,
                               const unsigned char *elems, size_t n_blocks, size_t length,
                               size_t *n_padded, struct hagg_err *err);

/* Turns the header into that of transfers of the current share, with a fresh mix. extends is as
 * below. */
int contributor_transfer_header(struct contributor *c, bool extends, struct hagg_err *err);

/* Shares elems, which are n_blocks blocks of length elements, among the new holders. carried is as
 * in spread.h. */
int contributor_spread(struct contributor *c, const struct sharing *s, const char *scheme,
                       const struct header_scheme *carried, const unsigned char *elems,
                       size_t n_blocks, size_t length, struct hagg_err *err);

/* Contributes the current share with the method transport. If extends is true, the old sharing only
 * gets more holders, and only these need transfers. */
int contribute_transport(struct contributor *c, bool extends, struct hagg_err *err);

#endif
