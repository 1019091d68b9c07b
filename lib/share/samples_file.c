#include "share/samples_file.h"

#include <stdbool.h>
#include <stddef.h>

#include "records/input.h"

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
