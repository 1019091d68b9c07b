#include "share/client_remember.h"

#include <math.h>
#include <string.h>

#include <hagg/plugin.h>

#include "state/state.h"

/* Numbers that are digested at once. */
#define BLOCK 4096

/* Writes one value: in four bytes if a float is exact enough, otherwise in eight. Returns the
 * number of bytes. */
static size_t put_value(unsigned char *to, double value, int64_t exact, bool is_int)
{
    float f = (float)value + 0.0F; /* -0 becomes 0 */
    uint32_t bits;

    if (is_int && (double)f != value) {
        hagg_store64(to, (uint64_t)exact);
        return sizeof exact;
    }
    memcpy(&bits, &f, sizeof bits);
    hagg_store32(to, bits);
    return sizeof bits;
}

/* Digests the values alone: the same numbers in another file, or of another type, are the same
 * vector. Floats are compared as f4, after clipping. */
static int digest_vector(struct mac *mac, const struct vector *v, const struct header_quant *q,
                         uint8_t digest[MAC_BYTES], struct hagg_err *err)
{
    bool is_int = v->type[0] != 'f', is_clipped = !is_int && q->rounding != HEADER_SIGN;
    double block[BLOCK];
    int64_t exact[BLOCK] = { 0 };
    unsigned char bytes[BLOCK * sizeof *exact];
    int status = 0;

    for (size_t at = 0; at < v->n_elems && status == 0; at += BLOCK) {
        size_t n = v->n_elems - at < BLOCK ? v->n_elems - at : BLOCK, n_bytes = 0;

        vector_to_double(v, at, n, block);
        if (is_int)
            status = vector_to_int(v, at, n, exact, err);
        for (size_t i = 0; i < n && status == 0; i++) {
            if (is_clipped && fabs(block[i]) > q->clip)
                block[i] = copysign(q->clip, block[i]);
            n_bytes += put_value(bytes + n_bytes, block[i], exact[i], is_int);
        }
        if (status == 0)
            status = mac_add(mac, bytes, n_bytes, err);
    }
    explicit_bzero(block, sizeof block);
    explicit_bzero(exact, sizeof exact);
    explicit_bzero(bytes, sizeof bytes);
    return status ? -1 : mac_end(mac, digest, err);
}

/* Digests everything that determines the shares, first of all the elements that are shared. */
static int digest_use(struct mac *mac, const struct client_options *o, const struct client_use *u,
                      uint8_t digest[MAC_BYTES], struct hagg_err *err)
{
    uint64_t numbers[] = { o->client, o->round, u->n_bytes, u->key != NULL };

    if (mac_add_numbers(mac, numbers, sizeof numbers / sizeof *numbers, err) ||
        mac_add(mac, o->plan->digest, sizeof o->plan->digest, err) ||
        mac_add(mac, u->vector->type, sizeof u->vector->type, err) ||
        mac_add(mac, u->elems, u->n_bytes, err) ||
        (u->key && mac_add(mac, u->key, u->n_bytes, err)))
        return -1;
    return mac_end(mac, digest, err);
}

/* The seed is a digest of the digest. The state has only the first half of the latter, so the seed
 * cannot be computed from the state, but only by somebody who also has the vector and the key. The
 * word stands for how shares are made from the seed: versions that make other shares have other
 * seeds, so that records with the same id always have the same shares. */
static int make_seed(struct mac *mac, const uint8_t use[MAC_BYTES], uint8_t seed[RANDOM_SEED_BYTES],
                     struct hagg_err *err)
{
    _Static_assert(RANDOM_SEED_BYTES == MAC_BYTES, "a digest is a seed");
    static const char how[] = "systematic";

    return mac_add(mac, how, sizeof how, err) || mac_add(mac, use, MAC_BYTES, err) ||
                   mac_end(mac, seed, err)
               ? -1
               : 0;
}

int client_rounding_seed(const struct client_options *o, const struct vector *v,
                         uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    static const char purpose[] = "rounding";
    uint64_t numbers[] = { o->client, o->round };
    uint8_t vector[MAC_BYTES];
    struct mac *mac = state_mac(o->state, err);
    int status = mac ? digest_vector(mac, v, &o->plan->topology.quant, vector, err) : -1;

    if (status == 0 && (mac_add(mac, purpose, sizeof purpose, err) ||
                        mac_add_numbers(mac, numbers, sizeof numbers / sizeof *numbers, err) ||
                        mac_add(mac, o->plan->digest, sizeof o->plan->digest, err) ||
                        mac_add(mac, vector, sizeof vector, err) || mac_end(mac, seed, err)))
        status = -1;
    mac_free(mac);
    return status;
}

int client_mark_use(const struct client_options *o, const struct client_use *u,
                    struct client_mark *mark, uint8_t seed[RANDOM_SEED_BYTES], struct hagg_err *err)
{
    struct mac *mac;
    int status;

    if (!state_remembers(o->state))
        return 0;
    mac = state_mac(o->state, err);
    if (!mac)
        return -1;
    status = digest_vector(mac, u->vector, &o->plan->topology.quant, mark->vector, err);
    if (status == 0)
        status = digest_use(mac, o, u, mark->use, err);
    if (status == 0)
        status = make_seed(mac, mark->use, seed, err);
    mac_free(mac);
    mark->is_set = status == 0;
    return status;
}

int client_enter(const struct client_options *o, const struct client_mark *mark, const char *name,
                 struct hagg_err *err)
{
    struct state_key entry = {
        .plan = o->plan ? o->plan->digest : NULL,
        .node = { .tier = "client", .number = o->client },
        .what = STATE_VECTOR,
        .round = o->round,
    };

    return mark->is_set
               ? state_claim_vector(o->state, &entry, mark->vector, mark->use, o->again, name, err)
               : 0;
}
