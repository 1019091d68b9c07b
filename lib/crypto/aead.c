#include "crypto/aead.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/gcm.h"

#define MOST_BYTES  ((UINT64_C(1) << 36) - 32) /* NIST SP 800-38D, section 5.2.1.1 */
#define STEP_BYTES  ((size_t)1 << 30)          /* a length that fits in an int */
#define STACK_BYTES 2048                       /* more than the functions of a build use */

struct aead {
    struct gcm_key key;      /* if build is not NULL */
    const struct gcm *build; /* NULL: libcrypto's is used */
    EVP_CIPHER_CTX *cipher;
};

static int fail(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses AES-256-GCM");
}

/* Overwrites the part of the stack on which a build may have left intermediate values. */
static __attribute__((noinline)) void wipe_stack(void)
{
    uint8_t used[STACK_BYTES];

    explicit_bzero(used, sizeof used);
}

struct aead *aead_new(const uint8_t key[AEAD_KEY_BYTES], struct hagg_err *err)
{
    struct aead *a = aligned_alloc(_Alignof(struct aead), sizeof *a);

    if (!a) {
        err_errno(err, "cannot set up AES-256-GCM");
        return NULL;
    }
    a->cipher = NULL;
    a->build = gcm_build();
    if (a->build) {
        a->build->set_key(&a->key, key);
        wipe_stack();
        return a;
    }
    a->cipher = EVP_CIPHER_CTX_new();
    if (!a->cipher || EVP_EncryptInit_ex2(a->cipher, EVP_aes_256_gcm(), key, NULL, NULL) != 1) {
        fail(err);
        aead_free(a);
        return NULL;
    }
    return a;
}

void aead_free(struct aead *a)
{
    if (!a)
        return;
    EVP_CIPHER_CTX_free(a->cipher); /* libcrypto wipes the key */
    explicit_bzero(a, sizeof *a);
    free(a);
}

/* A NULL out is for bytes that are only authenticated. */
static int update(EVP_CIPHER_CTX *cipher, uint8_t *out, const uint8_t *in, size_t n)
{
    while (n > 0) {
        size_t now = n < STEP_BYTES ? n : STEP_BYTES;
        int made;

        if (EVP_CipherUpdate(cipher, out, &made, in, (int)now) != 1 || (size_t)made != now)
            return -1;
        in += now;
        if (out)
            out += now;
        n -= now;
    }
    return 0;
}

/* Encrypts or decrypts all but the tag. */
static int crypt_by_libcrypto(EVP_CIPHER_CTX *cipher, const struct gcm_message *m, bool opening)
{
    if (EVP_CipherInit_ex2(cipher, NULL, NULL, m->nonce, opening ? 0 : 1, NULL) != 1 ||
        update(cipher, NULL, m->aad, m->n_aad) || update(cipher, m->out, m->in, m->n))
        return -1;
    return 0;
}

static void crypt_by_build(const struct aead *a, const struct gcm_message *m, bool opening,
                           uint8_t tag[AEAD_TAG_BYTES])
{
    a->build->crypt(&a->key, m, opening, tag);
    wipe_stack();
}

static int fail_length(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "too many bytes for one message of AES-256-GCM");
}

int aead_seal(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *plain, size_t n, void *sealed, struct hagg_err *err)
{
    struct gcm_message m = { nonce, aad, n_aad, plain, sealed, n };
    uint8_t *tag = m.out + n;
    int made;

    if (n > MOST_BYTES)
        return fail_length(err);
    if (a->build) {
        crypt_by_build(a, &m, false, tag);
        return 0;
    }
    if (crypt_by_libcrypto(a->cipher, &m, false) ||
        EVP_CipherFinal_ex(a->cipher, tag, &made) != 1 ||
        EVP_CIPHER_CTX_ctrl(a->cipher, EVP_CTRL_AEAD_GET_TAG, AEAD_TAG_BYTES, tag) != 1)
        return fail(err);
    return 0;
}

int aead_open(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *sealed, size_t n, void *plain, struct hagg_err *err)
{
    struct gcm_message m = { nonce, aad, n_aad, sealed, plain, n };
    uint8_t tag[AEAD_TAG_BYTES], computed[AEAD_TAG_BYTES];
    int made, status;

    if (n > MOST_BYTES)
        return fail_length(err);
    memcpy(tag, m.in + n, sizeof tag);
    if (a->build) {
        crypt_by_build(a, &m, true, computed);
        status = CRYPTO_memcmp(computed, tag, sizeof tag) == 0;
        explicit_bzero(computed, sizeof computed);
    } else if (crypt_by_libcrypto(a->cipher, &m, true) ||
               EVP_CIPHER_CTX_ctrl(a->cipher, EVP_CTRL_AEAD_SET_TAG, AEAD_TAG_BYTES, tag) != 1)
        status = fail(err);
    else
        status = EVP_CipherFinal_ex(a->cipher, computed, &made) == 1;
    if (status != 1 && n > 0)
        explicit_bzero(plain, n);
    return status;
}
