#include "audit/structure.h"

#include "audit/aligned_proof.h"
#include "audit/keys_proof.h"
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
