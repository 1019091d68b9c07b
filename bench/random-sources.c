/*
 * random-sources.c - measures the speed of random bytes from the kernel, libsodium and libcrypto.
 *
 *     bench/run sources
 *     cc -O2 -o random-sources bench/random-sources.c -lsodium -lcrypto && ./random-sources
 *
 * Every source fills the same block, which is small enough to stay in the cache, as it does when
 * elements are sampled from it. The sources take turns, so that other work on the machine affects
 * all of them equally. The program prints the median of the turns, by CPU time and by wall-clock
 * time. docs/randomness.md has the last figures and the conclusions.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <openssl/evp.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define BLOCK_BYTES 65536
#define TURNS       15
#define TURN_NS     20000000 /* shortest duration of a turn */

static unsigned char block[BLOCK_BYTES];
static const unsigned char zeros[BLOCK_BYTES];
static unsigned char key[32];

static void die(const char *what)
{
    fprintf(stderr, "random-sources: %s\n", what);
    exit(1);
}

static void from_kernel(EVP_CIPHER_CTX *unused)
{
    (void)unused;
    for (size_t at = 0; at < sizeof block;) {
        ssize_t got = getrandom(block + at, sizeof block - at, 0);

        if (got < 0 && errno != EINTR)
            die("getrandom fails");
        at += got > 0 ? (size_t)got : 0;
    }
}

static void from_sodium(EVP_CIPHER_CTX *unused)
{
    static unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];

    (void)unused;
    nonce[0]++;
    crypto_stream_chacha20(block, sizeof block, nonce, key);
}

static void from_libcrypto(EVP_CIPHER_CTX *cipher)
{
    int made;

    if (EVP_EncryptUpdate(cipher, block, &made, zeros, sizeof zeros) != 1)
        die("libcrypto failed to encrypt");
}

/* As in lib/crypto/random.c: every fourth block begins with a new key, so 256 KiB use one key. */
static void from_libcrypto_rekeyed(EVP_CIPHER_CTX *cipher)
{
    static const unsigned char counter[16];
    static unsigned blocks;
    int made;

    if (blocks++ % 4 == 0 &&
        (EVP_EncryptUpdate(cipher, key, &made, zeros, sizeof key) != 1 ||
         EVP_EncryptInit_ex2(cipher, EVP_aes_256_ctr(), key, counter, NULL) != 1))
        die("libcrypto refused a new key");
    from_libcrypto(cipher);
}

static EVP_CIPHER_CTX *new_cipher(const EVP_CIPHER *type)
{
    static const unsigned char counter[16];
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();

    if (!cipher || EVP_EncryptInit_ex2(cipher, type, key, counter, NULL) != 1)
        die("libcrypto refused a cipher");
    return cipher;
}

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct source {
    const char *name;
    void (*fill)(EVP_CIPHER_CTX *cipher);
    EVP_CIPHER_CTX *cipher;
    double cpu[TURNS], wall[TURNS]; /* GB/s */
};

static void take_turn(struct source *s, int turn)
{
    uint64_t cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID), wall = now_ns(CLOCK_MONOTONIC), took;
    double bytes = 0;

    do {
        s->fill(s->cipher);
        bytes += sizeof block;
        took = now_ns(CLOCK_MONOTONIC) - wall;
    } while (took < TURN_NS);
    s->wall[turn] = bytes / (double)took;
    s->cpu[turn] = bytes / (double)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof *values, compare);
    return values[TURNS / 2];
}

int main(void)
{
    struct source sources[] = {
        { .name = "kernel, getrandom", .fill = from_kernel },
        { .name = "libsodium, ChaCha20", .fill = from_sodium },
        { .name = "libcrypto, ChaCha20", .fill = from_libcrypto },
        { .name = "libcrypto, AES-256-CTR", .fill = from_libcrypto },
        { .name = "libcrypto, AES-256-CTR, rekeyed", .fill = from_libcrypto_rekeyed },
    };
    const size_t n = sizeof sources / sizeof *sources;

    if (sodium_init() < 0)
        die("libsodium failed to start");
    if (getrandom(key, sizeof key, 0) != sizeof key)
        die("getrandom fails");
    sources[2].cipher = new_cipher(EVP_chacha20());
    sources[3].cipher = new_cipher(EVP_aes_256_ctr());
    sources[4].cipher = new_cipher(EVP_aes_256_ctr());
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < n; i++)
            take_turn(&sources[i], turn);
    printf("%-32s %10s %10s\n", "GB/s, median of turns", "CPU", "wall");
    for (size_t i = 0; i < n; i++) {
        printf("%-32s %10.2f %10.2f\n", sources[i].name, median(sources[i].cpu),
               median(sources[i].wall));
        EVP_CIPHER_CTX_free(sources[i].cipher);
    }
    return 0;
}
