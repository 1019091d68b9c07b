/*
 * plan_aligned.h - what every node derives from a plan with protocol aligned: docs/aligned.md.
 */
#ifndef HAGG_PLAN_ALIGNED_H
#define HAGG_PLAN_ALIGNED_H

#include "base/rangeset.h"
#include "plan/plan_patterns.h"
#include "sharing/lagrange.h"
#include "sharing/masks.h"

/* A holder is a station in use; holders are indices in `stations`. All clients of the plan count,
 * whether they take part in a round or not. */
struct plan_aligned {
    struct aligned sharing;
    struct topology_list stations; /* that some client uses, ascending */
    uint32_t *holder_of;           /* by station number: its index, or UINT32_MAX */
    /* Clients that use the same stations are a class: a pattern of the plan's shares. */
    struct plan_patterns classes;
    uint32_t *parts;       /* by class */
    uint32_t *randoms;     /* by class: random vectors of a block, at least sharing.z */
    struct blocks *blocks; /* by holder: of its sums and masks */
    uint32_t *n_rows;      /* by holder: intervals */
    bool *bare;            /* by holder: true if its sums need no mask */
    uint32_t **counts;     /* by holder: the memory of blocks */
    unsigned char *points; /* the memory of sharing.points */
    uint32_t chunks;       /* into which a row is cut for masks; 0 without dealers */
};

/* Sets segments and dealers of the topology, unless they are given, and derives the rest. Checks
 * that there are enough stations and dealers, and that the field has enough points. a is a new
 * object for the caller. */
int plan_aligned_new(struct plan_aligned **a, struct plan *p, struct hagg_err *err);

/* Derives p->aligned again after the topology was changed. Segments and dealers are kept if lines
 * of the topology give them. */
int plan_aligned_renew(struct plan *p, struct hagg_err *err);

/* a may be NULL. */
void plan_aligned_free(struct plan_aligned *a);

/* Returns how many dealers a sum needs masks of: 0 if the plan has none, otherwise those that may
 * collude with the federator, plus the chunks. */
uint64_t plan_aligned_fewest_dealers(const struct plan *p);

/* Returns the index of the dealer in the plan's list, or the number of dealers. */
size_t plan_aligned_dealer(const struct plan *p, uint32_t station);

/* Returns the sharing of a class: z is its number of random vectors. */
static inline struct aligned plan_aligned_class(const struct plan_aligned *a, size_t class)
{
    struct aligned sharing = a->sharing;

    sharing.z = a->randoms[class];
    return sharing;
}

/* Writes the indices of the holders of a class to holders, ascending, and returns how many there
 * are. holders has room for all stations in use. */
uint32_t plan_aligned_holders(const struct plan_aligned *a, size_t class, uint32_t *holders);

/* Sets what all records for or from a holder have in their headers: its place in the scheme, and
 * the number of segments. */
void plan_aligned_describe(const struct plan *p, uint32_t holder, struct header *h);

/* The route in these headers. The numbers belong to the plan. */
struct header_tier plan_aligned_route(const struct plan *p);

/* Prepares to decode from the sums of these stations, which are in use. Writes the place of each
 * among them to places, which has an entry for every holder. The caller frees l. */
int plan_aligned_basis(const struct plan_aligned *a, const struct rangeset *stations,
                       struct lagrange *l, uint32_t *places, struct hagg_err *err);

#endif
