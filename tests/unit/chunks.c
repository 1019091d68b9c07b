#include "chunks.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "toy_seal.h"

/* Chunks that are fetched at once, and their bytes; most totals are smaller. */
enum { BATCH = 16, BATCH_BYTES = BATCH * SEAL_CHUNK_BYTES };
enum { MOST = 200000, ROOM = 2 * BATCH_BYTES + MOST };

static uint8_t plain[ROOM], sealed[ROOM + 1000], out[ROOM];
static bool quick;

/* The string of chunks, and where the next byte is. */
struct stream {
    size_t at, end;
    size_t fail_at; /* the fetch that reaches beyond this byte fails */
};

static int fetch(void *arg, void *to, size_t n, struct hagg_err *err)
{
    struct stream *s = arg;

    if (s->at + n > s->fail_at)
        return err_set(err, HAGG_E_MALFORMED, "the stream ends too early");
    if (!CHECK(s->at + n <= s->end))
        return -1;
    memcpy(to, sealed + s->at, n);
    s->at += n;
    return 0;
}

/* A byte that neither the elements nor their sealed form have in these places. */
#define UNTOUCHED 0xa7

/* Before a chunk is known to be authentic, the caller's buffer has no byte of it, nor of any chunk
 * that follows. */
static void looks_at_buffer(struct toy_log *log, void *arg)
{
    size_t done = (size_t)log->n_bytes, end = *(size_t *)arg;

    /* a sample is enough */
    for (size_t i = done; i < end; i += i < done + 64 ? 1 : 4096)
        if (out[i] != UNTOUCHED) {
            fprintf(stderr, "byte %zu was there when only %zu were authentic\n", i, done);
            CHECK(out[i] == UNTOUCHED);
            return;
        }
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Reads everything in pieces of the given sizes, of which the last repeats, and checks what is
 * returned and kept after each call. */
static void read_in_pieces(size_t total, const size_t *sizes, size_t n_sizes)
{
    struct stream s = { 0, (size_t)seal_length(total), SIZE_MAX };
    size_t done = 0, calls = 0, end = total > MOST ? ROOM : MOST;
    struct toy_log log = { .watch = looks_at_buffer, .arg = &end };
    struct hagg_err err = { 0 };
    struct chunks c;
    bool right = true;

    memset(out, UNTOUCHED, end);
    chunks_begin(&c, toy_seal_new(true, &log), total);
    do {
        size_t now = min(sizes[min(calls, n_sizes - 1)], total - done);

        alloc_watch();
        right &= chunks_read(&c, fetch, &s, out + done, now, &err) == 1;
        done += now;
        calls++;
        /* a buffer of at most one chunk is kept, and only within a chunk */
        right &= (c.rest == NULL) == (done % SEAL_CHUNK_BYTES == 0 || done == total);
        right &= alloc_bytes() <=
                 min(now, BATCH_BYTES) + SEAL_CHUNK_BYTES + (BATCH + 1) * SEAL_TAG_BYTES;
        /* no chunk is opened before a byte of it is wanted */
        right &=
            log.n_chunks == (total == 0 ? 1 : (done + SEAL_CHUNK_BYTES - 1) / SEAL_CHUNK_BYTES);
        right &= log.last == (log.n_chunks > 0 && s.at == s.end);
    } while (done < total && right);
    right &= s.at == s.end && c.left == 0;
    right &= memcmp(out, plain, total) == 0;
    right &= err.status == HAGG_OK;
    chunks_end(&c);
    right &= log.n_freed == 1 && !c.seal && !c.rest && c.left == 0 && !c.is_open;
    if (!CHECK(right))
        fprintf(stderr, "total %zu, pieces %zu %zu .., after %zu\n", total, sizes[0],
                sizes[n_sizes - 1], done);
}

/* Totals and pieces around the borders of chunks. */
static const size_t totals[] = { 1,      2,      16,     17,     65519,  65520,
                                 65535,  65536,  65537,  65552,  131071, 131072,
                                 131073, 196607, 196608, 196609, 196625, 200000 };
static const size_t pieces[] = { 1,     15,    16,     17,     4096,   65519,  65520, 65535,
                                 65536, 65537, 131071, 131072, 131073, 196608, 200000 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void reads_any_split(void)
{
    static const size_t large = MOST;

    toy_seal_all(sealed, plain, 0);
    read_in_pieces(0, &large, 1);
    for (size_t t = 0; t < COUNT(totals); t++) {
        toy_seal_all(sealed, plain, totals[t]);
        for (size_t a = 0; a < COUNT(pieces); a += quick ? 3 : 1) {
            /* many small pieces only of small totals */
            if (totals[t] / pieces[a] < 2000)
                read_in_pieces(totals[t], &pieces[a], 1);
            for (size_t b = 0; b < COUNT(pieces); b += quick ? 5 : 1) {
                const size_t two[] = { pieces[a], pieces[b], large };

                if (pieces[a] < totals[t])
                    read_in_pieces(totals[t], two, 3);
            }
        }
    }
}

/* Totals and pieces around the borders of batches. */
static void reads_several_batches(void)
{
    static const size_t many[] = { BATCH_BYTES - 1, BATCH_BYTES,
                                   BATCH_BYTES + 1, BATCH_BYTES + SEAL_CHUNK_BYTES,
                                   2 * BATCH_BYTES, ROOM };

    for (size_t t = 0; t < COUNT(many); t++) {
        toy_seal_all(sealed, plain, many[t]);
        for (size_t a = 0; a < COUNT(many); a++) {
            const size_t two[] = { 100, many[a], ROOM };

            read_in_pieces(many[t], &many[a], 1);
            read_in_pieces(many[t], two, 3);
        }
    }
}

/* A call for no bytes opens nothing, unless there are no elements: then it opens the only chunk,
 * once. */
static void opens_the_only_empty_chunk(void)
{
    struct stream s = { 0, SEAL_TAG_BYTES, SIZE_MAX };
    struct toy_log log = { 0 };
    struct hagg_err err = { 0 };
    struct chunks c;

    toy_seal_all(sealed, plain, 0);
    chunks_begin(&c, toy_seal_new(true, &log), 0);
    CHECK(chunks_read(&c, fetch, &s, NULL, 0, &err) == 1 && log.n_chunks == 1 && log.last);
    CHECK(chunks_read(&c, fetch, &s, NULL, 0, &err) == 1 && log.n_chunks == 1);
    chunks_end(&c);
    s.at = 0;
    sealed[3] ^= 1;
    chunks_begin(&c, toy_seal_new(true, &log), 0);
    CHECK(chunks_read(&c, fetch, &s, NULL, 0, &err) == 0);
    chunks_end(&c);
    toy_seal_all(sealed, plain, 5);
    s = (struct stream){ 0, 5 + SEAL_TAG_BYTES, SIZE_MAX };
    log = (struct toy_log){ 0 };
    chunks_begin(&c, toy_seal_new(true, &log), 5);
    CHECK(chunks_read(&c, fetch, &s, out, 0, &err) == 1 && log.n_chunks == 0 && s.at == 0);
    chunks_end(&c);
    CHECK(log.n_freed == 1);
}

/* Chunk k is not authentic, or opening it fails: bytes of the chunks before it may be there, none
 * of it or after it. */
static void stops_at_a_bad_chunk(size_t total, size_t first, size_t last, int with)
{
    toy_seal_all(sealed, plain, total);
    for (size_t k = first; k <= last; k++)
        for (size_t a = 0; a <= COUNT(pieces); a++) {
            struct stream s = { 0, (size_t)seal_length(total), SIZE_MAX };
            struct toy_log log = { .fail_at = k, .fail_with = with };
            struct hagg_err err = { 0 };
            struct chunks c;
            size_t done = 0, good = (k - 1) * SEAL_CHUNK_BYTES, wrong = 0;
            size_t piece = a < COUNT(pieces) ? pieces[a] : total;
            int status = 1;

            if (piece < 1000)
                piece += 3000;
            memset(out, UNTOUCHED, total);
            chunks_begin(&c, toy_seal_new(true, &log), total);
            while (status == 1 && done < total) {
                status = chunks_read(&c, fetch, &s, out + done, min(piece, total - done), &err);
                if (status == 1)
                    done += min(piece, total - done);
            }
            CHECK(status == with && done <= good && log.n_chunks == k);
            CHECK(with < 0 ? err.status == HAGG_E_SYSTEM : err.status == HAGG_OK);
            for (size_t i = good; i < total; i++)
                wrong += out[i] != UNTOUCHED && out[i] != 0;
            CHECK(wrong == 0);
            CHECK(memcmp(out, plain, done) == 0);
            CHECK(c.rest == NULL);
            chunks_end(&c);
            CHECK(log.n_freed == 1);
        }
}

/* Chunks in another order, a chunk twice, and one that was not the last. */
static void refuses_moved_chunks(void)
{
    enum { ONE = SEAL_CHUNK_BYTES + SEAL_TAG_BYTES };
    struct toy_log log = { 0 };
    struct hagg_err err = { 0 };
    struct stream s = { 0, 3 * ONE, SIZE_MAX };
    struct chunks c;

    for (int how = 0; how < 3; how++) {
        toy_seal_all(sealed, plain, 3 * SEAL_CHUNK_BYTES);
        if (how == 0)
            memcpy(sealed, sealed + ONE, ONE);
        if (how == 1)
            memcpy(sealed + ONE, sealed, ONE);
        s = (struct stream){ 0, (how == 2 ? 2 : 3) * ONE, SIZE_MAX };
        chunks_begin(&c, toy_seal_new(true, &log), (how == 2 ? 2 : 3) * SEAL_CHUNK_BYTES);
        CHECK(chunks_read(&c, fetch, &s, out, SEAL_CHUNK_BYTES, &err) == (how == 0 ? 0 : 1));
        if (how > 0)
            CHECK(chunks_read(&c, fetch, &s, out, SEAL_CHUNK_BYTES, &err) == 0);
        chunks_end(&c);
    }
}

/* The stream ends within a chunk. */
static void passes_on_failures_to_read(void)
{
    static const size_t ends[] = { 0, 1, 65551, 65552, 65553, 131103, 131104, 150000 };

    toy_seal_all(sealed, plain, MOST);
    for (size_t e = 0; e < COUNT(ends); e++)
        for (size_t a = 4; a < COUNT(pieces); a++) {
            struct stream s = { 0, (size_t)seal_length(MOST), ends[e] };
            struct toy_log log = { 0 };
            struct hagg_err err = { 0 };
            struct chunks c;
            size_t done = 0;
            int status = 1;

            memset(out, UNTOUCHED, MOST);
            chunks_begin(&c, toy_seal_new(true, &log), MOST);
            while (status == 1 && done < MOST) {
                size_t now = min(pieces[a], MOST - done);

                status = chunks_read(&c, fetch, &s, out + done, now, &err);
                done += status == 1 ? now : 0;
            }
            CHECK(status == -1 && err.status == HAGG_E_MALFORMED);
            CHECK_STR(err.text, "the stream ends too early");
            CHECK(log.n_chunks <= ends[e] / 65552 && done <= log.n_bytes);
            CHECK(out[log.n_bytes] == UNTOUCHED);
            chunks_end(&c);
        }
}

/* The rest of a chunk is wiped when all of it was returned, when it is dropped, and if it is not
 * authentic. */
static void wipes_the_rest(void)
{
    struct stream s = { 0, (size_t)seal_length(MOST), SIZE_MAX };
    struct toy_log log = { 0 };
    struct hagg_err err = { 0 };
    struct chunks c;

    toy_seal_all(sealed, plain, MOST);
    alloc_watch();
    /* without the tag, which is not secret */
    alloc_expect_wiped(65552, 65552, 65536);
    chunks_begin(&c, toy_seal_new(true, &log), MOST);
    CHECK(chunks_read(&c, fetch, &s, out, 100, &err) == 1 && alloc_n_wiped() == 0);
    CHECK(chunks_read(&c, fetch, &s, out, 65436, &err) == 1 && alloc_n_wiped() == 1);
    CHECK(chunks_read(&c, fetch, &s, out, 1, &err) == 1 && alloc_n_wiped() == 1);
    chunks_end(&c);
    CHECK(alloc_n_wiped() == 2);
    s.at = 0;
    log = (struct toy_log){ .fail_at = 1 };
    chunks_begin(&c, toy_seal_new(true, &log), MOST);
    CHECK(chunks_read(&c, fetch, &s, out, 100, &err) == 0 && alloc_n_wiped() == 3);
    chunks_end(&c);
    s = (struct stream){ .end = 10, .fail_at = 10 };
    chunks_begin(&c, toy_seal_new(true, &log), MOST);
    CHECK(chunks_read(&c, fetch, &s, out, 100, &err) == -1 && alloc_n_wiped() == 4);
    chunks_end(&c);
    alloc_expect_wiped(SIZE_MAX, 0, 0);
}

static void reports_missing_memory(void)
{
    static const size_t want[] = { 100, 65536, MOST };
    static const char *const messages[] = { "no memory for a sealed chunk: ",
                                            "no memory for sealed chunks: ",
                                            "no memory for sealed chunks: " };

    toy_seal_all(sealed, plain, MOST);
    for (size_t i = 0; i < COUNT(want); i++) {
        struct stream s = { 0, (size_t)seal_length(MOST), SIZE_MAX };
        struct toy_log log = { 0 };
        struct hagg_err err = { 0 };
        struct chunks c;

        chunks_begin(&c, toy_seal_new(true, &log), MOST);
        alloc_refuse(0);
        CHECK(chunks_read(&c, fetch, &s, out, want[i], &err) == -1);
        CHECK(err.status == HAGG_E_SYSTEM && log.n_chunks == 0 && s.at == 0);
        CHECK(strncmp(err.text, messages[i], strlen(messages[i])) == 0);
        alloc_watch();
        chunks_end(&c);
    }
    /* the buffer of the last chunk, after that of the whole ones */
    for (unsigned long at = 0; at < 3; at++) {
        struct stream s = { 0, (size_t)seal_length(MOST), SIZE_MAX };
        struct toy_log log = { 0 };
        struct hagg_err err = { 0 };
        struct chunks c;

        chunks_begin(&c, toy_seal_new(true, &log), MOST);
        alloc_refuse(at);
        CHECK(chunks_read(&c, fetch, &s, out, MOST - 1, &err) == (at < 2 ? -1 : 1));
        CHECK(alloc_refused() == (at < 2));
        alloc_watch();
        chunks_end(&c);
    }
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    for (size_t i = 0; i < ROOM; i++)
        plain[i] = (uint8_t)(i * 7 + i / 251) == UNTOUCHED ? 1 : (uint8_t)(i * 7 + i / 251);
    reads_any_split();
    reads_several_batches();
    opens_the_only_empty_chunk();
    stops_at_a_bad_chunk(MOST, 1, 4, 0);
    stops_at_a_bad_chunk(MOST, 1, 4, -1);
    stops_at_a_bad_chunk(ROOM, BATCH - 1, BATCH + 2, 0);
    stops_at_a_bad_chunk(ROOM, BATCH - 1, BATCH + 2, -1);
    refuses_moved_chunks();
    passes_on_failures_to_read();
    wipes_the_rest();
    reports_missing_memory();
    return check_end();
}
