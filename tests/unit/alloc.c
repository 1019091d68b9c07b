#include "alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned long requests, refuse_at = ULONG_MAX;
static size_t total;
static bool refused;

/* Blocks that must be wiped, those of them that are in use. */
static size_t wiped_size, wiped_len;
static void *watched[16];
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

void alloc_expect_wiped(size_t size, size_t len)
{
    wiped_size = size;
    wiped_len = len;
    n_wiped = 0;
    memset(watched, 0, sizeof watched);
}

int alloc_n_wiped(void)
{
    return n_wiped;
}

/* Where a block is watched, or where there is room for one more (p is NULL then). */
static void **place_of(const void *p)
{
    size_t i = 0;

    while (i < sizeof watched / sizeof *watched - 1 && watched[i] != p)
        i++;
    return &watched[i];
}

static void *watch(void *p, size_t size)
{
    if (p && size == wiped_size)
        *place_of(NULL) = p;
    return p;
}

/* What no machine has. The address sanitizer would end the program. */
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
    void **place = place_of(p);

    if (p && *place == p) {
        const unsigned char *bytes = p;
        size_t i = 0;

        while (i < wiped_len && bytes[i] == 0)
            i++;
        n_wiped = n_wiped >= 0 && i == wiped_len ? n_wiped + 1 : -1;
        *place = NULL;
    }
    __real_free(p);
}
