/*
 * Checks that no part of a vector is left in freed memory: every free of our own objects is
 * intercepted and searches for the secret, as a number and as its digits.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "vector/vector.h"
#include "vector/vector_writer.h"

#define DIGITS "4567890123456789012"

static const uint64_t secret = 4567890123456789012;
static unsigned long left_behind;

/* Stored before every block. */
struct block {
    _Alignas(max_align_t) size_t size;
};

void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *p);

void *__wrap_malloc(size_t size)
{
    struct block *b = __real_calloc(1, sizeof *b + size);

    if (!b)
        return NULL;
    b->size = size;
    return b + 1;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return __wrap_malloc(n * size);
}

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = __wrap_malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

void __wrap_free(void *p)
{
    struct block *b = p;

    if (!p)
        return;
    b--;
    left_behind += memmem(p, b->size, &secret, sizeof secret) != NULL;
    left_behind += memmem(p, b->size, DIGITS, strlen(DIGITS)) != NULL;
    __real_free(b);
}

/* Otherwise the other checks would be meaningless. Does not call free by its name, because
 * compilers omit writes before a free that they recognise. */
static void finds_what_is_left(void)
{
    char *p = __wrap_malloc(100);

    memcpy(p + 61, &secret, sizeof secret);
    memcpy(p + 3, DIGITS, strlen(DIGITS));
    __wrap_free(p);
    CHECK(left_behind == 2);
    left_behind = 0;
}

/* Loads and frees, from a file and from a pipe. */
static void load(const void *bytes, size_t n, const char *format, const char *type, int want)
{
    struct hagg_err err = { 0 };
    struct vector v;
    pid_t child;
    int fd;

    CHECK(vector_load(&v, feed_file(bytes, n), format, type, &err) == want);
    vector_free(&v);
    fd = feed_pipe(bytes, n, 4096, &child);
    CHECK(vector_load(&v, feed_path(fd), format, type, &err) == want);
    vector_free(&v);
    close(fd);
    feed_wait(child);
    CHECK(left_behind == 0);
}

/* More than the first buffer for a pipe. */
static void wipes_what_it_read(void)
{
    enum { HEAD = 128, N = 50000 };
    static const char head[] = "\x93NUMPY\x01\0v\0{'descr': '<u8', 'fortran_order': False, "
                               "'shape': (50000,)}";
    static unsigned char file[HEAD + 8 * N + 1];
    static char text[20 * N + 2];

    memset(file, ' ', HEAD);
    memcpy(file, head, sizeof head - 1);
    for (size_t i = 0; i < N; i++) {
        memcpy(file + HEAD + 8 * i, &secret, 8);
        memcpy(text + 20 * i, DIGITS "\n", 20);
    }
    load(file, sizeof file - 1, "npy", NULL, 0);
    load(file, sizeof file, "npy", NULL, -1);
    load(file, sizeof file - 10, "npy", NULL, -1);
    load(file + HEAD, 8 * N, "raw", "u8", 0);
    load(file + HEAD, 8 * N + 1, "raw", "u8", -1);
    load(text, 20 * N, "text", "i8", 0);
    text[20 * N] = 'x';
    load(text, 20 * N + 1, "text", "u8", -1);
    text[20 * N] = '#';
    load(text, 20 * N + 1, "text", "u1", -1);
}

static void wipes_what_it_wrote(void)
{
    static const char *const formats[] = { "npy", "raw", "text" };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < 6; i++) {
        int fd = memfd_create("vector", MFD_CLOEXEC);
        struct vector_writer *w =
            vector_writer_new(fd, "out", formats[i / 2], "u8", (const uint64_t[]){ 1 }, 1, &err);

        CHECK(vector_writer_elems(w, &secret, 1, &err) == 0);
        if (i % 2) /* with or without writing the rest of the buffer */
            CHECK(vector_writer_end(w, &err) == 0);
        vector_writer_free(w);
        CHECK(left_behind == 0);
        close(fd);
    }
}

int main(void)
{
    finds_what_is_left();
    wipes_what_it_read();
    wipes_what_it_wrote();
    return check_end();
}
