#include "crypto/sha256.h"

#include <openssl/evp.h>

int sha256_bytes(uint8_t digest[SHA256_BYTES], const void *bytes, size_t n, struct hagg_err *err)
{
    if (EVP_Digest(bytes, n, digest, NULL, EVP_sha256(), NULL) != 1)
        return err_set(err, HAGG_E_SYSTEM, "libcrypto refuses SHA-256");
    return 0;
}
