/*
 * mask_total.h - what a station's masks come to in the sum that the federator decodes: the total
 * that has to be taken off it again.
 */
#ifndef HAGG_MASK_TOTAL_H
#define HAGG_MASK_TOTAL_H

#include "outset.h"
#include "plan.h"
#include "stored.h"

/* Adds what a mask decodes to, if all other stations of its pattern mask with zeros, to the total,
 * which has as many elements as the header says the secret has. The header is that of the mask. */
int mask_total_add(const struct plan *plan, const struct header *h, struct stored *mask,
                   struct filecache *files, unsigned char *total, struct hagg_err *err);

/* So many elements mask_total_spread wants to have room for in the total, and of noise. */
int mask_total_room(const struct plan *plan, uint64_t length, size_t *n_total, size_t *n_noise,
                    struct hagg_err *err);

/* Full collusion: shares the total among all stations, with the noise as random vectors. The header
 * says what all shares say; scheme, route and addressee are added. What is behind the total is
 * zeros. */
int mask_total_spread(const struct plan *plan, const struct header *header,
                      const unsigned char *total, const unsigned char *noise, struct outset *out,
                      struct hagg_err *err);

#endif
