/*
 * promise.h - proves what a plan promises about more colluding stations than learn nothing:
 * "tolerate 1/4 at 3" in hagg-topology(5).
 */
#ifndef HAGG_PROMISE_H
#define HAGG_PROMISE_H

#include "audit/audit.h"
#include "base/json.h"

/* What so many stations learn about any vector, and what the plan promises. Under full collusion
 * they know the total, which may have any clients that the plan allows. */
struct promise {
    struct topology_tolerated promised;
    uint64_t num, den; /* at worst: an upper bound */
    double bits;       /* which may be this part of the bits of a vector, up to 1 */
    bool kept;
};

struct promises {
    struct promise list[TOPOLOGY_MAX_TOLERATED];
    size_t n;
    bool total;                  /* True if they know the total. */
    double of_value, of_element; /* bits */
};

/* Proves all promises of the plan of m, which is from model_build_sums: docs/audit.md. 1: all are
 * kept, or there are none; 0: one is not, and *why names it; -1: failure. */
int promise_prove(struct promises *p, const struct model *m, struct text *why,
                  struct hagg_err *err);

/* Compares what one coalition learns, the only leak of r by audit_one, with the promise about it.
 * Without such a promise, because it has too many members or the plan has none, *p is empty. */
void promise_compare(struct promises *p, const struct audit_result *r, const struct model *m);

/* True if r is about one coalition, and the plan promises no less than what it learns. */
bool promise_tolerates(const struct audit_result *r);

/* "the plan tolerates this: up to 3 stations may learn 1/4 of each vector" */
void promise_put_compared(const struct promises *p, struct text *text);

/* "3 stations and the federator learn at most 1/4 of any vector", a line for each, and one about
 * bits if values have fewer than elements. */
void promise_put(const struct promises *p, struct text *text);

/* Member "tolerated" of an object. */
void promise_json(const struct promises *p, struct json *j);

#endif
