/*
 * cli_identity.h - the private key of the node that a command acts as, and what follows from it:
 * how records are opened and sealed.
 */
#ifndef HAGG_CLI_IDENTITY_H
#define HAGG_CLI_IDENTITY_H

#include "cli_options.h"
#include "identity/opening.h"
#include "identity/sealing.h"

/* All zero for a plan without identities: records are then neither opened nor sealed. */
struct cli_identity {
    struct keyring *keyring;
    struct opening opening;
    struct sealing sealing;
};

/* If the plan has identities, loads them and the private key of --identity or HAGG_IDENTITY, which
 * is then required. If node is not NULL, the key must be that of the node. plan may be NULL. The
 * options and the plan must outlive the result. */
int cli_identity_open(struct cli_identity *i, const struct cli_options *o, const struct plan *plan,
                      const struct node *node, struct hagg_err *err);

/* For a command that only seals or opens: loads the plan of the options, which must have
 * identities, and calls use with its identity. */
int cli_identity_use(const struct cli_options *o,
                     int (*use)(void *arg, struct cli_identity *i, struct hagg_err *err), void *arg,
                     struct hagg_err *err);

void cli_identity_close(struct cli_identity *i);

/* Return NULL for a plan without identities. */
struct opener *cli_identity_opener(struct cli_identity *i);
struct sealer *cli_identity_sealer(struct cli_identity *i);

/* Refuses sealed records of other rounds from now on. */
void cli_identity_set_round(struct cli_identity *i, uint64_t round);

#endif
