#include "crypto/x25519.h"

#include <stdbool.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "hex.h"
#include "scratch.h"

static struct hagg_err err;

static struct x25519 *pair(const char *private_key)
{
    uint8_t bytes[X25519_BYTES];

    hex_bytes(bytes, private_key);
    return x25519_new(bytes, &err);
}

static bool equal(const uint8_t *bytes, const char *digits)
{
    uint8_t want[X25519_BYTES];

    return hex_bytes(want, digits) == X25519_BYTES && memcmp(bytes, want, X25519_BYTES) == 0;
}

static bool agrees(const char *private_key, const char *public_key, const char *secret)
{
    uint8_t peer[X25519_BYTES], got[X25519_BYTES];
    struct x25519 *k = pair(private_key);
    bool same;

    hex_bytes(peer, public_key);
    same = k && x25519_agree(k, peer, got, &err) == 1 && equal(got, secret);
    x25519_free(k);
    return same;
}

/* RFC 7748, sections 5.2 and 6.1. The second public key has the bit that X25519 ignores. */
static void agrees_with_the_rfc(void)
{
    static const char alice_private[] =
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
    static const char alice_public[] =
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
    static const char bob_private[] =
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
    static const char bob_public[] =
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
    static const char shared[] = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
    struct x25519 *alice = pair(alice_private), *bob = pair(bob_private);

    CHECK(agrees("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                 "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                 "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
    CHECK(agrees("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                 "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                 "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"));
    CHECK(alice && equal(x25519_public(alice), alice_public));
    CHECK(bob && equal(x25519_public(bob), bob_public));
    CHECK(agrees(alice_private, bob_public, shared) && agrees(bob_private, alice_public, shared));
    x25519_free(alice);
    x25519_free(bob);
    x25519_free(NULL);
}

/* The points of low order, and other forms of them: all their secrets are zero. */
static void refuses_public_keys_of_low_order(void)
{
    static const char *const low_order[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    };
    struct x25519 *k = x25519_generate(&err);
    uint8_t peer[X25519_BYTES], secret[X25519_BYTES];
    char text[X25519_TEXT_ROOM];

    if (!CHECK(k != NULL))
        return;
    for (size_t i = 0; i < sizeof low_order / sizeof *low_order; i++) {
        hex_bytes(peer, low_order[i]);
        CHECK(x25519_agree(k, peer, secret, &err) == 0);
        x25519_print(text, peer);
        CHECK(x25519_parse(peer, text) == -1);
    }
    x25519_free(k);
}

/* A second form of a key would be another line of a file of identities, but the same key. */
static void parses_one_form_of_a_key(void)
{
    static const char *const forms[] = {
        "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* 3 + the modulus */
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4eea", /* bit 255 set */
    };
    uint8_t key[X25519_BYTES];
    char text[X25519_TEXT_ROOM];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        hex_bytes(key, forms[i]);
        x25519_print(text, key);
        CHECK(x25519_parse(key, text) == -1);
    }
    hex_bytes(key, "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");
    x25519_print(text, key);
    CHECK(x25519_parse(key, text) == 0);
}

static void draws_different_pairs(void)
{
    struct x25519 *one = x25519_generate(&err), *other = x25519_generate(&err);
    uint8_t secret[X25519_BYTES], same[X25519_BYTES];

    if (!CHECK(one && other))
        return;
    CHECK(memcmp(x25519_public(one), x25519_public(other), X25519_BYTES) != 0);
    CHECK(x25519_agree(one, x25519_public(other), secret, &err) == 1);
    CHECK(x25519_agree(other, x25519_public(one), same, &err) == 1);
    CHECK(memcmp(secret, same, sizeof same) == 0);
    x25519_free(one);
    x25519_free(other);
}

/* Reads a file of at most size bytes. */
static size_t slurp(const char *path, char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, size, f) : 0;

    if (f)
        fclose(f);
    return n;
}

/* Runs a shell command, with the directory of the scratch files as its working directory. */
static bool shell(const char *command)
{
    char line[1024];

    snprintf(line, sizeof line, "cd '%s' && %s", scratch_path("."), command);
    return CHECK(system(line) == 0);
}

static struct x25519 *from_file(const char *path)
{
    char text[8192];
    size_t n = slurp(path, text, sizeof text);

    err = (struct hagg_err){ 0 };
    return x25519_from_pem(text, n, "k.pem", &err);
}

static void reads_a_key_of_openssl(void)
{
    const char *path = scratch_path("openssl.pem"), *public_path = scratch_path("public.der");
    char text[8192], der[64], *again;
    size_t n, n_again;
    struct x25519 *k;

    shell("openssl genpkey -algorithm X25519 -out openssl.pem");
    n = slurp(path, text, sizeof text);
    k = x25519_from_pem(text, n, "k.pem", &err);
    if (!CHECK(k != NULL))
        return;
    /* the public key is the end of its DER form */
    shell("openssl pkey -in openssl.pem -pubout -outform DER -out public.der");
    CHECK(slurp(public_path, der, sizeof der) == 44);
    CHECK(memcmp(der + 12, x25519_public(k), X25519_BYTES) == 0);
    /* what we write is what openssl wrote */
    if (CHECK(x25519_to_pem(k, &again, &n_again, &err) == 0)) {
        CHECK(n_again == n && memcmp(again, text, n) == 0);
        free(again);
    }
    x25519_free(k);
}

static void writes_a_key_for_openssl(void)
{
    struct x25519 *k = x25519_generate(&err), *again;
    const char *path = scratch_path("ours.pem"), *theirs = scratch_path("theirs.pem");
    char *text;
    size_t n;

    if (!CHECK(k != NULL) || !CHECK(x25519_to_pem(k, &text, &n, &err) == 0))
        return;
    scratch_write(path, text, n);
    shell("openssl pkey -in ours.pem -out theirs.pem");
    CHECK(scratch_holds(theirs, text, n));
    again = x25519_from_pem(text, n, "k.pem", &err);
    if (CHECK(again != NULL))
        CHECK(memcmp(x25519_public(k), x25519_public(again), X25519_BYTES) == 0);
    x25519_free(again);
    free(text);
    x25519_free(k);
}

static void refuses_other_keys(void)
{
    static const struct {
        const char *command, *text;
    } other[] = {
        { "openssl genpkey -algorithm ED25519 -out other.pem",
          "k.pem: is not an X25519 key: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X448 -out other.pem",
          "k.pem: is not an X25519 key: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out other.pem 2>/dev/null",
          "k.pem: is not an X25519 key: make one with hagg-keygen --identity" },
        { "openssl ecparam -name prime256v1 -genkey -noout -out other.pem",
          "k.pem: is not an X25519 key: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X25519 | openssl pkey -pubout -out other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X25519 -outform DER -out other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { "echo client 3 AAAA > other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { ": > other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X25519 | head -n 2 > other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X25519 | sed 2s/.$/=/ > other.pem",
          "k.pem: is not a private key in PEM: make one with hagg-keygen --identity" },
        { "openssl genpkey -algorithm X25519 -aes256 -pass pass:open -out other.pem",
          "k.pem: is protected by a pass phrase, which nobody can type in a batch job: remove it "
          "with openssl pkey" },
    };
    const char *path = scratch_path("other.pem");

    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (!shell(other[i].command))
            continue;
        CHECK(from_file(path) == NULL);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, other[i].text);
    }
}

/* Base64 accepts only what printing gives. */
static void parses_what_it_prints(void)
{
    static const char *const wrong[] = {
        "",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo==",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=\n",
        " hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=",
        " hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTm==",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmoA",
        /* the last two bits of the last character are not zero */
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmp=",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmq=",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmr=",
        /* the alphabet for file names */
        "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo=",
        "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066Spjqqb\tmo=",
        "hSDwCYkwp1R0i33=tD73Wg2/Og0mOBr066SpjqqbTmo=",
        "hSDwCYkwp1R0i33-tD73Wg2/Og0mOBr066SpjqqbTmo=",
        "hSDwCYkwp1R0i33\377tD73Wg2/Og0mOBr066SpjqqbTmo=",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d2638",
    };
    static const char right[] = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=";
    char text[X25519_TEXT_ROOM];
    uint8_t bytes[X25519_BYTES];

    CHECK(x25519_parse(bytes, right) == 0);
    CHECK(equal(bytes, "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
    x25519_print(text, bytes);
    CHECK_STR(text, right);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!CHECK(x25519_parse(bytes, wrong[i]) == -1))
            fprintf(stderr, "accepted '%s'\n", wrong[i]);
}

static void reports_missing_memory(void)
{
    struct x25519 *k = x25519_generate(&err);
    char *text = NULL;
    size_t n;

    if (!CHECK(k != NULL))
        return;
    alloc_refuse(0);
    CHECK(x25519_generate(&err) == NULL && err.status == HAGG_E_SYSTEM);
    alloc_refuse(0);
    CHECK(x25519_to_pem(k, &text, &n, &err) == -1 && text == NULL && err.status == HAGG_E_SYSTEM);
    alloc_watch();
    CHECK(x25519_to_pem(k, &text, &n, &err) == 0);
    alloc_refuse(0);
    CHECK(x25519_from_pem(text, n, "k.pem", &err) == NULL && err.status == HAGG_E_SYSTEM);
    alloc_watch();
    free(text);
    x25519_free(k);
}

int main(void)
{
    agrees_with_the_rfc();
    refuses_public_keys_of_low_order();
    parses_one_form_of_a_key();
    draws_different_pairs();
    reads_a_key_of_openssl();
    writes_a_key_for_openssl();
    refuses_other_keys();
    parses_what_it_prints();
    reports_missing_memory();
    return check_end();
}
