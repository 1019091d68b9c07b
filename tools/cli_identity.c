#include "cli_identity.h"

#include <stdlib.h>

#include "plan/plan_identities.h"

int cli_identity_open(struct cli_identity *i, const struct cli_options *o, const struct plan *plan,
                      const struct node *node, struct hagg_err *err)
{
    const char *path = o->identity ? o->identity : getenv("HAGG_IDENTITY");

    *i = (struct cli_identity){ 0 };
    if (plan && !plan_identities_given(plan) && path && *path)
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no identities, so records would not be sealed: %s, or add an "
                       "identities line to the topology",
                       plan->name, o->identity ? "omit --identity" : "unset HAGG_IDENTITY");
    if (!plan && o->identity)
        return err_set(err, HAGG_E_USAGE,
                       "--identity requires a plan with identities: use --plan or HAGG_PLAN");
    if (!plan || !plan_identities_given(plan))
        return 0;
    if (!path || !*path)
        return err_set(err, HAGG_E_USAGE,
                       "%s: has identities, so records are sealed: give the private key of the "
                       "node with --identity (or HAGG_IDENTITY)",
                       plan->name);
    i->keyring = keyring_new(plan, path, err);
    if (!i->keyring)
        return -1;
    opening_init(&i->opening, i->keyring, o->has_round ? &o->round : NULL);
    if (node && node->tier == NODE_STATION)
        i->opening.courier = node->number;
    sealing_init(&i->sealing, i->keyring);
    if (!node || keyring_private(i->keyring, *node, err))
        return 0;
    cli_identity_close(i);
    return -1;
}

int cli_identity_use(const struct cli_options *o,
                     int (*use)(void *arg, struct cli_identity *i, struct hagg_err *err), void *arg,
                     struct hagg_err *err)
{
    struct cli_identity identity = { 0 };
    struct plan plan;
    int status;

    if (plan_load(&plan, cli_options_plan(o), err))
        return -1;
    if (plan_identities_given(&plan))
        status = cli_identity_open(&identity, o, &plan, NULL, err);
    else
        status = err_set(err, HAGG_E_USAGE,
                         "%s: has no identities, so nothing can be sealed: add an identities line "
                         "to the topology",
                         plan.name);
    if (status == 0)
        status = use(arg, &identity, err);
    cli_identity_close(&identity);
    plan_free(&plan);
    return status;
}

void cli_identity_close(struct cli_identity *i)
{
    keyring_free(i->keyring);
    *i = (struct cli_identity){ 0 };
}

struct opener *cli_identity_opener(struct cli_identity *i)
{
    return i->keyring ? &i->opening.base : NULL;
}

struct sealer *cli_identity_sealer(struct cli_identity *i)
{
    return i->keyring ? &i->sealing.base : NULL;
}

void cli_identity_set_round(struct cli_identity *i, uint64_t round)
{
    i->opening.has_round = true;
    i->opening.round = round;
}
