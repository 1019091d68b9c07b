#include "sharing/expand.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/random.h"
#include "sharing/uniform.h"

struct expand {
    const struct field *field;
    struct random *stream;
    uint64_t piece;       /* in elems, or NO_PIECE */
    unsigned char *elems; /* EXPAND_PIECE elements */
};

#define NO_PIECE UINT64_MAX

static size_t piece_bytes(const struct expand *e)
{
    return EXPAND_PIECE * field_elem_size(e->field);
}

struct expand *expand_new(const struct field *f, const unsigned char seed[EXPAND_SEED_BYTES],
                          struct hagg_err *err)
{
    _Static_assert(EXPAND_SEED_BYTES == RANDOM_SEED_BYTES, "a seed is a key");
    struct expand *e = calloc(1, sizeof *e);

    if (!e) {
        err_errno(err, "no memory to expand a seed");
        return NULL;
    }
    e->field = f;
    e->piece = NO_PIECE;
    e->elems = malloc(piece_bytes(e));
    if (!e->elems)
        err_errno(err, "no memory to expand a seed");
    else if ((e->stream = random_stream(seed, err)))
        return e;
    expand_free(e);
    return NULL;
}

void expand_free(struct expand *e)
{
    if (!e)
        return;
    if (e->elems)
        explicit_bzero(e->elems, piece_bytes(e));
    random_free(e->stream);
    free(e->elems);
    free(e);
}

/* The elements of a piece do not depend on how many of them are made. */
static int make_piece(struct expand *e, uint64_t piece, void *out, struct hagg_err *err)
{
    return random_at(e->stream, piece, err) ||
                   uniform_elems(e->field, e->stream, out, EXPAND_PIECE, err)
               ? -1
               : 0;
}

int expand_elems(struct expand *e, uint64_t at, void *out, size_t n, struct hagg_err *err)
{
    size_t size = field_elem_size(e->field);
    unsigned char *to = out;

    while (n > 0) {
        uint64_t piece = at / EXPAND_PIECE;
        size_t from = (size_t)(at % EXPAND_PIECE), now = EXPAND_PIECE - from;

        if (now <= n && from == 0 && piece != e->piece) {
            if (make_piece(e, piece, to, err))
                return -1;
        } else {
            now = now < n ? now : n;
            if (piece != e->piece) {
                e->piece = NO_PIECE;
                if (make_piece(e, piece, e->elems, err))
                    return -1;
                e->piece = piece;
            }
            memcpy(to, e->elems + from * size, now * size);
        }
        to += now * size;
        at += now;
        n -= now;
    }
    return 0;
}
