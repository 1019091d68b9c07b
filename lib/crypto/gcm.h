/*
 * gcm.h - AES-256-GCM with the wide AES and carry-less multiplication instructions of x86-64, for
 * aead.c only. docs/sealing-speed.md explains why libcrypto is not enough.
 */
#ifndef HAGG_GCM_H
#define HAGG_GCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GCM_ROUND_KEYS 15
#define GCM_POWERS     32 /* blocks that are multiplied before one reduction */
#define GCM_PADDING    3  /* so that a vector of four blocks can be loaded at the last power */

/* All of it is secret. */
struct gcm_key {
    /* power[i] is H^(GCM_POWERS - i) in the form of gcm_kernels.c, followed by padding */
    _Alignas(64) uint8_t power[GCM_POWERS + GCM_PADDING][16];
    /* the sum of both halves of each power, in both halves */
    _Alignas(64) uint8_t folded[GCM_POWERS][16];
    uint8_t round[GCM_ROUND_KEYS][16];
};

struct gcm_message {
    const uint8_t *nonce; /* 12 bytes */
    const uint8_t *aad;
    size_t n_aad;
    const uint8_t *in;
    uint8_t *out; /* equal to in, or not overlapping */
    size_t n;     /* at most 2^36 - 32 */
};

/* One build of the functions. */
struct gcm {
    void (*set_key)(struct gcm_key *k, const uint8_t key[32]);
    /* Encrypts from in to out, or decrypts if opening, and computes the tag of the ciphertext. */
    void (*crypt)(const struct gcm_key *k, const struct gcm_message *m, bool opening,
                  uint8_t tag[16]);
};

/* Returns the fastest build for this processor and HAGG_ISA (hagg/cpu.h); NULL if there is none. */
const struct gcm *gcm_build(void);

#endif
