#include "crypto/x25519.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct x25519 {
    EVP_PKEY *pair;
    uint8_t public_key[X25519_BYTES];
};

static int fail(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses X25519");
}

/* Takes over the pair, which may be NULL. */
static struct x25519 *own(EVP_PKEY *pair, struct hagg_err *err)
{
    struct x25519 *k = pair ? calloc(1, sizeof *k) : NULL;
    size_t n = X25519_BYTES;

    if (!k) {
        EVP_PKEY_free(pair);
        fail(err);
        return NULL;
    }
    k->pair = pair;
    if (EVP_PKEY_get_raw_public_key(pair, k->public_key, &n) == 1 && n == X25519_BYTES)
        return k;
    fail(err);
    x25519_free(k);
    return NULL;
}

struct x25519 *x25519_generate(struct hagg_err *err)
{
    return own(EVP_PKEY_Q_keygen(NULL, NULL, "X25519"), err);
}

struct x25519 *x25519_new(const uint8_t private_key[X25519_BYTES], struct hagg_err *err)
{
    return own(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key, X25519_BYTES), err);
}

void x25519_free(struct x25519 *k)
{
    if (!k)
        return;
    EVP_PKEY_free(k->pair); /* libcrypto wipes the private key */
    free(k);
}

const uint8_t *x25519_public(const struct x25519 *k)
{
    return k->public_key;
}

/* Instead of asking for a pass phrase on the terminal. */
static int note_encrypted(char *buf, int size, int writes, void *arg)
{
    (void)buf;
    (void)size;
    (void)writes;
    *(int *)arg = 1;
    return -1;
}

struct x25519 *x25519_from_pem(const void *text, size_t n, const char *name, struct hagg_err *err)
{
    BIO *bio = n <= INT_MAX ? BIO_new_mem_buf(text, (int)n) : NULL;
    int encrypted = 0;
    bool is_key;
    EVP_PKEY *pair = bio ? PEM_read_bio_PrivateKey(bio, NULL, note_encrypted, &encrypted) : NULL;

    BIO_free(bio);
    ERR_clear_error();
    if (pair && EVP_PKEY_is_a(pair, "X25519"))
        return own(pair, err);
    is_key = pair != NULL;
    EVP_PKEY_free(pair);
    if (encrypted)
        err_set(err, HAGG_E_MALFORMED,
                "%s: is protected by a pass phrase, which nobody can type in a batch job: remove "
                "it with openssl pkey",
                name);
    else
        err_set(err, HAGG_E_MALFORMED, "%s: is not %s: make one with hagg-keygen --identity", name,
                is_key ? "an X25519 key" : "a private key in PEM");
    return NULL;
}

int x25519_to_pem(const struct x25519 *k, char **text, size_t *n, struct hagg_err *err)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    char *bytes;
    long length;
    int status = -1;

    *text = NULL;
    if (bio && PEM_write_bio_PrivateKey(bio, k->pair, NULL, NULL, 0, NULL, NULL) == 1 &&
        (length = BIO_get_mem_data(bio, &bytes)) > 0 && (*text = malloc((size_t)length))) {
        memcpy(*text, bytes, (size_t)length);
        *n = (size_t)length;
        OPENSSL_cleanse(bytes, (size_t)length);
        status = 0;
    }
    BIO_free(bio);
    return status ? fail(err) : 0;
}

int x25519_agree(const struct x25519 *k, const uint8_t public_key[X25519_BYTES],
                 uint8_t secret[X25519_BYTES], struct hagg_err *err)
{
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, public_key, X25519_BYTES);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, k->pair, NULL);
    size_t n = X25519_BYTES;
    int status = -1;

    if (peer && context && EVP_PKEY_derive_init(context) == 1 &&
        EVP_PKEY_derive_set_peer(context, peer) == 1) {
        /* it fails only if the secret is zero */
        status = EVP_PKEY_derive(context, secret, &n) == 1 && n == X25519_BYTES;
        ERR_clear_error();
    }
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(peer);
    return status < 0 ? fail(err) : status;
}

void x25519_print(char text[X25519_TEXT_ROOM], const uint8_t public_key[X25519_BYTES])
{
    EVP_EncodeBlock((unsigned char *)text, public_key, X25519_BYTES);
}

int x25519_parse(uint8_t public_key[X25519_BYTES], const char *text)
{
    uint8_t bytes[X25519_BYTES + 1]; /* with one for the character that pads */
    char again[X25519_TEXT_ROOM];

    if (strlen(text) != X25519_TEXT_ROOM - 1 ||
        EVP_DecodeBlock(bytes, (const unsigned char *)text, X25519_TEXT_ROOM - 1) != sizeof bytes)
        return -1;
    memcpy(public_key, bytes, X25519_BYTES);
    x25519_print(again, public_key);
    return strcmp(again, text) == 0 ? 0 : -1;
}
