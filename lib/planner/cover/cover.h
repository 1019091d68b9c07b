/*
 * cover.h - which stations each reach class shares over, so that little is sent in all.
 *
 * A pattern is a set of stations. A client that uses it costs its rate, and so does the pattern
 * itself, once, because its stations forward one sum each. That is facility location: opening a
 * pattern costs as much as connecting a client to it. Only meets of reaches need be opened, because
 * the rate never grows with the set.
 *
 * Up to 16 reach classes (cover_exact.h) every grouping is looked at. Beyond, a search (anneal.h,
 * dive.h) is led by a lower bound that holds for every choice (credit.h), and where the two are
 * near, branch and bound closes the gap (prove.h).
 */
#ifndef HAGG_PLANNER_COVER_H
#define HAGG_PLANNER_COVER_H

#include "planner/effort.h"
#include "planner/instance.h"

struct cover {
    size_t n_patterns;
    uint64_t *patterns; /* n_patterns sets, all different, each used; a sharing may need only some
                         * of the stations: the instance's size says how many */
    uint32_t *of;       /* the pattern of each reach class */
    double cost;        /* sum over clients and patterns of their rates */
    double bound;       /* no choice of patterns costs less */
    bool proved;        /* cost is the least, to nine digits; then bound is the cost */
};

/* Every reach class its whole reach: the default of a topology without choices. */
int cover_whole(const struct instance *in, struct cover *c, struct hagg_err *err);

/* The cheapest that the effort finds, never dearer than cover_whole nor, with the same seed and no
 * time limit, than with less effort. */
int cover_find(const struct instance *in, struct effort *e, struct cover *c, struct hagg_err *err);

void cover_free(struct cover *c);

/* The same search level by level, for who has other work to do between two levels. */
struct cover_search;

/* The levels up to that of the effort will follow. NULL: an error. The instance must outlive it. */
struct cover_search *cover_search_new(const struct instance *in, const struct effort *e,
                                      struct hagg_err *err);
void cover_search_free(struct cover_search *s);

/* Searches at the level of the effort, which is one more than at the last call. Once *c is proved
 * no further level is needed. *c is for cover_free. */
int cover_search_level(struct cover_search *s, struct effort *e, struct cover *c,
                       struct hagg_err *err);

#endif
