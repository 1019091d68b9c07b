/*
 * dealing.h - a dealer's masks for one round of protocol aligned: docs/aligned.md. Masks are
 * secret.
 */
#ifndef HAGG_DEALING_H
#define HAGG_DEALING_H

#include "base/progress.h"
#include "crypto/random.h"
#include "plan/plan.h"
#include "records/outfiles.h"
#include "state/state.h"

struct dealing {
    const struct plan *plan;
    uint32_t station; /* the dealer */
    uint64_t round;
    uint64_t length;           /* of the vectors, including the sample count */
    const char *random_source; /* name of the random source, or NULL for the generator */
    struct state *state;
    struct progress *progress; /* may be NULL */
};

/* HAGG_E_USAGE if stations have no masks under the protocol of the plan. */
int dealing_check_plan(const struct plan *plan, struct hagg_err *err);

/* Makes the generator of the masks. If the state remembers something, its seed follows from the
 * secret of the state and the dealing, so that the same dealing again has the same masks. */
struct random *dealing_random(const struct dealing *d, struct hagg_err *err);

/* Draws masks and writes one record for each station that needs one, also for the dealer itself.
 * HAGG_E_USAGE if the plan has another protocol or the station is not a dealer. HAGG_E_PRIVACY if
 * masks were made from these random bytes for another dealer, round or plan. */
int dealing_write(const struct dealing *d, struct random *random, struct outfiles *out,
                  struct hagg_err *err);

#endif
