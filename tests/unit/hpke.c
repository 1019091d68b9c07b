#include "crypto/hpke.h"

#include "alloc.h"
#include "check.h"
#include "hex.h"

#define ROOM 64 /* for a message of the RFC, sealed */

/* The published test vectors of RFC 9180: mode 2, KEM 0x0020, KDF 0x0001, AEAD 0x0002. All 257
 * messages have the same text, and the aad of message i is "Count-i". */
static const char info[] = "Ode on a Grecian Urn";
static const char text[] = "Beauty is truth, truth beauty";
static const char ikm[] = "734369ab3061f71ee85e090fae308553cac8e7b3fbd45b4ba83d05e0cd05b1c4";
static const char enc[] = "9e59f4b1fa5c876f684765290c34e51145894cc4f244342b9fb1a4bdfd8bb426";
static const char receiver_private[] =
    "47f1eee3670dfaaf27c30a83d06ee9f257af174727c17b35328ef730dfc1cd81";
static const char receiver_public[] =
    "3668d659cec6f338f4f8dc6da6733118d2a633f186a3c1415c895111a8eb7c7d";
static const char sender_private[] =
    "98fdf9b9773578a79d4ba82fbe483c74cc2e3b8d9525d148a18969fd79a74876";
static const char sender_public[] =
    "4a91c3d0893433f5e31a79fc520f885527a1bc60bf2b0c72693dd7f0b2e41a5a";

static const struct {
    int number;
    const char *sealed;
} messages[] = {
    { 0, "10b964283ac2cc0bdc4c85ab617291b446bf3832e9359b2c3a0facc50ea75a3c1afd08aeaacd6041d02eb560"
         "ec" },
    { 1, "83b24287a5ac672289ccebf5ec303d3c0a85bc60bb7a748014d85179b51c7552ca93a70817ee3140442f92e2"
         "3b" },
    { 2, "f42d890891825c1a57dea5a66baf2c940126704682826bc7c5caee60ca71578d767db256b0c2a4051bef1236"
         "f7" },
    { 4, "470a09a528036f80a2f1e23bced44551e5da71dff490bd7de6e01e2eb412cfe69be650b201f10e55a9c289e7"
         "12" },
    { 255, "f2783a56b5f0cac017424bbe7d29dc9cc45ea7a6050ef83c3284f5ad7bc889aab2cb46e6916a683b17b903b"
           "63e" },
    { 256, "16bc024eb0af9037260c822d45fa786e3c259aab1b7a4a196a72c3e794e78446440ba42b531da44d3d36d0a"
           "042" },
};
#define N_MESSAGES   (sizeof messages / sizeof *messages)
#define TEXT_BYTES   (sizeof text - 1)
#define SEALED_BYTES (TEXT_BYTES + AEAD_TAG_BYTES)

static struct hagg_err err;

static struct x25519 *pair(const char *private_key)
{
    uint8_t bytes[X25519_BYTES];

    hex_bytes(bytes, private_key);
    return x25519_new(bytes, &err);
}

/* The sender of the RFC, to a receiver. */
static int send_to(struct hpke **context, const char *receiver, uint8_t got[HPKE_ENC_BYTES])
{
    uint8_t ikm_bytes[X25519_BYTES], public_key[X25519_BYTES];
    struct x25519 *sender = pair(sender_private);
    int status = -1;

    *context = NULL;
    hex_bytes(ikm_bytes, ikm);
    hex_bytes(public_key, receiver);
    if (sender)
        status =
            hpke_send(context, sender, public_key, info, sizeof info - 1, ikm_bytes, got, &err);
    x25519_free(sender);
    return status;
}

/* A receiver of the message of the RFC, with perhaps something wrong. */
static int receive(struct hpke **context, const char *receiver, const char *sender,
                   const char *what, const char *key)
{
    uint8_t public_key[X25519_BYTES], enc_bytes[HPKE_ENC_BYTES];
    struct x25519 *own = pair(receiver);
    int status = -1;

    *context = NULL;
    hex_bytes(public_key, sender);
    hex_bytes(enc_bytes, key);
    if (own)
        status = hpke_receive(context, own, public_key, what, strlen(what), enc_bytes, &err);
    x25519_free(own);
    return status;
}

static void seals_the_messages_of_the_rfc(void)
{
    uint8_t got[HPKE_ENC_BYTES], want[ROOM], sealed[ROOM];
    struct hpke *c;
    char aad[32];
    int next = 0;

    if (!CHECK(send_to(&c, receiver_public, got) == 1))
        return;
    hex_bytes(want, enc);
    CHECK(memcmp(got, want, sizeof got) == 0);
    for (size_t i = 0; i < N_MESSAGES; i++) {
        for (; next <= messages[i].number; next++) {
            snprintf(aad, sizeof aad, "Count-%d", next);
            CHECK(hpke_seal(c, aad, strlen(aad), text, TEXT_BYTES, sealed, &err) == 0);
        }
        CHECK(hex_bytes(want, messages[i].sealed) == SEALED_BYTES);
        CHECK(memcmp(sealed, want, SEALED_BYTES) == 0);
    }
    hpke_free(c);
}

/* Messages between those of the table are skipped by opening something that does not open. */
static void opens_the_messages_of_the_rfc(void)
{
    static const uint8_t nothing[AEAD_TAG_BYTES];
    uint8_t sealed[ROOM], plain[ROOM];
    struct hpke *c;
    char aad[32];
    int next = 0;

    if (!CHECK(receive(&c, receiver_private, sender_public, info, enc) == 1))
        return;
    for (size_t i = 0; i < N_MESSAGES; i++) {
        for (; next < messages[i].number; next++)
            CHECK(hpke_open(c, NULL, 0, nothing, 0, plain, &err) == 0);
        next++;
        hex_bytes(sealed, messages[i].sealed);
        snprintf(aad, sizeof aad, "Count-%d", messages[i].number);
        memset(plain, 0xff, sizeof plain);
        CHECK(hpke_open(c, aad, strlen(aad), sealed, TEXT_BYTES, plain, &err) == 1);
        CHECK(memcmp(plain, text, TEXT_BYTES) == 0);
    }
    hpke_free(c);
}

static void opens_in_place_and_an_empty_message(void)
{
    uint8_t got[HPKE_ENC_BYTES], bytes[ROOM], empty[AEAD_TAG_BYTES], nothing = 7;
    struct hpke *sends, *receives;

    if (!CHECK(send_to(&sends, receiver_public, got) == 1) ||
        !CHECK(receive(&receives, receiver_private, sender_public, info, enc) == 1))
        return;
    memcpy(bytes, text, TEXT_BYTES);
    CHECK(hpke_seal(sends, "a", 1, bytes, TEXT_BYTES, bytes, &err) == 0);
    CHECK(memcmp(bytes, text, TEXT_BYTES) != 0);
    CHECK(hpke_open(receives, "a", 1, bytes, TEXT_BYTES, bytes, &err) == 1);
    CHECK(memcmp(bytes, text, TEXT_BYTES) == 0);
    CHECK(hpke_seal(sends, NULL, 0, NULL, 0, empty, &err) == 0);
    CHECK(hpke_open(receives, NULL, 0, empty, 0, &nothing, &err) == 1);
    CHECK(nothing == 7);
    hpke_free(sends);
    hpke_free(receives);
    hpke_free(NULL);
}

/* Every bit of a sealed message, of its aad and of enc. Nothing of a message that does not open may
 * be left in the buffer. */
static void opens_nothing_that_was_changed(void)
{
    static const uint8_t wiped[TEXT_BYTES];
    uint8_t sealed[ROOM], plain[ROOM], enc_bytes[HPKE_ENC_BYTES];
    char aad[] = "Count-0", digits[2 * HPKE_ENC_BYTES + 1];
    struct hpke *c;

    hex_bytes(sealed, messages[0].sealed);
    for (size_t bit = 0; bit < 8 * (SEALED_BYTES + sizeof aad - 1); bit++) {
        uint8_t *byte =
            bit / 8 < SEALED_BYTES ? &sealed[bit / 8] : (uint8_t *)&aad[bit / 8 - SEALED_BYTES];

        if (!CHECK(receive(&c, receiver_private, sender_public, info, enc) == 1))
            return;
        *byte ^= (uint8_t)(1 << bit % 8);
        memset(plain, 0xff, sizeof plain);
        CHECK(hpke_open(c, aad, sizeof aad - 1, sealed, TEXT_BYTES, plain, &err) == 0);
        CHECK(memcmp(plain, wiped, sizeof wiped) == 0);
        *byte ^= (uint8_t)(1 << bit % 8);
        hpke_free(c);
    }
    hex_bytes(enc_bytes, enc);
    for (size_t bit = 0; bit < 8 * HPKE_ENC_BYTES; bit++) {
        enc_bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        for (size_t i = 0; i < HPKE_ENC_BYTES; i++)
            sprintf(digits + 2 * i, "%02x", enc_bytes[i]);
        /* X25519 ignores the last bit, but the key schedule has all bits of enc */
        if (CHECK(receive(&c, receiver_private, sender_public, info, digits) == 1))
            CHECK(hpke_open(c, aad, sizeof aad - 1, sealed, TEXT_BYTES, plain, &err) == 0);
        hpke_free(c);
        enc_bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void opens_nothing_of_another_context(void)
{
    static const struct {
        const char *receiver, *sender, *info, *aad;
        int message;
    } wrong[] = {
        /* the private key of the sender instead of that of the receiver */
        { sender_private, sender_public, info, "Count-0", 0 },
        { receiver_private, receiver_public, info, "Count-0", 0 },
        { receiver_private, enc, info, "Count-0", 0 },
        { receiver_private, sender_public, "Ode on a Grecian Urm", "Count-0", 0 },
        { receiver_private, sender_public, "Ode on a Grecian Ur", "Count-0", 0 },
        { receiver_private, sender_public, "", "Count-0", 0 },
        { receiver_private, sender_public, info, "Count-1", 0 },
        { receiver_private, sender_public, info, "Count-", 0 },
        { receiver_private, sender_public, info, "", 0 },
        /* the second message instead of the first, with either aad */
        { receiver_private, sender_public, info, "Count-1", 1 },
        { receiver_private, sender_public, info, "Count-0", 1 },
    };
    uint8_t sealed[ROOM], plain[ROOM];
    struct hpke *c;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (!CHECK(receive(&c, wrong[i].receiver, wrong[i].sender, wrong[i].info, enc) == 1))
            continue;
        hex_bytes(sealed, messages[wrong[i].message].sealed);
        CHECK(hpke_open(c, wrong[i].aad, strlen(wrong[i].aad), sealed, TEXT_BYTES, plain, &err) ==
              0);
        hpke_free(c);
    }
    /* the same message twice, and the first after the second */
    if (!CHECK(receive(&c, receiver_private, sender_public, info, enc) == 1))
        return;
    hex_bytes(sealed, messages[0].sealed);
    CHECK(hpke_open(c, "Count-0", 7, sealed, TEXT_BYTES, plain, &err) == 1);
    CHECK(hpke_open(c, "Count-0", 7, sealed, TEXT_BYTES, plain, &err) == 0);
    hpke_free(c);
}

/* RFC 7748, section 6.1: the points of low order, and their forms above 2^255 - 19. Their secrets
 * are zero for every private key. */
static const char *const low_order[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
};

static void refuses_public_keys_of_low_order(void)
{
    uint8_t got[HPKE_ENC_BYTES];
    struct hpke *c;

    for (size_t i = 0; i < sizeof low_order / sizeof *low_order; i++) {
        CHECK(send_to(&c, low_order[i], got) == 0 && c == NULL);
        CHECK(receive(&c, receiver_private, low_order[i], info, enc) == 0 && c == NULL);
        CHECK(receive(&c, receiver_private, sender_public, info, low_order[i]) == 0 && c == NULL);
    }
}

static void reports_missing_memory(void)
{
    uint8_t got[HPKE_ENC_BYTES];
    struct hpke *c;
    int status;

    for (int sends = 0; sends < 2; sends++) {
        unsigned long at = 0;

        do {
            err = (struct hagg_err){ 0 };
            alloc_refuse(at++);
            status = sends ? send_to(&c, receiver_public, got)
                           : receive(&c, receiver_private, sender_public, info, enc);
            if (alloc_refused())
                CHECK(status == -1 && c == NULL && err.status == HAGG_E_SYSTEM);
            else
                CHECK(status == 1 && c != NULL);
            hpke_free(c);
        } while (alloc_refused());
        CHECK(at > 5);
    }
    alloc_watch();
}

int main(void)
{
    seals_the_messages_of_the_rfc();
    opens_the_messages_of_the_rfc();
    opens_in_place_and_an_empty_message();
    opens_nothing_that_was_changed();
    opens_nothing_of_another_context();
    refuses_public_keys_of_low_order();
    reports_missing_memory();
    return check_end();
}
