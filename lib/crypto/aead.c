#include "crypto/aead.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

struct aead {
    EVP_CIPHER_CTX *context; /* has the key */
};

static int fail(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses AES-256-GCM");
}

struct aead *aead_new(const uint8_t key[AEAD_KEY_BYTES], struct hagg_err *err)
{
    struct aead *a = calloc(1, sizeof *a);

    if (a)
        a->context = EVP_CIPHER_CTX_new();
    if (a && a->context &&
        EVP_CipherInit_ex2(a->context, EVP_aes_256_gcm(), key, NULL, 1, NULL) == 1)
        return a;
    fail(err);
    aead_free(a);
    return NULL;
}

void aead_free(struct aead *a)
{
    if (!a)
        return;
    EVP_CIPHER_CTX_free(a->context); /* libcrypto wipes the key */
    free(a);
}

/* Sets the nonce and the direction, and adds the associated data. */
static int begin(struct aead *a, const uint8_t *nonce, const void *aad, size_t n_aad, size_t n,
                 int seals)
{
    int done;

    if (n > INT_MAX || n_aad > INT_MAX)
        return -1;
    return EVP_CipherInit_ex2(a->context, NULL, NULL, nonce, seals, NULL) == 1 &&
                   (n_aad == 0 || EVP_CipherUpdate(a->context, NULL, &done, aad, (int)n_aad) == 1)
               ? 0
               : -1;
}

int aead_seal(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *plain, size_t n, void *sealed, struct hagg_err *err)
{
    uint8_t *out = sealed;
    int done, rest;

    if (begin(a, nonce, aad, n_aad, n, 1) ||
        (n > 0 && EVP_CipherUpdate(a->context, out, &done, plain, (int)n) != 1) ||
        EVP_CipherFinal_ex(a->context, out + n, &rest) != 1 ||
        EVP_CIPHER_CTX_ctrl(a->context, EVP_CTRL_AEAD_GET_TAG, AEAD_TAG_BYTES, out + n) != 1)
        return fail(err);
    return 0;
}

int aead_open(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *sealed, size_t n, void *plain, struct hagg_err *err)
{
    uint8_t tag[AEAD_TAG_BYTES], nothing;
    uint8_t *out = n > 0 ? plain : &nothing;
    int done, rest;

    memcpy(tag, (const uint8_t *)sealed + n, sizeof tag);
    if (begin(a, nonce, aad, n_aad, n, 0) ||
        (n > 0 && EVP_CipherUpdate(a->context, out, &done, sealed, (int)n) != 1) ||
        EVP_CIPHER_CTX_ctrl(a->context, EVP_CTRL_AEAD_SET_TAG, AEAD_TAG_BYTES, tag) != 1)
        return fail(err);
    if (EVP_CipherFinal_ex(a->context, out + n, &rest) == 1)
        return 1;
    explicit_bzero(out, n);
    return 0;
}
