#include "audit/structure.h"

#include "audit/aligned_proof.h"
#include "audit/keys_proof.h"
#include "audit/proof.h"
#include "plan/plan_aligned.h"

/* The matrices are checked once. They hide vectors from as many stations as the plan allows to
 * collude; relays see what the federator sees. */
static int aligned_holds(const struct model *m, const struct audit_side *s,
                         struct progress *progress, struct hagg_err *err)
{
    struct model_rest *rest = m->rest;

    if (s->stations > rest->plan->aligned->sharing.z || (s->relays > 0 && !s->federator) ||
        (!rest->plan->topology.full && s->federator && s->stations > 0))
        return 0;
    if (rest->aligned < 0)
        rest->aligned = aligned_proof(rest->plan, m, progress, err);
    return rest->aligned;
}

int structure_holds(const struct model *m, const struct audit_side *s, struct progress *progress,
                    struct hagg_err *err)
{
    if (!m->rest)
        return 0;
    return m->rest->plan->topology.aligned ? aligned_holds(m, s, progress, err)
                                           : keys_proof(m->rest->plan, s, err);
}

int structure_decide(const struct model *m, const struct audit_bounds *bounds,
                     struct progress *progress, struct hagg_err *err)
{
    struct audit_side sides[SETS_SIDES];
    size_t n = sets_sides(m, bounds, sides);
    bool open = false;

    for (size_t i = 0; i < n; i++) {
        int holds = structure_holds(m, &sides[i], progress, err), answer = PROOF_OPEN;
        struct coalition who = { 0 };

        if (holds > 0)
            answer = proof_decide_sums(m, &sides[i], &who, err);
        coalition_free(&who);
        if (holds < 0 || answer == PROOF_ERROR || answer == PROOF_LEAKS)
            return holds < 0 ? PROOF_ERROR : answer;
        open = open || answer == PROOF_OPEN;
    }
    return open ? PROOF_OPEN : PROOF_PRIVATE;
}
