#include "crypto/random.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>
#include <xxhash.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "hex.h"

#define CHUNK 262144

/* First bytes of the key stream with the key 00 01 02 ... 1f. */
#define FIRST_BYTES "f29000b62a499fd0a9f39a6add2e7780f05d76ae4ab99fe5a6f69b3148c2363d"

/* The simulated answer of the kernel: its own, or the bytes 0, 1, 2, ... after some signals, or an
 * error. */
static bool kernel_is_fixed;
static int kernel_errno, kernel_signals;
static size_t kernel_bytes_given;

ssize_t __real_getrandom(void *out, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags);

ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags)
{
    unsigned char *to = out;

    if (kernel_signals > 0) {
        kernel_signals--;
        errno = EINTR;
        return -1;
    }
    if (kernel_errno) {
        errno = kernel_errno;
        return -1;
    }
    if (!kernel_is_fixed)
        return __real_getrandom(out, n, flags);
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)i;
    kernel_bytes_given += n;
    return (ssize_t)n;
}

/* Returns a generator with the key 00 01 02 ... 1f. */
static struct random *fixed(void)
{
    struct hagg_err err = { 0 };
    struct random *r;

    kernel_is_fixed = true;
    r = random_new(&err);
    kernel_is_fixed = false;
    if (!r) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return r;
}

/* The output of openssl enc -aes-256-ctr for zeros with that key, then with the 32 bytes after the
 * first 256 KiB as the key, and so on. */
static void gives_the_known_stream(void)
{
    enum { LEN = 4 * CHUNK + 12345 };
    static const struct {
        size_t at;
        const char *hex;
    } known[] = {
        { 0, FIRST_BYTES },
        { CHUNK - 16, "81e54af74b752d44ad9aff68ba74a8a12257ee2ae4db3c89d03fc2bae3facb5d" },
        { 2 * CHUNK - 16, "41e44be5cced1a751c65075c65c770a13a28b93f4be43e80409e1f51e3cae63b" },
        { 3 * CHUNK - 16, "8926d2ea0a1fe13284f930a55b274a67fcdd51b582c03bf7cc96096723718675" },
    };
    unsigned char *out = malloc(LEN), want[32];
    struct hagg_err err = { 0 };
    struct random *r = fixed();

    CHECK(random_bytes(r, out, LEN, &err) == 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK(hex_bytes(want, known[i].hex) == 32);
        CHECK(memcmp(out + known[i].at, want, 32) == 0);
    }
    CHECK(XXH3_64bits(out, LEN) == 0xb2f74aeb5e3a4c7f);
    random_free(r);
    free(out);
}

/* The same bytes in pieces of any size, across the changes of the key. */
static void does_not_depend_on_how_it_is_asked(void)
{
    static const size_t pieces[] = { 1,     7,     16,        31,    4096,     65535,
                                     65536, 65537, CHUNK - 1, CHUNK, CHUNK + 1 };
    enum { LEN = 3 * CHUNK + 100 };
    unsigned char *want = malloc(LEN), *got = malloc(LEN);
    struct hagg_err err = { 0 };
    struct random *r = fixed();

    CHECK(random_bytes(r, want, LEN, &err) == 0);
    random_free(r);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        /* single bytes only around the first change of the key, because they are slow */
        size_t start = pieces[i] < 4096 ? CHUNK - 3000 : 0,
               end = pieces[i] < 4096 ? CHUNK + 3000 : LEN;
        int failed = 0;

        r = fixed();
        CHECK(random_bytes(r, got, start, &err) == 0);
        for (size_t at = start; at < end; at += pieces[i])
            failed |= random_bytes(r, got + at, end - at < pieces[i] ? end - at : pieces[i], &err);
        CHECK(failed == 0 && memcmp(got, want, end) == 0);
        random_free(r);
    }
    r = fixed();
    CHECK(random_bytes(r, NULL, 0, &err) == 0);
    CHECK(random_bytes(r, got, 100, &err) == 0 && memcmp(got, want, 100) == 0);
    random_free(r);
    free(got);
    free(want);
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 16);
}

/* No block of 16 bytes occurs twice within five keys; all would if a counter or a key were used
 * again. And there are as many ones as zeros, within six standard deviations. */
static void does_not_repeat(void)
{
    enum { LEN = 5 * CHUNK };
    unsigned char *out = malloc(LEN);
    struct hagg_err err = { 0 };
    struct random *r = random_new(&err);
    size_t n_equal = 0, n_ones = 0;

    CHECK(r && random_bytes(r, out, LEN, &err) == 0);
    for (size_t i = 0; i < LEN; i++)
        n_ones += (size_t)__builtin_popcount(out[i]);
    CHECK(n_ones > 4ul * LEN - 9716 && n_ones < 4ul * LEN + 9716);
    qsort(out, LEN / 16, 16, compare);
    for (size_t i = 16; i < LEN; i += 16)
        n_equal += memcmp(out + i - 16, out + i, 16) == 0;
    CHECK(n_equal == 0);
    random_free(r);
    free(out);
}

static void differs_every_time(void)
{
    unsigned char out[8][64];
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < 8; i++) {
        struct random *r = random_new(&err);

        CHECK(r && random_bytes(r, out[i], 64, &err) == 0);
        random_free(r);
        for (size_t j = 0; j < i; j++)
            CHECK(memcmp(out[i], out[j], 64) != 0);
    }
}

/* A generator requests 32 bytes, however much it outputs, and signals are ignored. */
static void asks_the_kernel_for_a_key(void)
{
    unsigned char out[64], want[64];
    struct hagg_err err = { 0 };
    struct random *r;

    kernel_bytes_given = 0;
    r = fixed();
    CHECK(kernel_bytes_given == 32);
    CHECK(random_bytes(r, want, 64, &err) == 0);
    random_free(r);
    kernel_signals = 3;
    r = fixed();
    CHECK(kernel_signals == 0);
    CHECK(random_bytes(r, out, 64, &err) == 0 && memcmp(out, want, 64) == 0);
    random_free(r);
    kernel_errno = ENOSYS;
    CHECK(random_new(&err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "cannot get random bytes from the kernel: Function not implemented");
    kernel_errno = 0;
    random_free(NULL);
}

/* Returns exactly the bytes of the file, in order, and then an error. */
static void takes_a_file_as_it_is(void)
{
    unsigned char bytes[1000], out[1000];
    struct hagg_err err = { 0 };
    struct random *r;
    const char *path;
    char want[200];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t piece = 1; piece < 400; piece += 37) {
        int failed = 0;

        path = feed_file(bytes, sizeof bytes);
        r = random_open(path, &err);
        for (size_t at = 0; at < sizeof bytes; at += piece)
            failed |= random_bytes(r, out + at,
                                   sizeof bytes - at < piece ? sizeof bytes - at : piece, &err);
        CHECK(failed == 0 && memcmp(out, bytes, sizeof bytes) == 0);
        CHECK(random_bytes(r, out, 0, &err) == 0);
        err = (struct hagg_err){ 0 };
        CHECK(random_bytes(r, out, 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
        snprintf(want, sizeof want, "%s: ends too early: give a random source with more bytes",
                 path);
        CHECK_STR(err.text, want);
        random_free(r);
    }
    /* a request for one byte too many */
    r = random_open(feed_file(bytes, 10), &err);
    CHECK(random_bytes(r, out, 11, &err) == -1 && err.status == HAGG_E_SYSTEM);
    random_free(r);
    r = random_open("/dev/null", &err);
    CHECK(random_bytes(r, out, 1, &err) == -1);
    CHECK_STR(err.text, "/dev/null: ends too early: give a random source with more bytes");
    random_free(r);
}

/* Bytes that are not requested stay in the pipe. */
static void takes_no_more_than_is_asked_for(void)
{
    static const size_t asked[] = { 1, 3, 16, 100, 4000, 5000, 9000 };
    unsigned char bytes[32768], out[9000];
    struct hagg_err err = { 0 };
    size_t done = 0;
    struct random *r;
    int ends[2], left;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 31 + i / 251);
    CHECK(pipe(ends) == 0 && write(ends[1], bytes, sizeof bytes) == (ssize_t)sizeof bytes);
    r = random_open(feed_path(ends[0]), &err);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        CHECK(random_bytes(r, out, asked[i], &err) == 0);
        CHECK(memcmp(out, bytes + done, asked[i]) == 0);
        done += asked[i];
        CHECK(ioctl(ends[0], FIONREAD, &left) == 0 && (size_t)left == sizeof bytes - done);
    }
    close(ends[1]);
    random_free(r);
    close(ends[0]);
}

/* A pipe that delivers one byte at a time works like a file. */
static void takes_a_slow_pipe(void)
{
    unsigned char bytes[500], out[500];
    struct hagg_err err = { 0 };
    struct random *r;
    pid_t child;
    int fd;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(255 - i % 256);
    fd = feed_pipe(bytes, sizeof bytes, 1, &child);
    r = random_open(feed_path(fd), &err);
    CHECK(random_bytes(r, out, 499, &err) == 0 && memcmp(out, bytes, 499) == 0);
    CHECK(random_bytes(r, out, 2, &err) == -1 && err.status == HAGG_E_SYSTEM);
    random_free(r);
    close(fd);
    feed_wait(child);
}

static void closes_its_file(void)
{
    struct hagg_err err = { 0 };
    int before = dup(STDERR_FILENO), after;

    close(before);
    random_free(random_open("/dev/zero", &err));
    after = dup(STDERR_FILENO);
    CHECK(before >= 0 && after == before);
    close(after);
}

/* With a given key the bytes are those of openssl; and random_is_file is false. */
static void can_be_seeded(void)
{
    unsigned char seed[RANDOM_SEED_BYTES], out[32], want[32];
    struct hagg_err err = { 0 };
    struct random *r;

    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (unsigned char)i;
    r = random_seeded(seed, &err);
    hex_bytes(want, FIRST_BYTES);
    CHECK(r && random_bytes(r, out, 32, &err) == 0 && memcmp(out, want, 32) == 0);
    CHECK(!random_is_file(r));
    random_free(r);
    r = random_open("/dev/zero", &err);
    CHECK(random_is_file(r));
    random_free(r);
}

static void reports_the_system(void)
{
    struct hagg_err err = { 0 };
    unsigned char out[1];
    struct random *r;

    CHECK(random_open("/nonexistent/file", &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nonexistent/file: No such file or directory");
    r = random_open("/", &err);
    CHECK(r == NULL || random_bytes(r, out, 1, &err) == -1);
    CHECK_STR(err.text, "/: is a directory: name a file in it");
    random_free(r);
    /* "-" is a file name, not standard input */
    CHECK(random_open("-", &err) == NULL);
    CHECK_STR(err.text, "-: No such file or directory");
}

static void fails_cleanly_without_memory(void)
{
    struct hagg_err err = { 0 };

    alloc_refuse(0);
    CHECK(random_new(&err) == NULL && err.status == HAGG_E_SYSTEM);
    for (unsigned long at = 0; at < 2; at++) {
        alloc_refuse(at);
        err = (struct hagg_err){ 0 };
        CHECK(random_open("/dev/zero", &err) == NULL && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "/dev/zero: Cannot allocate memory");
    }
    alloc_watch();
}

static bool is_hex(const unsigned char *bytes, const char *digits)
{
    uint8_t want[32];

    return memcmp(bytes, want, hex_bytes(want, digits)) == 0;
}

/* The key stays, and any counter block n || 0 can be the first. By openssl(1):
 * openssl enc -aes-256-ctr -K KEY -iv COUNTER on zeros. */
static void streams_from_any_counter(void)
{
    static unsigned char bytes[CHUNK + 16];
    unsigned char key[RANDOM_SEED_BYTES];
    struct hagg_err err = { 0 };
    struct random *r;

    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)i;
    r = random_stream(key, &err);
    CHECK(r != NULL);
    for (int again = 0; again < 2; again++) {
        CHECK(random_bytes(r, bytes, sizeof bytes, &err) == 0);
        CHECK(is_hex(bytes, FIRST_BYTES));
        CHECK(is_hex(bytes + CHUNK, "2ba7a8c042b23fb08bf680b7a0d10a80"));
        CHECK(random_at(r, 0x0102030405060708, &err) == 0);
        CHECK(random_bytes(r, bytes, 16, &err) == 0);
        CHECK(is_hex(bytes, "65627bd127f455618ff9d0f081df2db4"));
        CHECK(random_at(r, 0, &err) == 0);
    }
    random_free(r);
}

int main(void)
{
    gives_the_known_stream();
    does_not_depend_on_how_it_is_asked();
    does_not_repeat();
    differs_every_time();
    asks_the_kernel_for_a_key();
    takes_a_file_as_it_is();
    takes_no_more_than_is_asked_for();
    takes_a_slow_pipe();
    closes_its_file();
    can_be_seeded();
    streams_from_any_counter();
    reports_the_system();
    fails_cleanly_without_memory();
    return check_end();
}
