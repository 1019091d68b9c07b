/*
 * reader_fuzz.c - the reader on any stream: from a file in blocks of odd sizes, and from a pipe
 * with every payload skipped. Both must have the same result, and the writer must write accepted
 * records as the same bytes. Sealed records open with a seal that accepts every chunk, and are also
 * copied unopened.
 */
#include <string.h>

#include "fuzz_io.h"
#include "pass_seal.h"
#include "reader.h"
#include "writer.h"

/* Less than the capacity of a pipe, which is filled before it is read. */
#define PIPE_BYTES 32768

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns a descriptor from which the bytes can be read. */
static int input(const uint8_t *data, size_t size, int as_pipe)
{
    int ends[2];

    if (!as_pipe) {
        ends[0] = new_memfd();
        write_all(ends[0], data, size);
        return ends[0];
    }
    if (pipe(ends) < 0)
        abort();
    write_all(ends[1], data, size);
    close(ends[1]);
    return ends[0];
}

/* Copies the payload, in blocks whose sizes depend only on the record. Returns -1 if it is
 * refused. */
static int copy_payload(struct reader *r, struct writer *w, struct hagg_err *err)
{
    static const size_t blocks[] = { 1, 7, 64, 3, 509 };
    uint8_t block[509 * 8];
    uint64_t total = 0;
    size_t n;

    for (size_t i = reader_n_elems(r) % 5;; i = (i + 1) % 5) {
        if (reader_read(r, block, blocks[i], &n, err) < 0)
            return -1;
        total += n;
        if (n > blocks[i] || writer_elems(w, block, n, err) < 0)
            abort();
        if (n == 0)
            break;
        if (n < blocks[i] && total != reader_n_elems(r))
            abort();
    }
    if (total != reader_n_elems(r))
        abort();
    return 0;
}

/* Writes all accepted records to fd, whose position is then their end. Returns the last result of
 * the reader, 0 or -1. */
static int copy_records(struct reader *r, struct pass_seal *pass, int fd, struct hagg_err *err)
{
    struct writer *w = writer_new(fd, "copy", err);
    int more;

    if (!w)
        abort();
    writer_set_sealer(w, &pass->sealer, NULL);
    while ((more = reader_next(r, err)) > 0) {
        if (writer_begin(w, reader_header(r), reader_elem_size(r), reader_n_elems(r), err) < 0)
            abort();
        if ((more = copy_payload(r, w, err)) < 0)
            break;
        if (writer_end(w, err) < 0)
            abort();
    }
    writer_free(w);
    return more;
}

/* Copies the chunks of a sealed record, as they are. Returns -1 if it is refused. */
static int copy_chunks(struct reader *r, struct writer *w, struct hagg_err *err)
{
    uint8_t block[509];
    uint64_t left = seal_length(reader_seal(r)->n_bytes);
    size_t n;

    if (writer_begin_closed(w, reader_header(r), reader_seal(r), err) < 0)
        abort();
    do {
        if (reader_read_closed(r, block, sizeof block, &n, err) < 0)
            return -1;
        if (n > left || (n < sizeof block && n != left) || writer_elems(w, block, n, err) < 0)
            abort();
        left -= n;
    } while (n > 0);
    return 0;
}

/* The same for all records, without opening any. */
static int copy_closed(struct reader *r, struct pass_seal *pass, int fd, struct hagg_err *err)
{
    struct writer *w = writer_new(fd, "copy", err);
    int more;

    (void)pass;
    if (!w)
        abort();
    while ((more = reader_next(r, err)) > 0) {
        if (!reader_seal(r) &&
            writer_begin(w, reader_header(r), reader_elem_size(r), reader_n_elems(r), err) < 0)
            abort();
        if ((more = reader_seal(r) ? copy_chunks(r, w, err) : copy_payload(r, w, err)) < 0)
            break;
        if (writer_end(w, err) < 0)
            abort();
    }
    writer_free(w);
    return more;
}

/* Reads no payload, so that reader_next skips them. */
static int skip_records(struct reader *r, struct pass_seal *pass, int fd, struct hagg_err *err)
{
    int more;

    (void)pass;
    (void)fd;
    while ((more = reader_next(r, err)) > 0)
        continue;
    return more;
}

/* Reads the stream in one of these ways. The result and its error must be consistent. */
static int read_stream(const uint8_t *data, size_t size, int as_pipe, int out,
                       int (*records)(struct reader *, struct pass_seal *, int, struct hagg_err *))
{
    int in = input(data, size, as_pipe);
    struct hagg_err err = { 0 };
    char path[FD_PATH_BYTES];
    struct pass_seal pass;
    struct reader *r;
    int result;

    pass_seal_init(&pass);
    r = reader_open(fd_path(path, in), records == copy_closed ? NULL : &pass.opener, &err);
    if (!r)
        abort();
    result = records(r, &pass, out, &err);
    if (result < 0 && (err.status != HAGG_E_MALFORMED || !strstr(err.text, path)))
        abort();
    reader_free(r);
    pass_seal_clear(&pass);
    close(in);
    return result;
}

static void check_copy(int fd, const uint8_t *data, size_t size, int all)
{
    off_t n = lseek(fd, 0, SEEK_CUR);
    uint8_t *copy = malloc(size + 1);

    if (!copy || n < 0 || (size_t)n > size || (all && (size_t)n != size))
        abort();
    if (pread(fd, copy, size, 0) != n || memcmp(copy, data, (size_t)n) != 0)
        abort();
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int out = new_memfd(), closed = new_memfd();
    int copied = read_stream(data, size, 0, out, copy_records);
    int passed = read_stream(data, size, size <= PIPE_BYTES, closed, copy_closed);
    int skipped = read_stream(data, size, size <= PIPE_BYTES, -1, skip_records);

    if (copied != skipped || copied != passed)
        abort();
    check_copy(out, data, size, copied == 0);
    check_copy(closed, data, size, passed == 0);
    close(out);
    close(closed);
    return 0;
}
