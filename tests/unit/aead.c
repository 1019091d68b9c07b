#include "crypto/aead.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "crypto/gcm.h"
#include "hex.h"

/* Values of HAGG_ISA; with portable, aead.c uses libcrypto. A processor without an instruction set
 * uses the one before it in this list. */
static const char *const builds[] = { "portable", "avx2", "avx512" };
#define N_BUILDS (sizeof builds / sizeof *builds)

static const uint8_t key[AEAD_KEY_BYTES] = "thirty-two bytes of a secret key";
static bool watch_free;
static unsigned long n_freed, n_freed_with_key;

void __real_free(void *p);
void __wrap_free(void *p);

void __wrap_free(void *p)
{
    if (watch_free && p) {
        n_freed++;
        n_freed_with_key += memmem(p, malloc_usable_size(p), key, 16) != NULL;
    }
    __real_free(p);
}

static struct aead *new_aead(const char *build, const uint8_t bytes[AEAD_KEY_BYTES])
{
    struct hagg_err err = { 0 };
    struct aead *a;

    setenv("HAGG_ISA", build, 1);
    a = aead_new(bytes, &err);
    if (!CHECK(a != NULL))
        exit(check_end());
    return a;
}

static uint32_t next_number(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 33);
}

/* Buffers have their exact size, so that a sanitizer notices every access outside. */
static uint8_t *random_bytes_of(size_t n)
{
    uint8_t *bytes = malloc(n > 0 ? n : 1);

    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)next_number();
    return bytes;
}

static bool are_zero(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void agree_with_published(const char *key_digits, const char *nonce_digits,
                                 const char *aad_digits, const char *plain_digits,
                                 const char *sealed_digits)
{
    uint8_t k[AEAD_KEY_BYTES], nonce[AEAD_NONCE_BYTES], aad[64], plain[64], want[80], got[80];
    size_t n_aad = hex_bytes(aad, aad_digits), n = hex_bytes(plain, plain_digits);
    struct hagg_err err = { 0 };

    hex_bytes(k, key_digits);
    hex_bytes(nonce, nonce_digits);
    CHECK(hex_bytes(want, sealed_digits) == n + AEAD_TAG_BYTES);
    for (size_t b = 0; b < N_BUILDS; b++) {
        struct aead *a = new_aead(builds[b], k);

        CHECK(aead_seal(a, nonce, aad, n_aad, plain, n, got, &err) == 0);
        CHECK(memcmp(got, want, n + AEAD_TAG_BYTES) == 0);
        CHECK(aead_open(a, nonce, aad, n_aad, want, n, got, &err) == 1);
        CHECK(memcmp(got, plain, n) == 0);
        aead_free(a);
    }
}

/* McGrew and Viega, The Galois/Counter Mode of Operation (GCM), appendix B, test cases 13 to 16:
 * those with a key of 256 bits and a nonce of 96 bits. */
static void seals_the_published_cases(void)
{
    static const char zero_key[] =
        "00000000000000000000000000000000 00000000000000000000000000000000";
    static const char zero_nonce[] = "000000000000000000000000";
    static const char some_key[] =
        "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308";
    static const char some_nonce[] = "cafebabefacedbaddecaf888";

    agree_with_published(zero_key, zero_nonce, "", "", "530f8afbc74536b9a963b4f1c4cb738b");
    agree_with_published(zero_key, zero_nonce, "", "00000000000000000000000000000000",
                         "cea7403d4d606b6e074ec5d3baf39d18 d0d1c8a799996bf0265b98b5d48ab919");
    agree_with_published(some_key, some_nonce, "",
                         "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                         "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
                         "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                         "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
                         "b094dac5d93471bdec1a502270e3cc6c");
    agree_with_published(some_key, some_nonce, "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                         "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                         "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                         "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                         "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                         "76fc6ece0f4e1768cddf8853bb2d551b");
}

/* Seals a random message with libcrypto and with each build, to another buffer and in place, at
 * any alignment, and opens what libcrypto has sealed. */
static void compare_builds(struct aead *const a[N_BUILDS], size_t n, size_t n_aad)
{
    size_t n_sealed = n + AEAD_TAG_BYTES, from = next_number() % 64, to = next_number() % 64;
    uint8_t nonce[AEAD_NONCE_BYTES], *aad = random_bytes_of(n_aad), *plain = random_bytes_of(n);
    uint8_t *in = malloc(from + n_sealed), *out = malloc(to + n_sealed), *want = malloc(n_sealed);
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < sizeof nonce; i++)
        nonce[i] = (uint8_t)next_number();
    CHECK(aead_seal(a[0], nonce, aad, n_aad, plain, n, want, &err) == 0);
    for (size_t b = 0; b < N_BUILDS; b++) {
        if (n > 0)
            memcpy(in + from, plain, n);
        memset(out, 0, to + n_sealed);
        CHECK(aead_seal(a[b], nonce, aad, n_aad, in + from, n, out + to, &err) == 0);
        if (!CHECK(memcmp(out + to, want, n_sealed) == 0)) {
            fprintf(stderr, "HAGG_ISA=%s: %zu bytes, %zu bytes of aad\n", builds[b], n, n_aad);
            exit(check_end());
        }
        CHECK(aead_seal(a[b], nonce, aad, n_aad, in + from, n, in + from, &err) == 0);
        CHECK(memcmp(in + from, want, n_sealed) == 0);
        CHECK(aead_open(a[b], nonce, aad, n_aad, in + from, n, out + to, &err) == 1);
        CHECK(memcmp(out + to, plain, n) == 0);
        CHECK(aead_open(a[b], nonce, aad, n_aad, in + from, n, in + from, &err) == 1);
        CHECK(memcmp(in + from, plain, n) == 0);

        memcpy(in + from, want, n_sealed);
        in[from + next_number() % n_sealed] ^= 1;
        CHECK(aead_open(a[b], nonce, aad, n_aad, in + from, n, in + from, &err) == 0);
        CHECK(are_zero(in + from, n));
    }
    free(aad);
    free(plain);
    free(in);
    free(out);
    free(want);
}

static void builds_agree(bool quick)
{
    struct aead *a[N_BUILDS];

    for (size_t b = 0; b < N_BUILDS; b++)
        a[b] = new_aead(builds[b], key);
    for (size_t n = 0; n <= 2100; n += quick ? 37 : 1)
        compare_builds(a, n, n % 71);
    for (size_t n_aad = 0; n_aad <= 70; n_aad++)
        compare_builds(a, 21, n_aad);
    compare_builds(a, 100, 5000);
    for (int i = 0; i < (quick ? 1 : 40); i++)
        compare_builds(a, next_number() % 300000, next_number() % 71);
    if (!quick)
        compare_builds(a, 1500000, 70); /* the counter has carries in two bytes */
    for (size_t b = 0; b < N_BUILDS; b++)
        aead_free(a[b]);
}

/* Flips every bit of n bytes in turn; what was sealed must then be refused. */
static void refuse_flips(struct aead *a, uint8_t *bytes, size_t n, const uint8_t *nonce,
                         const uint8_t *aad, size_t n_aad, const uint8_t *sealed, size_t n_plain)
{
    uint8_t plain[64];
    struct hagg_err err = { 0 };

    for (size_t bit = 0; bit < 8 * n; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        memset(plain, 0xff, sizeof plain);
        CHECK(aead_open(a, nonce, aad, n_aad, sealed, n_plain, plain, &err) == 0);
        CHECK(are_zero(plain, n_plain) && plain[n_plain] == 0xff);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    CHECK(aead_open(a, nonce, aad, n_aad, sealed, n_plain, plain, &err) == 1);
}

static void every_flipped_bit_is_refused(void)
{
    static const char text[] = "a message of more than two blocks";
    uint8_t nonce[AEAD_NONCE_BYTES] = "twelve byte", aad[] = "bound to it", sealed[64];
    struct hagg_err err = { 0 };

    for (size_t b = 0; b < N_BUILDS; b++) {
        struct aead *a = new_aead(builds[b], key);

        CHECK(aead_seal(a, nonce, aad, sizeof aad, text, sizeof text, sealed, &err) == 0);
        refuse_flips(a, sealed, sizeof text + AEAD_TAG_BYTES, nonce, aad, sizeof aad, sealed,
                     sizeof text);
        refuse_flips(a, nonce, sizeof nonce, nonce, aad, sizeof aad, sealed, sizeof text);
        refuse_flips(a, aad, sizeof aad, nonce, aad, sizeof aad, sealed, sizeof text);
        /* lengths are authenticated: neither bytes that move to the aad nor zeros at its end */
        CHECK(aead_open(a, nonce, aad, sizeof aad - 1, sealed, sizeof text, sealed, &err) == 0);
        aead_free(a);
    }
}

static void too_long_a_message_is_an_error(void)
{
    uint8_t nonce[AEAD_NONCE_BYTES] = { 0 }, bytes[AEAD_TAG_BYTES];
    size_t n = ((size_t)1 << 36) - 31;

    for (size_t b = 0; b < N_BUILDS; b++) {
        struct aead *a = new_aead(builds[b], key);
        struct hagg_err err = { 0 };

        CHECK(aead_seal(a, nonce, NULL, 0, bytes, n, bytes, &err) == -1);
        CHECK_STR(err.text, "too many bytes for one message of AES-256-GCM");
        CHECK(aead_open(a, nonce, NULL, 0, bytes, n, bytes, &err) == -1);
        aead_free(a);
    }
}

static void empty_messages_need_no_buffers(void)
{
    uint8_t nonce[AEAD_NONCE_BYTES] = { 0 }, tag[AEAD_TAG_BYTES];
    struct hagg_err err = { 0 };

    for (size_t b = 0; b < N_BUILDS; b++) {
        struct aead *a = new_aead(builds[b], key);

        CHECK(aead_seal(a, nonce, NULL, 0, NULL, 0, tag, &err) == 0);
        CHECK(aead_open(a, nonce, NULL, 0, tag, 0, NULL, &err) == 1);
        tag[0] ^= 1;
        CHECK(aead_open(a, nonce, NULL, 0, tag, 0, NULL, &err) == 0);
        aead_free(a);
    }
}

static void free_wipes_the_key(void)
{
    for (size_t b = 0; b < N_BUILDS; b++) {
        struct aead *a = new_aead(builds[b], key);

        CHECK(b == 0 || gcm_build() == NULL || memmem(a, malloc_usable_size(a), key, 16));
        watch_free = true;
        aead_free(a);
        watch_free = false;
    }
    CHECK(n_freed == N_BUILDS && n_freed_with_key == 0);
    aead_free(NULL);
}

static void isa_selects_the_build(void)
{
    setenv("HAGG_ISA", "portable", 1);
    CHECK(gcm_build() == NULL);
    setenv("HAGG_ISA", "avx2", 1);
    printf("with AVX2: %s\n", gcm_build() ? "vectors" : "libcrypto");
    unsetenv("HAGG_ISA");
    printf("by default: %s\n", gcm_build() ? "vectors" : "libcrypto");
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;

    seals_the_published_cases();
    builds_agree(quick);
    every_flipped_bit_is_refused();
    too_long_a_message_is_an_error();
    empty_messages_need_no_buffers();
    free_wipes_the_key();
    isa_selects_the_build();
    return check_end();
}
