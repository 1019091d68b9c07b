#include "share/samples_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "records/input.h"

/* Of a number, with its newline and some leading zeros. */
#define MAX_DIGITS 32

/* Returns false unless the n bytes are a number, with at most one newline after it. */
static bool parse(uint64_t *count, const uint8_t *bytes, size_t n)
{
    if (n > 0 && bytes[n - 1] == '\n')
        n--;
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = bytes[i] - (unsigned)'0';

        if (digit > 9 || *count > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        *count = *count * 10 + digit;
    }
    return n > 0;
}

/* Parses a number on each of n lines. */
static bool parse_lines(uint64_t *counts, size_t n, const uint8_t *bytes, size_t n_bytes)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *end = n_bytes > 0 ? memchr(bytes, '\n', n_bytes) : NULL;
        size_t len = end ? (size_t)(end - bytes) + 1 : n_bytes;

        if (!parse(&counts[i], bytes, len))
            return false;
        bytes += len;
        n_bytes -= len;
    }
    return n_bytes == 0;
}

int samples_file_load_lines(uint64_t *counts, size_t n, const char *path, struct hagg_err *err)
{
    struct input in;
    void *bytes;
    size_t n_bytes;
    int status;

    if (input_open(&in, path, err))
        return -1;
    /* no more than numbers of so many digits, and one byte more */
    status = input_rest(&in, MAX_DIGITS * (uint64_t)n + 1, &bytes, &n_bytes, err);
    if (status == 0) {
        if (!parse_lines(counts, n, bytes, n_bytes))
            status = err_set(err, HAGG_E_MALFORMED,
                             "%s: must contain a number from 0 to %lld for each of the %zu "
                             "clients, each on a line, and nothing else",
                             in.name, (long long)INT64_MAX, n);
        explicit_bzero(bytes, n_bytes);
        free(bytes);
    }
    input_close(&in);
    return status;
}

int samples_file_load(uint64_t *count, const char *path, struct hagg_err *err)
{
    struct input in;
    const uint8_t *bytes;
    size_t n;
    int status;

    if (input_open(&in, path, err))
        return -1;
    /* a file with more bytes than are read ahead is not a number */
    status = input_peek(&in, &bytes, &n, err);
    if (status == 0 && (n == INPUT_AHEAD || !parse(count, bytes, n)))
        status = err_set(err, HAGG_E_MALFORMED,
                         "%s: must contain one number from 0 to %lld and nothing else", in.name,
                         (long long)INT64_MAX);
    input_close(&in);
    return status;
}
