#include "share/client_remember.h"

#include <string.h>

#include "state/state.h"

/* Numbers that are digested at once. */
#define BLOCK 4096

/* Digests the values alone: the same numbers in another file, or of another type, are the same
 * vector. */
static int digest_vector(struct mac *mac, const struct vector *v, uint8_t digest[MAC_BYTES],
                         struct hagg_err *err)
{
    double block[BLOCK];
    int status = 0;

    for (size_t at = 0; at < v->n_elems && status == 0; at += BLOCK) {
        size_t n = v->n_elems - at < BLOCK ? v->n_elems - at : BLOCK;

        vector_to_double(v, at, n, block);
        for (size_t i = 0; i < n; i++)
            block[i] += 0.0; /* -0 becomes 0 */
        status = mac_add(mac, block, n * sizeof *block, err);
    }
    explicit_bzero(block, sizeof block);
    return status ? -1 : mac_end(mac, digest, err);
}

static int digest_use(struct mac *mac, const uint8_t vector[MAC_BYTES], uint64_t samples,
                      const void *key, size_t n_key_bytes, uint8_t digest[MAC_BYTES],
                      struct hagg_err *err)
{
    if (mac_add(mac, vector, MAC_BYTES, err) || mac_add(mac, &samples, sizeof samples, err) ||
        mac_add(mac, key, n_key_bytes, err))
        return -1;
    return mac_end(mac, digest, err);
}

int client_remember(const struct client_options *o, const struct vector *v, const void *key,
                    size_t n_key_bytes, struct hagg_err *err)
{
    struct state_key entry = {
        .plan = o->plan->digest,
        .node = { .tier = "client", .number = o->client },
        .what = STATE_VECTOR,
        .round = o->round,
    };
    uint8_t vector[MAC_BYTES], use[MAC_BYTES];
    struct mac *mac;
    int status;

    if (!state_remembers(o->state))
        return 0;
    mac = state_mac(o->state, err);
    if (!mac)
        return -1;
    status = digest_vector(mac, v, vector, err);
    if (status == 0)
        status = digest_use(mac, vector, o->samples, key, n_key_bytes, use, err);
    mac_free(mac);
    if (status == 0)
        status = state_claim_vector(o->state, &entry, vector, use, o->again, v->name, err);
    return status ? -1 : state_commit(o->state, err);
}
