/*
 * aead.c - compares AES-256-GCM of lib/crypto with libcrypto's, and with memcpy, on chunks of
 * 64 KiB, as sealed records have them. HAGG_ISA=portable selects libcrypto's in aead_new.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/aead.h"
#include "report.h"
#include "rounds.h"

#define CHUNK_BYTES 65536
#define AAD_BYTES   16

static const uint8_t key[AEAD_KEY_BYTES], nonce[AEAD_NONCE_BYTES], aad[AAD_BYTES];
static uint8_t plain[CHUNK_BYTES], sealed[CHUNK_BYTES + AEAD_TAG_BYTES],
    out[CHUNK_BYTES + AEAD_TAG_BYTES];
static struct hagg_err err;

static void seal(void *a)
{
    if (aead_seal(a, nonce, aad, sizeof aad, plain, sizeof plain, out, &err))
        report_die(&err);
}

static void open_sealed(void *a)
{
    int status = aead_open(a, nonce, aad, sizeof aad, sealed, sizeof plain, out, &err);

    if (status == 0)
        err_set(&err, HAGG_E_MALFORMED, "a sealed chunk is not authentic");
    if (status != 1)
        report_die(&err);
}

static void copy(void *unused)
{
    (void)unused;
    memcpy(out, plain, sizeof plain);
}

static struct aead *new_aead(const char *isa)
{
    struct aead *a;

    if (isa)
        setenv("HAGG_ISA", isa, 1);
    else
        unsetenv("HAGG_ISA");
    a = aead_new(key, &err);
    if (!a)
        report_die(&err);
    return a;
}

static const struct work {
    const char *name;
    void (*run)(void *a);
} works[] = { { "seal", seal }, { "open", open_sealed } };

/* On a processor without VAES all handles use libcrypto, and the ratios to it are 1. */
static void compare(const struct work *work, struct aead *best, struct aead *avx2,
                    struct aead *libcrypto, size_t n_rounds)
{
    struct rounds_side sides[] = { { .run = work->run, .arg = best },
                                   { .run = work->run, .arg = avx2 },
                                   { .run = work->run, .arg = libcrypto },
                                   { .run = copy } };
    struct report_work ours = { &sides[0], CHUNK_BYTES };
    char what[64];

    rounds_run(sides, 4, n_rounds);
    snprintf(what, sizeof what, "%s / libcrypto", work->name);
    report_speed(what, "GB/s", ours, (struct report_work){ &sides[2], CHUNK_BYTES }, 2);
    report_speed("  HAGG_ISA=avx2", "GB/s", (struct report_work){ &sides[1], CHUNK_BYTES },
                 (struct report_work){ &sides[2], CHUNK_BYTES }, 0);
    snprintf(what, sizeof what, "%s / memcpy", work->name);
    report_speed(what, "GB/s", ours, (struct report_work){ &sides[3], CHUNK_BYTES }, 0);
}

int main(int argc, char **argv)
{
    size_t n_rounds = report_args(argc, argv, NULL).quick ? 3 : 21;
    struct aead *best = new_aead(NULL), *avx2 = new_aead("avx2"), *libcrypto = new_aead("portable");

    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = (uint8_t)(i * i >> 3);
    /* by libcrypto, so that opening also compares the results */
    if (aead_seal(libcrypto, nonce, aad, sizeof aad, plain, sizeof plain, sealed, &err))
        report_die(&err);
    report_heading("AES-256-GCM, chunks of 64 KiB");
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        compare(&works[i], best, avx2, libcrypto, n_rounds);
    aead_free(best);
    aead_free(avx2);
    aead_free(libcrypto);
    return 0;
}
