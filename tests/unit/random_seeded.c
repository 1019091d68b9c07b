#include "check.h"
#include "hex.h"
#include "crypto/random.h"

/* The output of openssl enc -aes-256-ctr for zeros with the key 00 01 02 ... 1f. */
static void gives_the_known_stream(void)
{
    unsigned char seed[RANDOM_SEED_BYTES], out[32], want[32];
    struct hagg_err err = { 0 };
    struct random *r;

    for (unsigned char i = 0; i < sizeof seed; i++)
        seed[i] = i;
    r = random_seeded(seed, &err);
    CHECK(r && !random_is_file(r) && random_bytes(r, out, sizeof out, &err) == 0);
    CHECK(hex_bytes(want, "f29000b62a499fd0a9f39a6add2e7780f05d76ae4ab99fe5a6f69b3148c2363d") ==
          32);
    CHECK(memcmp(out, want, sizeof want) == 0);
    random_free(r);
}

/* Every bit of the seed matters. */
static void follows_its_seed(void)
{
    unsigned char seed[RANDOM_SEED_BYTES] = { 0 }, first[16], other[16];
    struct hagg_err err = { 0 };
    struct random *r = random_seeded(seed, &err);

    CHECK(random_bytes(r, first, sizeof first, &err) == 0);
    random_free(r);
    for (size_t bit = 0; bit < 8 * sizeof seed; bit++) {
        seed[bit / 8] ^= (unsigned char)(1u << bit % 8);
        r = random_seeded(seed, &err);
        CHECK(random_bytes(r, other, sizeof other, &err) == 0);
        CHECK(memcmp(first, other, sizeof first) != 0);
        random_free(r);
        seed[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    r = random_seeded(seed, &err);
    CHECK(random_bytes(r, other, sizeof other, &err) == 0);
    CHECK(memcmp(first, other, sizeof first) == 0);
    random_free(r);
}

static void knows_a_file(void)
{
    struct hagg_err err = { 0 };
    struct random *r = random_open("/dev/zero", &err);

    CHECK(r && random_is_file(r));
    random_free(r);
}

/* HMAC-SHA256 by openssl: of "root" under the seed 00 01 .. 1f, and of "seal" under that. */
static void derives_the_known_secret(void)
{
    unsigned char seed[RANDOM_SEED_BYTES], out[RANDOM_SEED_BYTES], want[RANDOM_SEED_BYTES];
    struct hagg_err err = { 0 };
    struct random *r;

    for (unsigned char i = 0; i < sizeof seed; i++)
        seed[i] = i;
    r = random_seeded(seed, &err);
    CHECK(random_derive(r, "seal", out, &err) == 0);
    CHECK(hex_bytes(want, "bc7df4c10581a822efd12807753fd8b8e17a6350c3e34422556b384e3877b6d8") ==
          32);
    CHECK(memcmp(out, want, sizeof want) == 0);
    random_free(r);
}

/* The secret is the same whatever was drawn, and is not among the bytes that are drawn. */
static void derives_independently_of_drawing(void)
{
    static unsigned char drawn[300000];
    unsigned char seed[RANDOM_SEED_BYTES] = { 5 }, first[RANDOM_SEED_BYTES], out[sizeof first];
    unsigned char plain[64], after[64];
    struct hagg_err err = { 0 };
    struct random *r = random_seeded(seed, &err), *other = random_seeded(seed, &err);

    CHECK(random_derive(r, "seal", first, &err) == 0);
    /* over a change of the key */
    CHECK(random_bytes(r, drawn, sizeof drawn, &err) == 0);
    CHECK(random_derive(r, "seal", out, &err) == 0 && memcmp(first, out, sizeof out) == 0);
    CHECK(memmem(drawn, sizeof drawn, first, 16) == NULL);
    /* deriving does not change what is drawn */
    CHECK(random_bytes(other, drawn, sizeof drawn, &err) == 0);
    CHECK(random_bytes(r, plain, sizeof plain, &err) == 0);
    CHECK(random_bytes(other, after, sizeof after, &err) == 0);
    CHECK(memcmp(plain, after, sizeof plain) == 0);
    random_free(r);
    random_free(other);
}

/* Another purpose, another bit of the seed, another generator: another secret, none of which is the
 * seed itself. */
static void derives_different_secrets(void)
{
    static const char *const purposes[] = { "seal", "seam", "sea", "", "seal2", "root" };
    unsigned char seed[RANDOM_SEED_BYTES] = { 9 }, secrets[270][RANDOM_SEED_BYTES];
    struct hagg_err err = { 0 };
    size_t n = 0, same = 0;

    for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++) {
        struct random *r = random_seeded(seed, &err);

        CHECK(random_derive(r, purposes[i], secrets[n++], &err) == 0);
        random_free(r);
    }
    for (size_t bit = 0; bit < 8 * sizeof seed; bit++) {
        struct random *r;

        seed[bit / 8] ^= (unsigned char)(1u << bit % 8);
        r = random_seeded(seed, &err);
        CHECK(random_derive(r, "seal", secrets[n++], &err) == 0);
        random_free(r);
        seed[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (int i = 0; i < 4; i++) {
        struct random *r = random_new(&err);

        CHECK(random_derive(r, "seal", secrets[n++], &err) == 0);
        random_free(r);
    }
    memcpy(secrets[n++], seed, sizeof seed);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            same += memcmp(secrets[i], secrets[j], sizeof secrets[0]) == 0;
    CHECK(same == 0);
}

/* The bytes of a file may be used again, so a secret from them could be used twice. */
static void derives_new_secrets_with_a_file(void)
{
    unsigned char secrets[4][RANDOM_SEED_BYTES], byte[2];
    struct hagg_err err = { 0 };

    for (int i = 0; i < 4; i += 2) {
        struct random *r = random_open("/proc/self/exe", &err);

        CHECK(r && random_derive(r, "seal", secrets[i], &err) == 0);
        CHECK(random_derive(r, "seal", secrets[i + 1], &err) == 0);
        /* nothing of the file was used for it */
        CHECK(random_bytes(r, byte, 2, &err) == 0 && byte[0] == 0x7f && byte[1] == 'E');
        random_free(r);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            CHECK(memcmp(secrets[i], secrets[j], sizeof secrets[0]) != 0);
}

int main(void)
{
    derives_the_known_secret();
    derives_independently_of_drawing();
    derives_different_secrets();
    derives_new_secrets_with_a_file();
    gives_the_known_stream();
    follows_its_seed();
    knows_a_file();
    return check_end();
}
