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

int main(void)
{
    gives_the_known_stream();
    follows_its_seed();
    knows_a_file();
    return check_end();
}
