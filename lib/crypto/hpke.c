#include "crypto/hpke.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/mac.h"

#define MODE_AUTH 2

/* "KEM" and its number; "HPKE" and the numbers of KEM, KDF and AEAD: RFC 9180, section 7. */
static const uint8_t kem_suite[] = { 'K', 'E', 'M', 0x00, 0x20 };
static const uint8_t hpke_suite[] = { 'H', 'P', 'K', 'E', 0x00, 0x20, 0x00, 0x01, 0x00, 0x02 };

struct hpke {
    struct aead *aead;
    uint8_t base_nonce[AEAD_NONCE_BYTES];
    uint64_t sequence;
};

struct part {
    const void *bytes;
    size_t n;
};

#define PART(array) ((struct part){ array, sizeof(array) })
#define WORD(text)  ((struct part){ text, sizeof(text) - 1 })

/* HMAC over several parts, one after the other. */
static int hmac(const uint8_t key[MAC_KEY_BYTES], const struct part *parts, size_t n,
                uint8_t out[MAC_BYTES], struct hagg_err *err)
{
    struct mac *m = mac_new(key, err);
    int status = m ? 0 : -1;

    for (size_t i = 0; i < n && status == 0; i++)
        status = mac_add(m, parts[i].bytes, parts[i].n, err);
    if (status == 0)
        status = mac_end(m, out, err);
    mac_free(m);
    return status;
}

/* LabeledExtract of RFC 9180. An empty salt is one of zeros. */
static int extract(struct part suite, const uint8_t salt[MAC_KEY_BYTES], struct part label,
                   struct part input, uint8_t out[MAC_BYTES], struct hagg_err *err)
{
    const struct part parts[] = { WORD("HPKE-v1"), suite, label, input };

    return hmac(salt, parts, 4, out, err);
}

/* LabeledExpand to n bytes, at most one block. */
static int expand(struct part suite, const uint8_t key[MAC_KEY_BYTES], struct part label,
                  struct part info, uint8_t *out, size_t n, struct hagg_err *err)
{
    static const uint8_t one[] = { 1 };
    const uint8_t length[] = { 0, (uint8_t)n };
    const struct part parts[] = { PART(length), WORD("HPKE-v1"), suite, label, info, PART(one) };
    uint8_t block[MAC_BYTES];
    int status = hmac(key, parts, 6, block, err);

    if (status == 0)
        memcpy(out, block, n);
    explicit_bzero(block, sizeof block);
    return status;
}

static const uint8_t no_salt[MAC_KEY_BYTES];

/* DeriveKeyPair. */
static struct x25519 *derive_pair(const uint8_t ikm[X25519_BYTES], struct hagg_err *err)
{
    uint8_t prk[MAC_BYTES], private_key[X25519_BYTES];
    struct x25519 *pair = NULL;

    if (extract(PART(kem_suite), no_salt, WORD("dkp_prk"), (struct part){ ikm, X25519_BYTES }, prk,
                err) == 0 &&
        expand(PART(kem_suite), prk, WORD("sk"), WORD(""), private_key, sizeof private_key, err) ==
            0)
        pair = x25519_new(private_key, err);
    explicit_bzero(prk, sizeof prk);
    explicit_bzero(private_key, sizeof private_key);
    return pair;
}

/* KeyScheduleR and KeyScheduleS, without a pre-shared key. */
static struct hpke *schedule(const uint8_t shared[MAC_BYTES], struct part info,
                             struct hagg_err *err)
{
    struct hpke *c = calloc(1, sizeof *c);
    uint8_t context[1 + 2 * MAC_BYTES] = { MODE_AUTH };
    uint8_t secret[MAC_BYTES], key[AEAD_KEY_BYTES];

    if (!c) {
        err_errno(err, "no memory for a sealed record");
        return NULL;
    }
    if (extract(PART(hpke_suite), no_salt, WORD("psk_id_hash"), WORD(""), context + 1, err) == 0 &&
        extract(PART(hpke_suite), no_salt, WORD("info_hash"), info, context + 1 + MAC_BYTES, err) ==
            0 &&
        extract(PART(hpke_suite), shared, WORD("secret"), WORD(""), secret, err) == 0 &&
        expand(PART(hpke_suite), secret, WORD("key"), PART(context), key, sizeof key, err) == 0 &&
        expand(PART(hpke_suite), secret, WORD("base_nonce"), PART(context), c->base_nonce,
               sizeof c->base_nonce, err) == 0)
        c->aead = aead_new(key, err);
    explicit_bzero(secret, sizeof secret);
    explicit_bzero(key, sizeof key);
    if (c->aead)
        return c;
    hpke_free(c);
    return NULL;
}

/* ExtractAndExpand of the two secrets in dh, and the context that follows. */
static struct hpke *derive(const uint8_t dh[2 * X25519_BYTES], const uint8_t *enc,
                           const uint8_t *receiver, const uint8_t *sender, struct part info,
                           struct hagg_err *err)
{
    uint8_t kem_context[3 * X25519_BYTES], prk[MAC_BYTES], shared[MAC_BYTES];
    struct hpke *c = NULL;

    memcpy(kem_context, enc, X25519_BYTES);
    memcpy(kem_context + X25519_BYTES, receiver, X25519_BYTES);
    memcpy(kem_context + 2 * X25519_BYTES, sender, X25519_BYTES);
    if (extract(PART(kem_suite), no_salt, WORD("eae_prk"), (struct part){ dh, 2 * X25519_BYTES },
                prk, err) == 0 &&
        expand(PART(kem_suite), prk, WORD("shared_secret"), PART(kem_context), shared,
               sizeof shared, err) == 0)
        c = schedule(shared, info, err);
    explicit_bzero(prk, sizeof prk);
    explicit_bzero(shared, sizeof shared);
    return c;
}

int hpke_send(struct hpke **context, const struct x25519 *sender,
              const uint8_t receiver[X25519_BYTES], const void *info, size_t n_info,
              const uint8_t ikm[X25519_BYTES], uint8_t enc[HPKE_ENC_BYTES], struct hagg_err *err)
{
    struct x25519 *ephemeral = derive_pair(ikm, err);
    uint8_t dh[2 * X25519_BYTES];
    int status = -1;

    *context = NULL;
    if (ephemeral) {
        memcpy(enc, x25519_public(ephemeral), HPKE_ENC_BYTES);
        status = x25519_agree(ephemeral, receiver, dh, err);
    }
    if (status > 0)
        status = x25519_agree(sender, receiver, dh + X25519_BYTES, err);
    if (status > 0 && !(*context = derive(dh, enc, receiver, x25519_public(sender),
                                          (struct part){ info, n_info }, err)))
        status = -1;
    explicit_bzero(dh, sizeof dh);
    x25519_free(ephemeral);
    return status;
}

int hpke_receive(struct hpke **context, const struct x25519 *receiver,
                 const uint8_t sender[X25519_BYTES], const void *info, size_t n_info,
                 const uint8_t enc[HPKE_ENC_BYTES], struct hagg_err *err)
{
    uint8_t dh[2 * X25519_BYTES];
    int status = x25519_agree(receiver, enc, dh, err);

    *context = NULL;
    if (status > 0)
        status = x25519_agree(receiver, sender, dh + X25519_BYTES, err);
    if (status > 0 && !(*context = derive(dh, enc, x25519_public(receiver), sender,
                                          (struct part){ info, n_info }, err)))
        status = -1;
    explicit_bzero(dh, sizeof dh);
    return status;
}

void hpke_free(struct hpke *context)
{
    if (!context)
        return;
    aead_free(context->aead);
    explicit_bzero(context, sizeof *context);
    free(context);
}

/* The sequence number fits: a payload has at most 2^52 bytes. */
static void next_nonce(struct hpke *c, uint8_t nonce[AEAD_NONCE_BYTES])
{
    memcpy(nonce, c->base_nonce, AEAD_NONCE_BYTES);
    for (int i = 0; i < 8; i++)
        nonce[AEAD_NONCE_BYTES - 1 - i] ^= (uint8_t)(c->sequence >> (8 * i));
    c->sequence++;
}

void hpke_rewind(struct hpke *context)
{
    context->sequence = 0;
}

int hpke_seal(struct hpke *context, const void *aad, size_t n_aad, const void *plain, size_t n,
              void *sealed, struct hagg_err *err)
{
    uint8_t nonce[AEAD_NONCE_BYTES];

    next_nonce(context, nonce);
    return aead_seal(context->aead, nonce, aad, n_aad, plain, n, sealed, err);
}

int hpke_open(struct hpke *context, const void *aad, size_t n_aad, const void *sealed, size_t n,
              void *plain, struct hagg_err *err)
{
    uint8_t nonce[AEAD_NONCE_BYTES];

    next_nonce(context, nonce);
    return aead_open(context->aead, nonce, aad, n_aad, sealed, n, plain, err);
}
