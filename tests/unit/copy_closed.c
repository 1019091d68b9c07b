/* A sealed record, read and written with its chunks as they are. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "feed.h"
#include "reader.h"
#include "sample.h"
#include "toy_seal.h"
#include "writer.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST = 200000 };

static uint8_t plain[MOST], buf[MOST];
static const size_t totals[] = { 0, 8, 65536, 65544, MOST };
static const unsigned widths[] = { 1, 4, 8 };

static uint8_t *make(unsigned width, size_t n_bytes, size_t *n)
{
    return toy_seal_record(sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, width, plain,
                           n_bytes, n);
}

/* Copies the current record in pieces. Returns false on failure. */
static bool copy(struct reader *r, struct writer *w, size_t piece, struct hagg_err *err)
{
    size_t n;

    if (writer_begin_closed(w, reader_header(r), reader_seal(r), err))
        return false;
    do {
        if (reader_read_closed(r, buf, piece, &n, err) || writer_elems(w, buf, n, err))
            return false;
    } while (n > 0);
    /* again at the end */
    return reader_read_closed(r, buf, piece, &n, err) == 0 && n == 0 && writer_end(w, err) == 0;
}

/* Copies all records of a stream of two sealed ones and an open one, which is not copied. */
static void check_stream(const char *path, const uint8_t *record, size_t n, size_t piece)
{
    FILE *file = tmpfile();
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fileno(file), "copy", &err);
    struct reader *r = reader_open(path, NULL, &err);
    struct toy_sealer never;
    bool right = true;
    uint8_t *copied = malloc(2 * n + 1);

    /* a sealer that would refuse is not asked */
    toy_seal_sealer(&never);
    never.refuse = "asked";
    writer_set_sealer(w, &never.base, NULL);
    for (int i = 0; i < 2 && right; i++)
        right = reader_next(r, &err) == 1 && reader_seal(r) != NULL && copy(r, w, piece, &err) &&
                writer_size(w) == n && reader_len_bytes(r) == n;
    right = right && reader_next(r, &err) == 1 && reader_seal(r) == NULL;
    right = right && reader_next(r, &err) == 0;
    rewind(file);
    right = right && fread(copied, 1, 2 * n + 1, file) == 2 * n;
    right = right && memcmp(copied, record, n) == 0 && memcmp(copied + n, record, n) == 0;
    if (!CHECK(right))
        fprintf(stderr, "%zu bytes in pieces of %zu: %s\n", n, piece, err.text);
    free(copied);
    reader_free(r);
    writer_free(w);
    fclose(file);
}

static void copies_every_byte(void)
{
    static const size_t pieces[] = { 1, 33, 16384, 65536, MOST };

    for (size_t t = 0; t < COUNT(totals); t++)
        for (size_t i = 0; i < COUNT(widths); i++) {
            size_t n;
            uint8_t *one = make(widths[i], totals[t], &n);
            size_t len = 2 * n + SAMPLE_SHARE_BYTES;
            uint8_t *all = malloc(len);

            memcpy(all, one, n);
            memcpy(all + n, one, n);
            memcpy(all + 2 * n, sample_share, SAMPLE_SHARE_BYTES);
            for (size_t p = 0; p < COUNT(pieces); p++) {
                pid_t child;
                int fd;

                if (totals[t] / pieces[p] > 10000)
                    continue;
                check_stream(feed_file(all, len), one, n, pieces[p]);
                fd = feed_pipe(all, len, 777 + 10000 * p, &child);
                check_stream(feed_path(fd), one, n, pieces[p]);
                close(fd);
                feed_wait(child);
            }
            free(all);
            free(one);
        }
}

/* A record that is damaged or cut off fails when its end is read, at the latest. */
static void notices_damage(void)
{
    for (size_t t = 0; t < COUNT(totals); t++) {
        size_t n, chunks = (size_t)seal_length(totals[t]);
        uint8_t *record = make(4, totals[t], &n);

        for (size_t i = 0; i < 4; i++) {
            const size_t places[] = { n - 1, n - 17 - chunks, n - 18, n };
            struct hagg_err err = { 0 };
            struct reader *r;
            size_t now;
            int status;

            if (places[i] < n)
                record[places[i]] ^= 1;
            r = reader_open(feed_file(record, places[i] < n ? n : n - 1), NULL, &err);
            CHECK(reader_next(r, &err) == 1);
            do
                status = reader_read_closed(r, buf, 1000, &now, &err);
            while (status == 0 && now > 0);
            CHECK(status == -1 && err.status == HAGG_E_MALFORMED);
            reader_free(r);
            if (places[i] < n)
                record[places[i]] ^= 1;
        }
        free(record);
    }
}

int main(void)
{
    for (size_t i = 0; i < MOST; i++)
        plain[i] = (uint8_t)(i * 73 + i / 253);
    copies_every_byte();
    notices_damage();
    return check_end();
}
