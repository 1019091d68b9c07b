#include "alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned long requests, refuse_at = ULONG_MAX;
static size_t total;
static bool refused;

/* Blocks that must be wiped and are in use. */
static size_t wiped_least = SIZE_MAX, wiped_most, wiped_len;
static struct {
    void *block;
    size_t len;
} watched[16];
static int n_wiped;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *p);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *p);

static void start(unsigned long at)
{
    requests = 0;
    refuse_at = at;
    total = 0;
    refused = false;
}

void alloc_watch(void)
{
    start(ULONG_MAX);
}

void alloc_refuse(unsigned long n)
{
    start(n);
}

size_t alloc_bytes(void)
{
    return total;
}

bool alloc_refused(void)
{
    return refused;
}

void alloc_expect_wiped(size_t least, size_t most, size_t len)
{
    wiped_least = least;
    wiped_most = most;
    wiped_len = len;
    n_wiped = 0;
    memset(watched, 0, sizeof watched);
}

int alloc_n_wiped(void)
{
    return n_wiped;
}

/* Returns the index of a watched block, or for NULL that of a free entry. */
static size_t place_of(const void *block)
{
    size_t i = 0;

    while (i < sizeof watched / sizeof *watched - 1 && watched[i].block != block)
        i++;
    return i;
}

static void *watch(void *block, size_t size)
{
    if (block && size >= wiped_least && size <= wiped_most) {
        size_t i = place_of(NULL);

        watched[i].block = block;
        watched[i].len = size < wiped_len ? size : wiped_len;
        /* memory that is never written needs no wiping */
        memset(block, 0, watched[i].len);
    }
    return block;
}

/* More than any machine has. The address sanitizer would end the program. */
#define MOST_BYTES ((size_t)1 << 40)

static size_t times(size_t n, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

static bool grant(size_t size)
{
    if (size > MOST_BYTES) {
        errno = ENOMEM;
        return false;
    }
    if (requests++ == refuse_at) {
        refused = true;
        errno = ENOMEM;
        return false;
    }
    total += size;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return grant(size) ? watch(__real_malloc(size), size) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return grant(times(n, size)) ? __real_calloc(n, size) : NULL;
}

void *__wrap_realloc(void *p, size_t size)
{
    return grant(size) ? __real_realloc(p, size) : NULL;
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
    return grant(times(n, size)) ? __real_reallocarray(p, n, size) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return grant(size) ? watch(__real_aligned_alloc(alignment, size), size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return grant(strlen(text) + 1) ? __real_strdup(text) : NULL;
}

void __wrap_free(void *p)
{
    size_t place = place_of(p);

    if (p && watched[place].block == p) {
        const unsigned char *bytes = p;
        size_t i = 0;

        while (i < watched[place].len && bytes[i] == 0)
            i++;
        n_wiped = n_wiped >= 0 && i == watched[place].len ? n_wiped + 1 : -1;
        watched[place].block = NULL;
    }
    __real_free(p);
}
