#include "crypto/sha256.h"

#include <stdlib.h>

#include "check.h"
#include "hex.h"

static void check(const void *bytes, size_t n, const char *expected)
{
    uint8_t got[SHA256_BYTES], want[SHA256_BYTES];
    struct hagg_err err = { 0 };

    hex_bytes(want, expected);
    CHECK(sha256_bytes(got, bytes, n, &err) == 0);
    CHECK(memcmp(got, want, sizeof got) == 0);
}

/* Digests by Python's hashlib. The second is an example of FIPS 180-4. */
static void agrees_with_python(void)
{
    uint8_t *bytes = malloc(100000);

    for (size_t i = 0; i < 100000; i++)
        bytes[i] = (uint8_t)(i % 251);
    check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check(bytes, 64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108");
    check(bytes, 100000, "cd2df694e424bc7968cc37f47751019e5ca0cd1bdf2e479ea537c3a1c32ee1aa");
    free(bytes);
}

int main(void)
{
    agrees_with_python();
    return check_end();
}
