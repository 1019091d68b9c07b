#include "chunks.h"

#include <stdlib.h>
#include <string.h>

/* Chunks that are fetched at once: one read of 1 MB takes less time than eight of 128 KB. */
#define BATCH 16

void chunks_begin(struct chunks *c, struct seal *seal, uint64_t n_bytes)
{
    *c = (struct chunks){ .seal = seal, .left = n_bytes };
}

static void drop_rest(struct chunks *c)
{
    if (c->rest)
        explicit_bzero(c->rest, c->end);
    free(c->rest);
    c->rest = NULL;
    c->at = c->end = 0;
}

void chunks_end(struct chunks *c)
{
    drop_rest(c);
    seal_free(c->seal);
    *c = (struct chunks){ 0 };
}

static size_t min(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

static size_t take_rest(struct chunks *c, uint8_t *to, size_t n)
{
    size_t now = min(c->end - c->at, n);

    if (now > 0)
        memcpy(to, c->rest + c->at, now);
    c->at += now;
    if (c->at == c->end)
        drop_rest(c);
    return now;
}

/* Opens the next chunk, of size bytes, into to. */
static int open_chunk(struct chunks *c, const uint8_t *sealed, size_t size, uint8_t *to,
                      struct hagg_err *err)
{
    c->left -= size;
    c->is_open = true;
    return c->seal->chunk(c->seal, c->left == 0, sealed, size, to, err);
}

/* Opens as many whole chunks into to as fit into n bytes, at most BATCH. Sets *done to their bytes.
 */
static int open_whole(struct chunks *c, chunks_fetch *fetch, void *arg, uint8_t *to, size_t n,
                      uint8_t *sealed, size_t *done, struct hagg_err *err)
{
    size_t sizes[BATCH], n_chunks = 0, total = 0;
    int status = 1;

    do {
        sizes[n_chunks] = min(c->left - total, SEAL_CHUNK_BYTES);
        total += sizes[n_chunks++];
    } while (n_chunks < BATCH && total < c->left &&
             total + min(c->left - total, SEAL_CHUNK_BYTES) <= n);
    *done = 0;
    if (fetch(arg, sealed, total + n_chunks * SEAL_TAG_BYTES, err))
        return -1;
    for (size_t i = 0; i < n_chunks && status > 0; i++) {
        status = open_chunk(c, sealed, sizes[i], to + *done, err);
        sealed += sizes[i] + SEAL_TAG_BYTES;
        *done += sizes[i];
    }
    return status;
}

int chunks_open(struct chunks *c, chunks_fetch *fetch, void *arg, struct hagg_err *err)
{
    size_t size = min(c->left, SEAL_CHUNK_BYTES);
    int status;

    c->rest = malloc(size + SEAL_TAG_BYTES);
    if (!c->rest)
        return err_errno(err, "no memory for a sealed chunk");
    c->end = size;
    status = fetch(arg, c->rest, size + SEAL_TAG_BYTES, err);
    if (status == 0)
        status = open_chunk(c, c->rest, size, c->rest, err);
    if (status <= 0)
        drop_rest(c);
    return status;
}

void chunks_rewind(struct chunks *c, uint64_t n_bytes)
{
    if (!c->seal)
        return;
    drop_rest(c);
    c->seal->rewind(c->seal);
    c->left = n_bytes;
    c->is_open = false;
}

int chunks_read(struct chunks *c, chunks_fetch *fetch, void *arg, void *to, size_t n,
                struct hagg_err *err)
{
    uint8_t *out = to, *sealed = NULL, nothing;
    int status = 1;
    size_t now = take_rest(c, out, n);

    n -= now;
    if (!out)
        out = &nothing; /* without elements, to may be NULL */
    out += now;
    while (status > 0 && (n > 0 || (!c->is_open && c->left == 0))) {
        if (n < min(c->left, SEAL_CHUNK_BYTES)) {
            status = chunks_open(c, fetch, arg, err);
            if (status <= 0)
                break;
            now = take_rest(c, out, n);
        } else {
            size_t room = min(n, BATCH * SEAL_CHUNK_BYTES) + BATCH * SEAL_TAG_BYTES;

            if (!sealed && !(sealed = malloc(room))) {
                status = err_errno(err, "no memory for sealed chunks");
                break;
            }
            status = open_whole(c, fetch, arg, out, n, sealed, &now, err);
        }
        out += now;
        n -= now;
    }
    free(sealed);
    return status;
}
