/*
 * protocol_masks.h - the masks of a round of protocol aligned, as combinations of what a dealer
 * draws. They are the same for all dealers, and computed on first use.
 */
#ifndef HAGG_PROTOCOL_MASKS_H
#define HAGG_PROTOCOL_MASKS_H

#include "protocol/protocol.h"
#include "sharing/masks.h"

/* Returns which values are drawn and which are computed; NULL on failure. */
const struct masks *protocol_masks(const struct protocol *p, struct hagg_err *err);

/* Writes every value as a combination of the draws, to factors and first_value in p->aligned. */
int protocol_masks_expand(struct protocol *p, struct hagg_err *err);

#endif
