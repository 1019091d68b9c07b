/* The writer with a sealer: the bytes of sealed records, against records put together by hand. */
#include "writer.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"
#include "toy_seal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST = 200000 };

static uint8_t plain[MOST];
static struct header header;
static bool quick;

/* Compares the content behind fd. */
static bool holds(int fd, const void *want, size_t n_want)
{
    size_t n;
    unsigned char *got = feed_content(feed_path(fd), &n);
    bool same = n == n_want && memcmp(got, want, n) == 0;

    free(got);
    return same;
}

static int write_record(struct writer *w, size_t width, size_t n_bytes, size_t piece,
                        struct hagg_err *err)
{
    size_t n_elems = n_bytes / width;

    if (writer_begin(w, &header, width, n_elems, err))
        return -1;
    for (size_t at = 0; at < n_elems; at += piece)
        if (writer_elems(w, plain + at * width, piece < n_elems - at ? piece : n_elems - at, err))
            return -1;
    return writer_end(w, err);
}

/* Two records after each other, to a file or collected in memory first. */
static void check_pieces(size_t width, size_t n_bytes, size_t piece, bool in_memory)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *file = writer_new(fd, "out", &err), *w = file;
    struct toy_sealer toy;
    uint8_t *want, *twice;
    size_t n;
    bool right = true;

    toy_seal_sealer(&toy);
    if (in_memory)
        w = writer_new_memory("out", &err);
    want = toy_seal_record(sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, (unsigned)width,
                           plain, n_bytes, &n);
    twice = malloc(2 * n);
    memcpy(twice, want, n);
    memcpy(twice + n, want, n);
    writer_set_sealer(w, &toy.base, NULL);
    for (int i = 0; i < 2; i++) {
        right &= write_record(w, width, n_bytes, piece, &err) == 0;
        right &= writer_size(w) == n;
    }
    if (in_memory) {
        right &= writer_collected(w) == 2 * n && writer_move(file, w, &err) == 0;
        right &= writer_flush(file, &err) == 0;
        writer_free(w);
    }
    right &= holds(fd, twice, 2 * n);
    right &= toy.head.width == width && toy.head.n_bytes == n_bytes;
    right &= toy.log.n_freed == 2 && toy.log.n_bytes == 2 * n_bytes && toy.log.last;
    if (!CHECK(right))
        fprintf(stderr, "%zu bytes of width %zu in pieces of %zu elements\n", n_bytes, width,
                piece);
    writer_free(file);
    free(twice);
    free(want);
    close(fd);
}

static void writes_the_same_in_any_pieces(void)
{
    static const size_t totals[] = { 0,      8,      65528,  65536,  65544,
                                     131064, 131072, 131080, 196608, 200000 };
    static const size_t pieces[] = { 1, 7, 1000, 8191, 8192, 8193, 16384, 16385, 24576, 200000 };
    static const size_t widths[] = { 1, 2, 4, 8 };

    for (size_t t = 0; t < COUNT(totals); t++)
        for (size_t p = 0; p < COUNT(pieces); p += quick ? 3 : 1)
            for (size_t i = 0; i < COUNT(widths); i += quick ? 3 : 1)
                if (totals[t] / widths[i] / pieces[p] < 20000)
                    check_pieces(widths[i], totals[t], pieces[p], (t + p + i) % 2);
    for (size_t n = 0; n < 40; n++)
        for (size_t piece = 1; piece <= n + 1; piece++)
            check_pieces(1, n, piece, n % 2);
}

/* A record that the sealer leaves alone is written as without a sealer. */
static void leaves_others_unsealed(void)
{
    static const uint8_t elements[] = { 1, 0, 0,    0,    2,    0,    0, 0, 3, 0,
                                        0, 0, 0xfe, 0xff, 0xff, 0x7f, 0, 0, 0, 0 };
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out", &err);
    struct toy_sealer toy;
    uint8_t *want, *all;
    size_t n;

    toy_seal_sealer(&toy);
    want = toy_seal_record(sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, 4, plain, 20, &n);
    all = malloc(2 * SAMPLE_SHARE_BYTES + n);
    memcpy(all, sample_share, SAMPLE_SHARE_BYTES);
    memcpy(all + SAMPLE_SHARE_BYTES, want, n);
    memcpy(all + SAMPLE_SHARE_BYTES + n, sample_share, SAMPLE_SHARE_BYTES);
    toy.leave = true;
    writer_set_sealer(w, &toy.base, NULL);
    CHECK(writer_begin(w, &header, 4, 5, &err) == 0 && writer_elems(w, elements, 5, &err) == 0);
    CHECK(writer_end(w, &err) == 0 && writer_size(w) == SAMPLE_SHARE_BYTES);
    toy.leave = false;
    CHECK(write_record(w, 4, 20, 2, &err) == 0);
    writer_set_sealer(w, NULL, NULL);
    CHECK(writer_begin(w, &header, 4, 5, &err) == 0 && writer_elems(w, elements, 5, &err) == 0);
    CHECK(writer_end(w, &err) == 0);
    CHECK(holds(fd, all, 2 * SAMPLE_SHARE_BYTES + n));
    writer_free(w);
    free(all);
    free(want);
    close(fd);
}

static void passes_on_the_seed(void)
{
    static const uint8_t seed[SEAL_SEED_BYTES] = { 1, 2, 3 };
    struct hagg_err err = { 0 };
    struct writer *w = writer_new_memory("out", &err);
    struct toy_sealer toy;

    toy_seal_sealer(&toy);
    writer_set_sealer(w, &toy.base, seed);
    CHECK(write_record(w, 1, 20, 20, &err) == 0 && toy.seed == seed);
    writer_set_sealer(w, &toy.base, NULL);
    CHECK(write_record(w, 1, 20, 20, &err) == 0 && toy.seed == NULL);
    writer_free(w);
}

/* Nothing of a record that must not be written is in the file, not even its header. */
static void writes_nothing_if_refused(void)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out.cbor", &err);
    struct toy_sealer toy;

    toy_seal_sealer(&toy);
    toy.refuse = "cannot be sealed";
    writer_set_sealer(w, &toy.base, NULL);
    CHECK(writer_begin(w, &header, 4, 5, &err) == -1 && err.status == HAGG_E_PRIVACY);
    CHECK_STR(err.text, "out.cbor: cannot be sealed");
    CHECK(writer_flush(w, &err) == 0 && holds(fd, "", 0));
    writer_free(w);
    close(fd);
}

/* A chunk that cannot be sealed ends the record. The file has no byte of its elements. */
static void stops_at_a_chunk_that_fails(void)
{
    for (uint64_t k = 1; k <= 4; k++) {
        int fd = memfd_create("out", MFD_CLOEXEC);
        struct hagg_err err = { 0 };
        struct writer *w = writer_new(fd, "out", &err);
        struct toy_sealer toy;
        unsigned char *got;
        size_t n;

        toy_seal_sealer(&toy);
        toy.log.fail_at = k;
        toy.log.fail_with = -1;
        writer_set_sealer(w, &toy.base, NULL);
        CHECK(write_record(w, 1, MOST, 1000, &err) == -1 && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "the toy is broken");
        CHECK(writer_flush(w, &err) == 0);
        writer_free(w);
        CHECK(toy.log.n_freed == 1);
        got = feed_content(feed_path(fd), &n);
        CHECK(n < SAMPLE_SHARE_BYTES + 100 + k * 65552);
        for (size_t chunk = 0; chunk < 4; chunk++)
            CHECK(memmem(got, n, plain + chunk * 65536, 32) == NULL);
        free(got);
        close(fd);
    }
}

/* The buffer of a chunk has elements until it is sealed. It is wiped at the end of a record, and if
 * the record stays incomplete. */
static void wipes_the_chunk(void)
{
    struct hagg_err err = { 0 };
    struct writer *w = writer_new_memory("out", &err);
    struct toy_sealer toy;

    toy_seal_sealer(&toy);
    writer_set_sealer(w, &toy.base, NULL);
    alloc_expect_wiped(65552, 65552, 65536);
    CHECK(write_record(w, 1, 70000, 333, &err) == 0 && alloc_n_wiped() == 1);
    CHECK(writer_begin(w, &header, 1, 70000, &err) == 0);
    CHECK(writer_elems(w, plain, 50000, &err) == 0 && alloc_n_wiped() == 1);
    writer_free(w);
    CHECK(alloc_n_wiped() == 2 && toy.log.n_freed == 2);
    alloc_expect_wiped(SIZE_MAX, 0, 0);
}

static void reports_missing_memory(void)
{
    unsigned long at = 0;

    for (bool refused = true; refused; at++) {
        int fd = memfd_create("out", MFD_CLOEXEC);
        struct hagg_err err = { 0 };
        struct writer *w = writer_new(fd, "out", &err);
        struct toy_sealer toy;
        int status;

        toy_seal_sealer(&toy);
        writer_set_sealer(w, &toy.base, NULL);
        alloc_refuse(at);
        status = write_record(w, 1, 70000, 10000, &err);
        refused = alloc_refused();
        alloc_watch();
        CHECK(status == (refused ? -1 : 0));
        CHECK(refused ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
        CHECK(writer_flush(w, &err) == 0 && (!refused || holds(fd, "", 0)));
        writer_free(w);
        CHECK(toy.log.n_freed == (at > 0));
        close(fd);
    }
    CHECK(at >= 4); /* the seal, its chunk, and the header */
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    for (size_t i = 0; i < MOST; i++)
        plain[i] = (uint8_t)(i * 73 + i / 253 + (i >> 16));
    sample_share_header(&header);
    writes_the_same_in_any_pieces();
    leaves_others_unsealed();
    passes_on_the_seed();
    writes_nothing_if_refused();
    stops_at_a_chunk_that_fails();
    wipes_the_chunk();
    reports_missing_memory();
    header_clear(&header);
    return check_end();
}
