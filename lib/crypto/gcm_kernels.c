/*
 * gcm_kernels.c - AES-256-GCM (NIST SP 800-38D), compiled once for each width of vectors.
 *
 * GHASH is computed as POLYVAL (RFC 8452, appendix A): with the bytes of every block reversed, a
 * block is a polynomial over GF(2) modulo x^128 + x^127 + x^126 + x^121 + 1, its lowest bit first,
 * and
 *
 *     GHASH(H, X) = POLYVAL(x H, X),  where a . b = a b x^-128.
 *
 * So products need no shift by one bit, and a reduction is two multiplications by a constant. A
 * group of blocks is multiplied by different powers of x H and reduced once. AES of a group and
 * GHASH of a group are interleaved, so that each uses the cycles in which the other waits.
 */
#include "crypto/gcm.h"
#include "crypto/gcm_vector.h"

#include <string.h>

#define GROUP_VECTORS 8
#define GROUP_BLOCKS  (GROUP_VECTORS * VECTOR_BLOCKS)
#define VECTOR_BYTES  (16 * VECTOR_BLOCKS)
#define GROUP_BYTES   (16 * GROUP_BLOCKS)
#define LAST_ROUND    (GCM_ROUND_KEYS - 1)

_Static_assert(GROUP_BLOCKS <= GCM_POWERS && VECTOR_BLOCKS - 1 <= GCM_PADDING, "too few powers");

/* Prevents the compiler from loading the key before a loop: registers are too few for all of it,
 * and the rest would be copied to the stack. */
#define LOAD_AGAIN(pointer) __asm__("" : "+r"(pointer))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

GCM_INLINE __m128i block_reversal(void)
{
    return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

GCM_INLINE vector reversal(void)
{
    return vector_all(block_reversal());
}

GCM_INLINE vector round_key(const struct gcm_key *k, size_t i)
{
    return vector_all(block_load(k->round[i]));
}

/* Returns the sum of both halves of every block, in both halves. */
GCM_INLINE vector fold(vector a)
{
    return vector_xor(a, vector_swap_halves(a));
}

/* A sum of products before reduction, by Karatsuba: lo + (lo + mi + hi) x^64 + hi x^128 in every
 * block. */
struct sum {
    vector lo, mi, hi;
};

GCM_INLINE struct sum sum_zero(void)
{
    return (struct sum){ vector_zero(), vector_zero(), vector_zero() };
}

/* Adds a b; folded is fold(b). */
GCM_INLINE void sum_add(struct sum *s, vector a, vector b, vector folded)
{
    s->lo = vector_xor(s->lo, vector_multiply(a, b, 0x00));
    s->mi = vector_xor(s->mi, vector_multiply(fold(a), folded, 0x00));
    s->hi = vector_xor(s->hi, vector_multiply(a, b, 0x11));
}

/* Divides by x^128. The lowest 64 bits of a sum become zero when their product with the modulus is
 * added, so the rest can be divided by x^64; this is done twice. */
GCM_INLINE vector sum_reduce(const struct sum *s)
{
    /* the modulus without x^128 and 1, divided by x^64 */
    vector modulus = vector_all(_mm_set_epi64x(0, (long long)0xc200000000000000));
    vector mi = vector_xor3(s->lo, s->mi, s->hi);

    mi = vector_xor3(mi, vector_swap_halves(s->lo), vector_multiply(modulus, s->lo, 0x00));
    return vector_xor3(s->hi, vector_swap_halves(mi), vector_multiply(modulus, mi, 0x00));
}

GCM_INLINE vector product(vector a, vector b)
{
    struct sum s = sum_zero();

    sum_add(&s, a, b, fold(b));
    return sum_reduce(&s);
}

/* Encrypts one block. */
static __m128i encrypt(const struct gcm_key *k, __m128i block)
{
    block = _mm_xor_si128(block, block_load(k->round[0]));
    for (size_t i = 1; i < LAST_ROUND; i++)
        block = _mm_aesenc_si128(block, block_load(k->round[i]));
    return _mm_aesenclast_si128(block, block_load(k->round[LAST_ROUND]));
}

/* FIPS 197, section 5.2. In a block of four equal words, the last round of AES does SubWord, and
 * the addition of the round constant, in all words. */
static void expand_key(struct gcm_key *k, const uint8_t key[32])
{
    const __m128i last = _mm_set1_epi32(0x0f0e0d0c), rotated_last = _mm_set1_epi32(0x0c0f0e0d);
    __m128i before = block_load(key), now = block_load(key + 16), next;

    block_store(k->round[0], before);
    block_store(k->round[1], now);
    for (size_t i = 2; i < GCM_ROUND_KEYS; i++) {
        next = i % 2 == 0 ? _mm_aesenclast_si128(_mm_shuffle_epi8(now, rotated_last),
                                                 _mm_set1_epi32(1 << (i / 2 - 1)))
                          : _mm_aesenclast_si128(_mm_shuffle_epi8(now, last), _mm_setzero_si128());
        before = _mm_xor_si128(before, _mm_slli_si128(before, 4));
        before = _mm_xor_si128(before, _mm_slli_si128(before, 8));
        next = _mm_xor_si128(next, before);
        block_store(k->round[i], next);
        before = now;
        now = next;
    }
}

/* Returns x a. */
static __m128i times_x(__m128i a)
{
    const __m128i modulus = _mm_set_epi64x((long long)0xc200000000000000, 1);
    __m128i overflow = _mm_srai_epi32(_mm_shuffle_epi32(a, 0xff), 31); /* of the highest bit */
    __m128i carry = _mm_slli_si128(_mm_srli_epi64(a, 63), 8);

    a = _mm_or_si128(_mm_slli_epi64(a, 1), carry);
    return _mm_xor_si128(a, _mm_and_si128(overflow, modulus));
}

static void set_key(struct gcm_key *k, const uint8_t key[32])
{
    uint8_t *end = k->power[GCM_POWERS];
    vector h, step, power;

    memset(k, 0, sizeof *k);
    expand_key(k, key);
    h = vector_all(times_x(_mm_shuffle_epi8(encrypt(k, _mm_setzero_si128()), block_reversal())));
    step = h;
    for (size_t i = 1; i < VECTOR_BLOCKS; i++) {
        block_store(end - 16 * i, vector_low(step));
        step = product(step, h);
    }
    block_store(end - VECTOR_BYTES, vector_low(step));
    power = vector_load(end - VECTOR_BYTES);
    for (size_t i = GCM_POWERS; i > GCM_POWERS - GROUP_BLOCKS; i -= VECTOR_BLOCKS) {
        vector_store(k->power[i - VECTOR_BLOCKS], power);
        vector_store(k->folded[i - VECTOR_BLOCKS], fold(power));
        power = product(power, step);
    }
    vector_clear_registers();
}

/* Adds a vector of a group to s; hash is that of everything before the group. */
GCM_INLINE void hash_vector(struct sum *s, const struct gcm_key *k, __m128i hash,
                            const uint8_t *group, size_t i)
{
    vector blocks = vector_shuffle(vector_load(group + i * VECTOR_BYTES), reversal());
    size_t at = GCM_POWERS - GROUP_BLOCKS + i * VECTOR_BLOCKS;

    if (i == 0)
        blocks = vector_xor(blocks, vector_first(hash));
    sum_add(s, blocks, vector_load(k->power[at]), vector_load(k->folded[at]));
}

GCM_INLINE __m128i hash_group(const struct gcm_key *k, __m128i hash, const uint8_t *group)
{
    struct sum s = sum_zero();

    for (size_t i = 0; i < GROUP_VECTORS; i++)
        hash_vector(&s, k, hash, group, i);
    return vector_sum(sum_reduce(&s));
}

/* Returns the next counter blocks and advances the counter, whose bytes are reversed. */
GCM_INLINE vector next_counters(vector *counter)
{
    vector blocks = vector_shuffle(*counter, reversal());

    *counter = vector_add32(*counter, vector_all(_mm_set_epi32(0, 0, 0, VECTOR_BLOCKS)));
    return blocks;
}

/* Encrypts or decrypts a group. At the same time hashes another one, or the same before it is
 * decrypted, unless hashed is NULL. Returns the hash. */
GCM_INLINE __m128i crypt_group(const struct gcm_key *k, vector *counter, const uint8_t *in,
                               uint8_t *out, __m128i hash, const uint8_t *hashed)
{
    struct sum s = sum_zero();
    vector blocks[GROUP_VECTORS], key;

    LOAD_AGAIN(k);
    key = round_key(k, 0);
    UNROLL
    for (size_t i = 0; i < GROUP_VECTORS; i++)
        blocks[i] = vector_xor(next_counters(counter), key);
    UNROLL
    for (size_t r = 1; r < LAST_ROUND; r++) {
        key = round_key(k, r);
        UNROLL
        for (size_t i = 0; i < GROUP_VECTORS; i++)
            blocks[i] = vector_round(blocks[i], key);
        if (hashed && r <= GROUP_VECTORS)
            hash_vector(&s, k, hash, hashed, r - 1);
    }
    key = round_key(k, LAST_ROUND);
    UNROLL
    for (size_t i = 0; i < GROUP_VECTORS; i++)
        vector_store(
            out + i * VECTOR_BYTES,
            vector_last_round(blocks[i], vector_xor(key, vector_load(in + i * VECTOR_BYTES))));
    return hashed ? vector_sum(sum_reduce(&s)) : hash;
}

static __m128i open_groups(const struct gcm_key *k, vector *counter, const uint8_t *in,
                           uint8_t *out, size_t n_groups, __m128i hash)
{
    for (size_t i = 0; i < n_groups; i++, in += GROUP_BYTES, out += GROUP_BYTES)
        hash = crypt_group(k, counter, in, out, hash, in);
    return hash;
}

/* The ciphertext of a group is hashed while the next group is encrypted. */
static __m128i seal_groups(const struct gcm_key *k, vector *counter, const uint8_t *in,
                           uint8_t *out, size_t n_groups, __m128i hash)
{
    if (n_groups == 0)
        return hash;
    hash = crypt_group(k, counter, in, out, hash, NULL);
    for (size_t i = 1; i < n_groups; i++, out += GROUP_BYTES) {
        in += GROUP_BYTES;
        hash = crypt_group(k, counter, in, out + GROUP_BYTES, hash, out);
    }
    return hash_group(k, hash, out);
}

/* Hashes n bytes, filled up with zeros to whole blocks. */
static __m128i hash_bytes(const struct gcm_key *k, __m128i hash, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        size_t now = n < VECTOR_BYTES ? n : VECTOR_BYTES;
        uint8_t buffer[VECTOR_BYTES] = { 0 };
        vector blocks, powers = vector_load(k->power[GCM_POWERS - (now + 15) / 16]);

        memcpy(buffer, bytes, now);
        blocks = vector_shuffle(vector_load(buffer), reversal());
        blocks = vector_xor(blocks, vector_first(hash));
        hash = vector_sum(product(blocks, powers));
        bytes += now;
        n -= now;
    }
    return hash;
}

/* Encrypts or decrypts the bytes after the last whole group. */
static void crypt_rest(const struct gcm_key *k, vector counter, const uint8_t *in, uint8_t *out,
                       size_t n)
{
    uint8_t buffer[VECTOR_BYTES] = { 0 };

    for (size_t at = 0; at < n; at += VECTOR_BYTES) {
        size_t now = n - at < VECTOR_BYTES ? n - at : VECTOR_BYTES;
        vector blocks = vector_xor(next_counters(&counter), round_key(k, 0));

        for (size_t r = 1; r < LAST_ROUND; r++)
            blocks = vector_round(blocks, round_key(k, r));
        memcpy(buffer, in + at, now);
        blocks = vector_last_round(blocks, round_key(k, LAST_ROUND));
        vector_store(buffer, vector_xor(blocks, vector_load(buffer)));
        memcpy(out + at, buffer, now);
    }
    explicit_bzero(buffer, sizeof buffer);
}

/* The counter of the first vector: the first block is 2, because 1 is for the tag. */
static vector first_counters(__m128i first)
{
    vector one = vector_all(_mm_set_epi32(0, 0, 0, 1));
    vector counter = vector_shuffle(vector_all(first), reversal());

    return vector_add32(vector_add32(counter, one), vector_numbers());
}

static __m128i tag_hash(const struct gcm_key *k, const struct gcm_message *m, __m128i hash)
{
    uint8_t lengths[16];
    __m128i bits =
        _mm_set_epi64x((long long)(8 * (uint64_t)m->n_aad), (long long)(8 * (uint64_t)m->n));

    block_store(lengths, _mm_shuffle_epi8(bits, block_reversal()));
    return _mm_shuffle_epi8(hash_bytes(k, hash, lengths, sizeof lengths), block_reversal());
}

static void crypt_message(const struct gcm_key *k, const struct gcm_message *m, bool opening,
                          uint8_t tag[16])
{
    size_t n_groups = m->n / GROUP_BYTES, n_rest = m->n % GROUP_BYTES, at = m->n - n_rest;
    uint8_t first[16] = { [15] = 1 };
    __m128i hash = hash_bytes(k, _mm_setzero_si128(), m->aad, m->n_aad);
    vector counter;

    memcpy(first, m->nonce, 12);
    counter = first_counters(block_load(first));
    hash = opening ? open_groups(k, &counter, m->in, m->out, n_groups, hash)
                   : seal_groups(k, &counter, m->in, m->out, n_groups, hash);
    if (n_rest > 0 && opening)
        hash = hash_bytes(k, hash, m->in + at, n_rest);
    if (n_rest > 0)
        crypt_rest(k, counter, m->in + at, m->out + at, n_rest);
    if (n_rest > 0 && !opening)
        hash = hash_bytes(k, hash, m->out + at, n_rest);
    block_store(tag, _mm_xor_si128(tag_hash(k, m, hash), encrypt(k, block_load(first))));
    vector_clear_registers();
}

const struct gcm GCM_BUILD = { .set_key = set_key, .crypt = crypt_message };
