#include "transform/transform_remember.h"

#include <stdlib.h>
#include <string.h>

#include "state/state_sum.h"

/* The plan determines the new sharing, and other symbols need other random vectors. The state has
 * parts of the sum's description only, and no element, so the seed cannot be computed from it. */
static int make_seed(struct mac *mac, const struct header *h, const struct state_sum *sum,
                     const struct header_symbols *symbols, const void *elems, size_t n_bytes,
                     uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    _Static_assert(RANDOM_SEED_BYTES == MAC_BYTES, "a digest is a seed");
    return mac_add(mac, STATE_TRANSFERS, sizeof STATE_TRANSFERS, err) ||
                   mac_add(mac, h->plan, sizeof h->plan, err) ||
                   mac_add(mac, sum, sizeof *sum, err) ||
                   (symbols->end > 0 &&
                    mac_add_numbers(mac, (const uint64_t[]){ symbols->first, symbols->end }, 2,
                                    err)) ||
                   mac_add(mac, elems, n_bytes, err) || mac_end(mac, seed, err)
               ? -1
               : 0;
}

int transform_remember(struct state *s, const struct header *h, uint32_t number,
                       const struct header_symbols *symbols, const void *elems, size_t n_bytes,
                       uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    struct header_node node = { .number = number };
    struct state_parts parts = { 0 };
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
    status = mac ? 0 : -1;
    for (size_t i = 0; i < h->n_clients && status == 0; i++)
        status = state_parts_add(&parts, mac, false, h->clients[i], h->id, err);
    if (status == 0)
        status = state_sum_describe(mac, h, &parts, &sum, err) ||
                         make_seed(mac, h, &sum, symbols, elems, n_bytes, seed, err) ||
                         state_claim_sum(s, &key, NULL, &sum, err) || state_commit(s, err)
                     ? -1
                     : 1;
    mac_free(mac);
    return status;
}
