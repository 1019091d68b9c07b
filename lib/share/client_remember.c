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

/* Digests everything that determines the shares. */
static int digest_use(struct mac *mac, const struct client_options *o,
                      const uint8_t vector[MAC_BYTES], const void *key, size_t n_key_bytes,
                      uint8_t digest[MAC_BYTES], struct hagg_err *err)
{
    uint64_t numbers[] = { o->client, o->round, o->samples, key != NULL };

    if (mac_add(mac, vector, MAC_BYTES, err) || mac_add(mac, numbers, sizeof numbers, err) ||
        mac_add(mac, o->plan->digest, sizeof o->plan->digest, err) ||
        mac_add(mac, key, n_key_bytes, err))
        return -1;
    return mac_end(mac, digest, err);
}

/* The seed is a digest of the digest. The state has only the first half of the latter, so the seed
 * cannot be computed from the state, but only by somebody who also has the vector and the key. */
static int make_seed(struct mac *mac, const uint8_t use[MAC_BYTES], uint8_t seed[RANDOM_SEED_BYTES],
                     struct hagg_err *err)
{
    _Static_assert(RANDOM_SEED_BYTES == MAC_BYTES, "a digest is a seed");
    return mac_add(mac, use, MAC_BYTES, err) || mac_end(mac, seed, err) ? -1 : 0;
}

int client_rounding_seed(const struct client_options *o, const struct vector *v,
                         uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    uint8_t vector[MAC_BYTES], use[MAC_BYTES];
    struct mac *mac = state_mac(o->state, err);
    int status = mac ? digest_vector(mac, v, vector, err) : -1;

    if (status == 0)
        status = digest_use(mac, o, vector, "rounding", sizeof "rounding", use, err);
    if (status == 0)
        status = make_seed(mac, use, seed, err);
    mac_free(mac);
    explicit_bzero(use, sizeof use);
    return status;
}

int client_remember(const struct client_options *o, const struct vector *v, const void *key,
                    size_t n_key_bytes, uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
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
        status = digest_use(mac, o, vector, key, n_key_bytes, use, err);
    if (status == 0)
        status = make_seed(mac, use, seed, err);
    mac_free(mac);
    if (status == 0)
        status = state_claim_vector(o->state, &entry, vector, use, o->again, v->name, err);
    if (status == 0)
        status = state_commit(o->state, err);
    explicit_bzero(use, sizeof use);
    return status ? -1 : 1;
}
