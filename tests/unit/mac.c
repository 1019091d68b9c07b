#include "crypto/mac.h"

#include "check.h"

/* RFC 4231, test cases 1 and 2, with the keys filled up with zeros to 32 bytes, which does not
 * change HMAC. */
static void agrees_with_the_rfc(void)
{
    uint8_t key[MAC_KEY_BYTES] = { 0 }, digest[MAC_BYTES], again[MAC_BYTES];
    struct hagg_err err = { 0 };
    struct mac *m;
    char got[2 * MAC_BYTES + 1];

    memset(key, 0x0b, 20);
    m = mac_new(key, &err);
    if (!CHECK(m != NULL))
        return;
    CHECK(mac_add(m, "Hi ", 3, &err) == 0 && mac_add(m, "", 0, &err) == 0);
    CHECK(mac_add(m, "There", 5, &err) == 0 && mac_end(m, digest, &err) == 0);
    for (int i = 0; i < MAC_BYTES; i++)
        sprintf(got + 2 * i, "%02x", digest[i]);
    CHECK_STR(got, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    /* the same eight bytes as a number */
    CHECK(mac_add_numbers(m, (const uint64_t[]){ 0x6572656854206948 }, 1, &err) == 0);
    CHECK(mac_end(m, again, &err) == 0 && memcmp(again, digest, MAC_BYTES) == 0);
    mac_free(m);

    memset(key, 0, sizeof key);
    memcpy(key, "Jefe", 4);
    m = mac_new(key, &err);
    /* twice: mac_end starts again with the same key */
    for (int twice = 0; twice < 2; twice++) {
        CHECK(mac_add(m, "what do ya want for nothing?", 28, &err) == 0);
        CHECK(mac_end(m, digest, &err) == 0);
        for (int i = 0; i < MAC_BYTES; i++)
            sprintf(got + 2 * i, "%02x", digest[i]);
        CHECK_STR(got, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
    mac_free(m);
    mac_free(NULL);
}

int main(void)
{
    agrees_with_the_rfc();
    return check_end();
}
