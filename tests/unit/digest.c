#include "digest.h"

#include <stdlib.h>

#include "check.h"
#include "hex.h"

/* Digests by Python's xxhash. */
static void agrees_with_python(void)
{
    uint8_t *bytes = malloc(100000), got[16], want[16];

    for (size_t i = 0; i < 100000; i++)
        bytes[i] = (uint8_t)(i % 251);
    hex_bytes(want, "99aa06d3014798d86001c324468d497f");
    digest_bytes(got, "", 0);
    CHECK(memcmp(got, want, 16) == 0);
    hex_bytes(want, "2f9917eef5e7e9cc6acedf7dff6b11b4");
    digest_bytes(got, "hagg", 4);
    CHECK(memcmp(got, want, 16) == 0);
    hex_bytes(want, "54182c58bbb1337c42c23aeead96750d");
    digest_bytes(got, bytes, 100000);
    CHECK(memcmp(got, want, 16) == 0);
    free(bytes);
}

int main(void)
{
    agrees_with_python();
    return check_end();
}
