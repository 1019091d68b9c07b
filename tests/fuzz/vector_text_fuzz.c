/*
 * vector_text_fuzz.c - any bytes as text of numbers, for every type. Writing accepted numbers and
 * reading them again must give the same bytes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vector/vector.h"
#include "vector/vector_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parses a copy with room for exactly one more byte. */
static int parse(const void *text, size_t len, const char *type, void **elems, size_t *n)
{
    struct hagg_err err = { 0 };
    char *copy = malloc(len + 1);
    int status;

    if (!copy)
        abort();
    memcpy(copy, text, len);
    status = vector_text_parse(copy, len, type, "f", elems, n, &err);
    if (status ? err.status != HAGG_E_MALFORMED : err.status != HAGG_OK)
        abort();
    free(copy);
    return status;
}

/* A NaN keeps its sign, but other bits of it may change. */
static int is_same(const void *a, const void *b, size_t n, const char *type)
{
    const double *a8 = a, *b8 = b;
    const float *a4 = a, *b4 = b;
    size_t size = vector_type_size(type);

    for (size_t i = 0; i < n; i++) {
        if (strcmp(type, "f8") == 0 && isnan(a8[i]) && isnan(b8[i]))
            continue;
        if (strcmp(type, "f4") == 0 && isnan(a4[i]) && isnan(b4[i]))
            continue;
        if (memcmp((const char *)a + i * size, (const char *)b + i * size, size))
            return 0;
    }
    return 1;
}

static void check_type(const uint8_t *data, size_t size, const char *type)
{
    void *elems, *again;
    char *text;
    size_t n, n_again, done, len;

    if (parse(data, size, type, &elems, &n) == 0) {
        text = malloc((n + 1) * VECTOR_TEXT_LINE);
        if (!text || n > size)
            abort();
        len = vector_text_format(elems, n, type, text, (n + 1) * VECTOR_TEXT_LINE, &done);
        if (done != n || parse(text, len, type, &again, &n_again) < 0 || n_again != n)
            abort();
        if (!is_same(elems, again, n, type))
            abort();
        free(again);
        free(text);
    }
    free(elems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {
        "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        check_type(data, size, types[i]);
    return 0;
}
