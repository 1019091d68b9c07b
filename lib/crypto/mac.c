#include "crypto/mac.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>

#include <hagg/plugin.h>

struct mac {
    EVP_MAC_CTX *context;
};

static int fail(struct hagg_err *err)
{
    return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses HMAC-SHA256");
}

struct mac *mac_new(const uint8_t key[MAC_KEY_BYTES], struct hagg_err *err)
{
    char sha256[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, sha256, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, OSSL_MAC_NAME_HMAC, NULL);
    struct mac *m = calloc(1, sizeof *m);

    if (m && hmac)
        m->context = EVP_MAC_CTX_new(hmac);
    EVP_MAC_free(hmac); /* the context keeps a reference */
    if (m && m->context && EVP_MAC_init(m->context, key, MAC_KEY_BYTES, parameters) == 1)
        return m;
    fail(err);
    mac_free(m);
    return NULL;
}

void mac_free(struct mac *m)
{
    if (!m)
        return;
    EVP_MAC_CTX_free(m->context); /* libcrypto wipes the key */
    free(m);
}

int mac_add(struct mac *m, const void *bytes, size_t n, struct hagg_err *err)
{
    return n == 0 || EVP_MAC_update(m->context, bytes, n) == 1 ? 0 : fail(err);
}

int mac_add_numbers(struct mac *m, const uint64_t *numbers, size_t n, struct hagg_err *err)
{
    uint8_t bytes[sizeof *numbers];
    int status = 0;

    for (size_t i = 0; i < n && status == 0; i++) {
        hagg_store64(bytes, numbers[i]);
        status = mac_add(m, bytes, sizeof bytes, err);
    }
    return status;
}

int mac_end(struct mac *m, uint8_t digest[MAC_BYTES], struct hagg_err *err)
{
    size_t n;

    if (EVP_MAC_final(m->context, digest, &n, MAC_BYTES) != 1 || n != MAC_BYTES ||
        EVP_MAC_init(m->context, NULL, 0, NULL) != 1)
        return fail(err);
    return 0;
}
