#include "crypto/x25519.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
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

/* The usual form of a private key in PEM: PKCS #8 (RFC 8410), without attributes. It is read and
 * written here, because libcrypto leaves parts of the text and of the key in freed memory. */
static const char pem_begin[] = "-----BEGIN PRIVATE KEY-----\n";
static const char pem_end[] = "\n-----END PRIVATE KEY-----\n";
static const uint8_t pkcs8[] = { 0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06,
                                 0x03, 0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20 };

#define DER_BYTES   (sizeof pkcs8 + X25519_BYTES)
#define PEM_LINE    (DER_BYTES / 3 * 4)
#define BEGIN_BYTES (sizeof pem_begin - 1)
#define END_BYTES   (sizeof pem_end - 1)
#define PEM_BYTES   (BEGIN_BYTES + PEM_LINE + END_BYTES)

/* Returns the private key in PEM of the usual form; false for any other text. */
static bool parse_usual(const char *text, size_t n, uint8_t private_key[X25519_BYTES])
{
    unsigned char again[PEM_LINE + 1];
    const unsigned char *line;
    uint8_t der[DER_BYTES];
    bool usual;

    if (n != PEM_BYTES || memcmp(text, pem_begin, BEGIN_BYTES) != 0 ||
        memcmp(text + BEGIN_BYTES + PEM_LINE, pem_end, END_BYTES) != 0)
        return false;
    line = (const unsigned char *)text + BEGIN_BYTES;
    usual = EVP_DecodeBlock(der, line, PEM_LINE) == (int)DER_BYTES &&
            memcmp(der, pkcs8, sizeof pkcs8) == 0;
    if (usual) {
        /* decoding accepts a character that pads anywhere */
        EVP_EncodeBlock(again, der, DER_BYTES);
        usual = CRYPTO_memcmp(again, line, PEM_LINE) == 0;
        memcpy(private_key, der + sizeof pkcs8, X25519_BYTES);
        explicit_bzero(again, sizeof again);
    }
    explicit_bzero(der, sizeof der);
    return usual;
}

int x25519_to_pem(const struct x25519 *k, char **text, size_t *n, struct hagg_err *err)
{
    uint8_t der[DER_BYTES];
    size_t n_key = 0;
    char *pem = malloc(PEM_BYTES + 1);
    /* not the function for raw keys, which makes a copy and does not wipe it */
    bool done = pem &&
                EVP_PKEY_get_octet_string_param(k->pair, OSSL_PKEY_PARAM_PRIV_KEY,
                                                der + sizeof pkcs8, X25519_BYTES, &n_key) == 1 &&
                n_key == X25519_BYTES;

    if (done) {
        memcpy(der, pkcs8, sizeof pkcs8);
        memcpy(pem, pem_begin, BEGIN_BYTES);
        EVP_EncodeBlock((unsigned char *)pem + BEGIN_BYTES, der, DER_BYTES);
        memcpy(pem + BEGIN_BYTES + PEM_LINE, pem_end, END_BYTES);
        *n = PEM_BYTES;
    } else {
        free(pem);
        pem = NULL;
    }
    explicit_bzero(der, sizeof der);
    *text = pem;
    return done ? 0 : fail(err);
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

/* Any other form that libcrypto reads. */
static struct x25519 *from_other_pem(const void *text, size_t n, const char *name,
                                     struct hagg_err *err)
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

struct x25519 *x25519_from_pem(const void *text, size_t n, const char *name, struct hagg_err *err)
{
    uint8_t private_key[X25519_BYTES];
    struct x25519 *k;

    if (!parse_usual(text, n, private_key))
        return from_other_pem(text, n, name, err);
    k = x25519_new(private_key, err);
    explicit_bzero(private_key, sizeof private_key);
    return k;
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

/* Little endian: 2^255 - 19. */
static const uint8_t modulus[X25519_BYTES] = {
    0xed, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
};

/* Several strings stand for the same point: those that are not below the modulus, and those in
 * which the last bit, which is ignored, is set. */
static bool is_canonical(const uint8_t key[X25519_BYTES])
{
    int i = X25519_BYTES - 1;

    while (i > 0 && key[i] == modulus[i])
        i--;
    return key[i] < modulus[i];
}

/* The points of low order, with which every shared secret is zero: RFC 7748, section 6.1. */
static const uint8_t low_order[][X25519_BYTES] = {
    { 0 },
    { 1 },
    { 0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3,
      0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32,
      0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00 },
    { 0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1,
      0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c,
      0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57 },
    { 0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
};

static bool is_low_order(const uint8_t key[X25519_BYTES])
{
    for (size_t i = 0; i < sizeof low_order / sizeof *low_order; i++)
        if (memcmp(key, low_order[i], X25519_BYTES) == 0)
            return true;
    return false;
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
    return strcmp(again, text) == 0 && is_canonical(public_key) && !is_low_order(public_key) ? 0
                                                                                             : -1;
}
