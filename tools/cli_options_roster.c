/* In a file of its own, because it needs the digest of a plan. A command that does not call it is
 * not linked with libcrypto. */
#include "cli_identity.h"
#include "cli_options.h"
#include "roster/roster.h"

int cli_options_roster(struct cli_options *o, const struct plan *plan, struct rangeset *set,
                       const struct rangeset **clients, struct runs *runs,
                       struct cli_identity *identity, struct state *state, struct hagg_err *err)
{
    uint64_t round;

    if (!o->roster)
        return 0;
    if (*clients)
        return err_set(err, HAGG_E_USAGE, "use only one of --clients and --roster");
    if (!plan)
        return err_set(err, HAGG_E_USAGE, "--roster requires a plan: use --plan or HAGG_PLAN");
    if (roster_load(o->roster, plan, cli_identity_opener(identity), set, &round, runs, err))
        return -1;
    if (o->has_round && o->round != round)
        return err_set(err, HAGG_E_MISMATCH, "%s: is of round %llu, but this is round %llu",
                       o->roster, (unsigned long long)round, (unsigned long long)o->round);
    o->has_round = true;
    o->round = round;
    cli_identity_set_round(identity, round);
    *clients = set;
    /* a roster is final: from now on the round has these clients, even if no sum is made */
    return state_claim_clients(state, plan->digest, round, set, err) || state_commit(state, err)
               ? -1
               : 0;
}
