#include "records/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/large.h"
#include "infile.h"

/* Initial buffer of input_rest if the size of the input is unknown. */
#define FIRST_BYTES 65536

static size_t smaller(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

int input_open(struct input *in, const char *path, struct hagg_err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    struct stat st;
    off_t at;

    in->name = is_stdin ? "standard input" : path;
    in->at_end = false;
    in->left = 0;
    in->begin = in->end = 0;
    in->fd = infile_open(path, err);
    if (in->fd < 0)
        return -1;
    if (fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode) && (at = lseek(in->fd, 0, SEEK_CUR)) >= 0 &&
        st.st_size > at)
        in->left = (uint64_t)(st.st_size - at);
    return 0;
}

void input_close(struct input *in)
{
    infile_close(in->fd);
    explicit_bzero(in->ahead, sizeof in->ahead);
}

/* Reads n bytes or up to the end, and adds the number of bytes read to *got. */
static int read_fully(struct input *in, uint8_t *to, size_t n, size_t *got, struct hagg_err *err)
{
    while (n > 0 && !in->at_end) {
        ssize_t now = read(in->fd, to, n);

        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return err_errno(err, "%s", in->name);
        in->at_end = now == 0;
        in->left -= smaller(in->left, (uint64_t)now);
        to += now;
        n -= (size_t)now;
        *got += (size_t)now;
    }
    return 0;
}

int input_peek(struct input *in, const uint8_t **bytes, size_t *n, struct hagg_err *err)
{
    memmove(in->ahead, in->ahead + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    if (read_fully(in, in->ahead + in->end, INPUT_AHEAD - in->end, &in->end, err))
        return -1;
    *bytes = in->ahead;
    *n = in->end;
    return 0;
}

int input_read(struct input *in, void *to, size_t n, size_t *got, struct hagg_err *err)
{
    *got = smaller(n, in->end - in->begin);
    memcpy(to, in->ahead + in->begin, *got);
    in->begin += *got;
    return read_fully(in, (uint8_t *)to + *got, n - *got, got, err);
}

int input_at_end(struct input *in, struct hagg_err *err)
{
    const uint8_t *bytes;
    size_t n;

    if (in->begin < in->end)
        return 0;
    if (input_peek(in, &bytes, &n, err))
        return -1;
    return n == 0;
}

/* Not realloc, which would leave the old bytes in freed memory. */
static void *grow(void *bytes, size_t len, size_t capacity)
{
    void *bigger = malloc(capacity + 1);

    if (bigger) {
        memcpy(bigger, bytes, len);
        explicit_bzero(bytes, len);
        free(bytes);
    }
    return bigger;
}

int input_rest(struct input *in, uint64_t max, void **bytes, size_t *got, struct hagg_err *err)
{
    uint64_t expected = in->end - in->begin + in->left;
    size_t limit = smaller(max, PTRDIFF_MAX - 1);
    size_t capacity = smaller(limit, expected > FIRST_BYTES ? expected : FIRST_BYTES);
    uint8_t *data = malloc(capacity + 1);
    size_t len = 0;

    large_hint(data, capacity + 1);
    if (!data)
        return err_errno(err, "%s", in->name);
    for (;;) {
        uint8_t *bigger;
        size_t now;
        int ended;

        if (input_read(in, data + len, capacity - len, &now, err))
            break;
        len += now;
        ended = len == limit ? 1 : input_at_end(in, err);
        if (ended < 0)
            break;
        if (ended) {
            *bytes = data;
            *got = len;
            return 0;
        }
        capacity = smaller(limit, 2 * (uint64_t)capacity);
        bigger = grow(data, len, capacity);
        if (!bigger) {
            err_errno(err, "%s", in->name);
            break;
        }
        data = bigger;
    }
    explicit_bzero(data, len);
    free(data);
    return -1;
}
