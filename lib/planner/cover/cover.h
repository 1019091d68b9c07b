/*
 * cover.h - chooses one pattern for each reach class so that the total cost is small.
 *
 * A pattern is a set of stations. Each client that uses it costs its rate, and the pattern itself
 * costs its fee, because each of its stations forwards one sum. This is facility location in which
 * opening a pattern costs about as much as connecting a client to it. Only intersections of reaches
 * need to be opened, because rate and fee never increase with the set.
 *
 * For up to 16 reach classes every grouping is tried (cover_exact.h). With more, a search
 * (anneal.h, dive.h) is guided by a lower bound on the cost of every cover (credit.h). If cost and
 * bound are close, branch and bound closes the gap (prove.h).
 */
#ifndef HAGG_PLANNER_COVER_H
#define HAGG_PLANNER_COVER_H

#include "planner/effort.h"
#include "planner/instance.h"

struct cover {
    size_t n_patterns;
    uint64_t *patterns; /* n_patterns sets, all different, each with a user; a sharing uses only as
                         * many of the stations as the instance's size states */
    uint32_t *of;       /* the pattern of each reach class */
    double cost;        /* sum over clients of rates and over patterns of fees */
    double bound;       /* no cover costs less */
    bool proved;        /* true if cost is proved minimal, to nine digits; then bound equals cost */
};

/* Each reach class uses its whole reach, the default of a topology without choices. */
int cover_whole(const struct instance *in, struct cover *c, struct hagg_err *err);

/* The cheapest cover that the effort finds. It never costs more than cover_whole and, with the same
 * seed and no time limit, never more than with less effort. */
int cover_find(const struct instance *in, struct effort *e, struct cover *c, struct hagg_err *err);

void cover_free(struct cover *c);

/* The same search level by level, for callers with other work to do between two levels. */
struct cover_search;

/* For all levels up to the one of the effort. NULL on error. The instance must outlive it. */
struct cover_search *cover_search_new(const struct instance *in, const struct effort *e,
                                      struct hagg_err *err);
void cover_search_free(struct cover_search *s);

/* Searches at the level of the effort, which is one more than in the last call. Once *c is proved,
 * no further level is needed. The caller frees *c with cover_free. */
int cover_search_level(struct cover_search *s, struct effort *e, struct cover *c,
                       struct hagg_err *err);

#endif
