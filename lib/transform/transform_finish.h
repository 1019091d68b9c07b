/*
 * transform_finish.h - internals of transform_finish, shared by transform_finish.c and
 * transform_direct.c, which implements the method direct.
 */
#ifndef HAGG_TRANSFORM_FINISH_H
#define HAGG_TRANSFORM_FINISH_H

#include "records/outfiles.h"
#include "transform/transform_gather.h"

/* Fails because fewer transfers of the sum arrived than are needed. */
int finish_too_few(const struct gather *g, const struct gather_sum *group, uint32_t needed,
                   const char *remedy, struct hagg_err *err);

/* Reads all elements of each member that is used, into a buffer of its own; those of the others are
 * NULL. used may be NULL: all are. finish_unload wipes and frees them. */
unsigned char **finish_load(struct gather *g, struct gather_sum *group, const bool *used,
                            struct hagg_err *err);
void finish_unload(const struct gather *g, const struct gather_sum *group, unsigned char **rows);

/* Sets the mix to the XOR of those of the members that are used, if all have one. */
void finish_set_mix(const struct gather_sum *group, const bool *used, struct header *h);

/* Computes the number of elements of the new share with this header. */
int finish_share_length(const struct header *h, uint64_t *n, struct hagg_err *err);

/* Writes a record to its destination. */
int finish_write(const struct gather *g, const struct header *h, struct outfiles *out,
                 const void *elems, uint64_t n, struct hagg_err *err);

/* Makes the share of a group of transfers of the method direct. h is its header, and becomes that
 * of the share. */
int finish_direct(struct gather *g, struct gather_sum *group, struct header *h,
                  struct outfiles *out, struct hagg_err *err);

#endif
