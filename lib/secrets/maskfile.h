/*
 * maskfile.h - a station's masks for one round: uniform, for each pattern in which it takes part,
 * and each of them to be used once.
 *
 * Under full collusion there is also what the total of the masks is shared with, so that who uses
 * them draws nothing and does the same again for the same input.
 */
#ifndef HAGG_MASKFILE_H
#define HAGG_MASKFILE_H

#include "plan.h"
#include "plan_patterns.h"
#include "progress.h"
#include "random.h"
#include "reader.h"
#include "writer.h"

/* Whose masks, for what. */
struct maskfile_need {
    const struct plan *plan; /* one that is masked */
    uint32_t station;
    uint64_t round;
    uint64_t length;           /* of the vectors, the sample count included */
    struct progress *progress; /* NULL: nobody looks */
};

/* HAGG_E_USAGE when the station has nothing to mask under the plan. */
int maskfile_check_need(const struct plan *plan, uint32_t station, struct hagg_err *err);

/* Writes fresh masks with random identities. */
int maskfile_write(const struct maskfile_need *need, struct random *random, struct writer *w,
                   struct hagg_err *err);

/* That the record that the reader stands at is of this station's masks under the plan. *pattern is
 * the one that it is for, or patterns->n for what the total is shared with. The patterns are those
 * of the plan at the stations. */
int maskfile_check(const struct reader *r, const struct plan *plan, uint32_t station,
                   const struct plan_patterns *patterns, size_t *pattern, struct hagg_err *err);

#endif
