#include "keygen_identity.h"

#include <stdlib.h>
#include <string.h>

#include "cli_write.h"
#include "identity/identities.h"
#include "identity/keyring.h"
#include "identity/private_key.h"

/* Appends the line of one node. */
static int add(struct text *lines, const char *pattern, struct node node, struct hagg_err *err)
{
    char *path = keyring_path(pattern, node);
    struct x25519 *key = NULL;
    int status = -1;

    if (!path)
        err_errno(err, "%s", pattern);
    else if ((key = private_key_make(path, err)))
        status = identities_print(lines, node, x25519_public(key), err);
    x25519_free(key);
    free(path);
    return status;
}

static int add_set(struct text *lines, const char *pattern, enum node_tier tier,
                   const struct cli_nodes *nodes, struct hagg_err *err)
{
    const struct rangeset *set = &nodes->set;
    int status = 0;

    for (size_t i = 0; i < set->n; i++)
        for (uint64_t n = set->ranges[i].first; n <= set->ranges[i].last && status == 0; n++)
            status = add(lines, pattern, (struct node){ tier, (uint32_t)n }, err);
    return status;
}

/* All nodes of a plan, whose file of identities need not exist yet. */
static int add_all(struct text *lines, const char *pattern, const char *plan, struct hagg_err *err)
{
    struct topology t = { 0 };
    int status = topology_load(&t, plan, err);

    for (size_t i = 0; i < t.n_clients && status == 0; i++)
        status = add(lines, pattern, (struct node){ NODE_CLIENT, t.clients[i].number }, err);
    for (uint32_t u = 1; u <= t.n_stations && status == 0; u++)
        status = add(lines, pattern, (struct node){ NODE_STATION, u }, err);
    for (uint32_t m = 1; m <= t.n_relays && status == 0; m++)
        status = add(lines, pattern, (struct node){ NODE_RELAY, m }, err);
    if (status == 0)
        status = add(lines, pattern, NODE_THE_FEDERATOR, err);
    topology_free(&t);
    return status;
}

int keygen_identity(struct keygen_args *args, struct hagg_err *err)
{
    const char *pattern = args->common.identity;
    struct node one = { NODE_CLIENT, args->common.client };
    struct text lines = { 0 };
    int status;

    if (args->station > 0)
        one = (struct node){ NODE_STATION, args->station };
    else if (args->relay > 0)
        one = (struct node){ NODE_RELAY, args->relay };
    else if (args->federator)
        one = NODE_THE_FEDERATOR;
    status = one.number > 0 ? add(&lines, pattern, one, err) : 0;
    if (status == 0)
        status = add_set(&lines, pattern, NODE_CLIENT, &args->clients, err);
    if (status == 0)
        status = add_set(&lines, pattern, NODE_STATION, &args->stations, err);
    if (status == 0 && args->all)
        status = add_all(&lines, pattern, cli_options_plan(&args->common), err);
    if (status == 0)
        status = cli_write(args->common.output ? args->common.output : "-", &lines, err);
    text_free(&lines);
    return status;
}
