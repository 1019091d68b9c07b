#include "identity/sealing.h"

#include <string.h>

#include "crypto/mac.h"
#include "crypto/random.h"
#include "identity/seal_info.h"

/* Derives the secret of the ephemeral key from the seed and from everything that may differ between
 * two records: the info, which covers the header and so the plan, and both keys. Another version of
 * hagg could make another payload from the same seed, so it never gets the same ephemeral key. */
static int derive(uint8_t ikm[X25519_BYTES], const uint8_t seed[SEAL_SEED_BYTES],
                  const uint8_t info[SEAL_INFO_BYTES], const uint8_t *from, const uint8_t *to,
                  struct hagg_err *err)
{
    static const char version[] = "ephemeral key of hagg " HAGG_VERSION;
    _Static_assert(X25519_BYTES == MAC_BYTES && SEAL_SEED_BYTES == MAC_KEY_BYTES,
                   "a digest under the seed is the secret");
    struct mac *mac = mac_new(seed, err);
    int status = -1;

    if (mac && mac_add(mac, version, sizeof version, err) == 0 &&
        mac_add(mac, info, SEAL_INFO_BYTES, err) == 0 &&
        mac_add(mac, from, X25519_BYTES, err) == 0 && mac_add(mac, to, X25519_BYTES, err) == 0)
        status = mac_end(mac, ikm, err);
    mac_free(mac);
    return status;
}

static int fail_node(const struct keyring *k, const struct header_node *node, struct hagg_err *err)
{
    return err_set(err, HAGG_E_PRIVACY, "cannot be sealed: %s has no key of %s %u",
                   identities_name(keyring_identities(k)), node->tier, node->number);
}

static int begin(struct sealer *sealer, const struct header *h, const uint8_t *seed,
                 struct seal_head *head, struct seal **seal, struct hagg_err *err)
{
    struct keyring *k = ((struct sealing *)sealer)->keyring;
    uint8_t info[SEAL_INFO_BYTES], ikm[X25519_BYTES];
    const struct identity *receiver, *sender;
    const struct x25519 *private_key;
    struct hpke *context = NULL;
    struct node from, to;
    int status;

    if (!h->from.tier[0] || !h->to.tier[0])
        return err_set(err, HAGG_E_PRIVACY,
                       "cannot be sealed, because it is not from one node to another: act as one "
                       "node, with --station or --relay");
    if (seal_check(h, err))
        return -1;
    if (keyring_node(&h->from, &from))
        return fail_node(k, &h->from, err);
    receiver = keyring_node(&h->to, &to) == 0 ? identities_of(keyring_identities(k), to) : NULL;
    if (!receiver)
        return fail_node(k, &h->to, err);
    if (!(private_key = keyring_private(k, from, err)) || seal_info(info, h, head, err))
        return -1;
    sender = identities_owner(keyring_identities(k), x25519_public(private_key));
    memcpy(head->from_key, sender->id, sizeof head->from_key);
    memcpy(head->to_key, receiver->id, sizeof head->to_key);
    status = seed ? derive(ikm, seed, info, sender->key, receiver->key, err)
                  : random_kernel(ikm, sizeof ikm, err);
    if (status == 0)
        status =
            hpke_send(&context, private_key, receiver->key, info, sizeof info, ikm, head->enc, err);
    else
        status = -1;
    explicit_bzero(ikm, sizeof ikm);
    if (status == 0)
        return err_set(err, HAGG_E_PRIVACY, "cannot be sealed: the key of %s %u in %s is unusable",
                       h->to.tier, h->to.number, identities_name(keyring_identities(k)));
    if (status < 0)
        return -1;
    *seal = seal_info_seal(context, err);
    return *seal ? 1 : -1;
}

void sealing_init(struct sealing *s, struct keyring *keyring)
{
    *s = (struct sealing){ { begin }, keyring };
}
