/*
 * pack.c - compares moving a payload whose elements are packed to ceil(log2 p) bits with moving the
 * same elements in 4 bytes each, as commands do: reading is read of a cached file and XXH3-128,
 * writing is XXH3-128 and write to an empty file. Elements are packed and unpacked on the way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "packed.h"
#include "report.h"
#include "rounds.h"

#define TARGET 1.3

static const unsigned widths[] = { 17, 18, 20, 22, 24, 28 };

enum {
    BLOCK = 1 << 15, /* elements of a call of read or write, a multiple of 8 */
    STAGGER = 1344,  /* so that a load and a store differ in their offset within a page */
};

struct payload {
    const struct packed_kernel *kernel; /* NULL: 4 bytes an element */
    const unsigned char *words;
    unsigned char *block, *unpacked; /* a block in the file, and in memory */
    FILE *file;
    struct digest *digest;
    size_t n;
    unsigned width;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static size_t in_file(const struct payload *p, size_t n)
{
    return p->kernel ? packed_bytes(n, p->width) : 4 * n;
}

static void write_payload(void *arg)
{
    struct payload *p = arg;
    int fd = fileno(p->file);

    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        fail("truncate");
    digest_reset(p->digest);
    for (size_t at = 0, n; at < p->n; at += n) {
        const unsigned char *block = p->words + 4 * at;
        size_t bytes;

        n = p->n - at < BLOCK ? p->n - at : BLOCK;
        bytes = in_file(p, n);
        if (p->kernel) {
            p->kernel->pack(p->block, block, n, p->width);
            block = p->block;
        }
        digest_add(p->digest, block, bytes);
        if (write(fd, block, bytes) != (ssize_t)bytes)
            fail("write");
    }
}

static void read_payload(void *arg)
{
    struct payload *p = arg;
    int fd = fileno(p->file);

    if (lseek(fd, 0, SEEK_SET) != 0)
        fail("seek");
    digest_reset(p->digest);
    for (size_t at = 0, n; at < p->n; at += n) {
        size_t bytes;

        n = p->n - at < BLOCK ? p->n - at : BLOCK;
        bytes = in_file(p, n);
        if (read(fd, p->block, bytes) != (ssize_t)bytes)
            fail("read");
        digest_add(p->digest, p->block, bytes);
        if (p->kernel)
            p->kernel->unpack(p->unpacked, p->block, n, p->width);
    }
}

/* Bit by bit, from the definition in packed.h. */
static int is_packed(const unsigned char *packed, const unsigned char *words, size_t n,
                     unsigned width)
{
    for (size_t bit = 0; bit < packed_bytes(n, width) * 8; bit++) {
        size_t i = bit / width;
        int found = packed[bit / 8] >> bit % 8 & 1;
        int wanted = i < n && words[4 * i + bit % width / 8] >> bit % width % 8 & 1;

        if (found != wanted)
            return 0;
    }
    return 1;
}

/* All widths and lengths, with random words and the largest, at odd addresses; nothing may be
 * written outside. */
static void verify(const struct packed_kernel *kernel)
{
    enum { MOST = 80, GUARD = 0xa5 };
    unsigned char words[4 * MOST + 1], packed[4 * MOST + 2], back[4 * MOST + 2];

    for (unsigned width = 1; width <= kernel->max_width; width++)
        for (size_t n = 0; n <= MOST; n++) {
            size_t bytes = packed_bytes(n, width);

            for (size_t i = 0; i < n; i++) {
                uint32_t x = i % 5 ? (uint32_t)random() : UINT32_MAX;

                x &= (UINT32_C(1) << width) - 1;
                for (size_t b = 0; b < 4; b++)
                    words[1 + 4 * i + b] = (unsigned char)(x >> 8 * b);
            }
            memset(packed, GUARD, sizeof packed);
            memset(back, GUARD, sizeof back);
            kernel->pack(packed + 1, words + 1, n, width);
            kernel->unpack(back + 1, packed + 1, n, width);
            if (!is_packed(packed + 1, words + 1, n, width) ||
                memcmp(back + 1, words + 1, 4 * n) != 0 || packed[0] != GUARD ||
                packed[1 + bytes] != GUARD || back[0] != GUARD || back[1 + 4 * n] != GUARD) {
                fprintf(stderr, "bench: %s is wrong for %zu words of %u bits\n", kernel->name, n,
                        width);
                exit(1);
            }
        }
}

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!memory)
        fail("no memory");
    return memory;
}

static struct payload payload_new(const struct packed_kernel *kernel, const unsigned char *words,
                                  size_t n, unsigned width)
{
    struct payload p = { .kernel = kernel, .words = words, .n = n, .width = width };

    p.block = allocate(8 * BLOCK + STAGGER);
    p.unpacked = p.block + 4 * BLOCK + STAGGER;
    p.digest = digest_new();
    p.file = tmpfile();
    if (!p.digest || !p.file)
        fail("bench");
    return p;
}

static void payload_free(struct payload *p)
{
    free(p->block);
    digest_free(p->digest);
    fclose(p->file);
}

/* The first payload has 4 bytes an element. */
static void compare(struct payload *payloads, size_t n, size_t n_rounds, int reads)
{
    struct rounds_side sides[3];

    for (size_t i = 0; i < n; i++)
        sides[i] = (struct rounds_side){ .run = reads ? read_payload : write_payload,
                                         .arg = &payloads[i],
                                         .n_calls = 1 };
    rounds_run(sides, n, n_rounds);
    for (size_t i = 1; i < n; i++) {
        char what[64];

        snprintf(what, sizeof what, "%s, %u bits, %s", reads ? "read" : "write", payloads[i].width,
                 payloads[i].kernel->name);
        report_time(what, &sides[i], &sides[0], ROUNDS_CPU, TARGET);
    }
}

static void run_width(unsigned width, size_t n, size_t n_rounds)
{
    const struct packed_kernel *best = packed_best(width);
    size_t n_payloads = best == &packed_scalar ? 2 : 3;
    unsigned char *words = allocate(4 * n);
    struct payload payloads[3];

    for (size_t i = 0; i < n; i++) {
        uint32_t x = (uint32_t)random() & ((UINT32_C(1) << width) - 1);

        for (size_t b = 0; b < 4; b++)
            words[4 * i + b] = (unsigned char)(x >> 8 * b);
    }
    payloads[0] = payload_new(NULL, words, n, width);
    payloads[1] = payload_new(&packed_scalar, words, n, width);
    if (n_payloads == 3)
        payloads[2] = payload_new(best, words, n, width);
    for (int reads = 0; reads < 2; reads++)
        compare(payloads, n_payloads, n_rounds, reads);
    for (size_t i = 0; i < n_payloads; i++)
        payload_free(&payloads[i]);
    free(words);
}

int main(int argc, char **argv)
{
    int quick = report_args(argc, argv, NULL).quick;

    verify(&packed_scalar);
    verify(packed_best(1));
    report_heading("moving packed elements / 4 bytes each");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        run_width(widths[i], quick ? 100000 : 10000000, quick ? 3 : 21);
    return 0;
}
