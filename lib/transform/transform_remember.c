#include "transform/transform_remember.h"

#include <stdlib.h>
#include <string.h>

#include "state/state_sum.h"

int transform_remember(struct state *s, const struct header *h, uint32_t number,
                       struct hagg_err *err)
{
    struct header_node node = { .number = number };
    struct state_part *parts;
    struct state_key key;
    struct state_sum sum;
    struct mac *mac;
    int status = -1;

    if (!state_sum_counts(h) || !state_remembers(s))
        return 0;
    memcpy(node.tier, h->route[0].name, sizeof node.tier);
    if (number == 0)
        node.number = h->route[0].numbers[h->scheme.index];
    key = state_sum_key(h, node);
    key.what = STATE_TRANSFERS;
    mac = state_mac(s, err);
    parts = calloc(h->n_clients + 1, sizeof *parts);
    if (mac && !parts)
        err_errno(err, "no memory for a set of clients");
    for (size_t i = 0; i < h->n_clients && parts; i++) {
        parts[i].clients = h->clients[i];
        memcpy(parts[i].id, h->id, sizeof h->id);
    }
    if (mac && parts && state_sum_describe(mac, h, parts, h->n_clients, &sum, err) == 0)
        status = state_claim_sum(s, &key, NULL, &sum, err);
    mac_free(mac);
    free(parts);
    return status;
}
