/*
 * rewrite.c - reads records from standard input and writes them again, block by block. A record has
 * only one encoding, so the output equals the input, and its size is the computed one. Sealed
 * records are rewritten without being opened for real: pass_seal.h.
 */
#include <stdio.h>
#include <unistd.h>

#include "pass_seal.h"
#include "reader.h"
#include "size.h"
#include "writer.h"

/* A prime, so that blocks do not end at the block boundaries of the reader or the writer. */
#define BLOCK_ELEMS 1021

/* Compares the size that was read with the one computed from the header, and with the writer's. */
static int check_size(const struct reader *r, const struct writer *w, struct hagg_err *err)
{
    uint64_t computed =
        size_record(reader_header(r), reader_elem_size(r), reader_n_elems(r), reader_is_sealed(r));

    if (reader_len_bytes(r) == computed && writer_size(w) == computed)
        return 0;
    return reader_fail(r, err, HAGG_E_SYSTEM, "has %llu bytes, computed %llu, announced %llu",
                       (unsigned long long)reader_len_bytes(r), (unsigned long long)computed,
                       (unsigned long long)writer_size(w));
}

static int rewrite_record(struct reader *r, struct writer *w, struct hagg_err *err)
{
    unsigned char block[BLOCK_ELEMS * 8];
    size_t n;

    if (writer_begin(w, reader_header(r), reader_elem_size(r), reader_n_elems(r), err) < 0)
        return -1;
    do {
        if (reader_read(r, block, BLOCK_ELEMS, &n, err) < 0 || writer_elems(w, block, n, err) < 0)
            return -1;
    } while (n > 0);
    return check_size(r, w, err) ? -1 : writer_end(w, err);
}

static int rewrite(struct hagg_err *err)
{
    struct pass_seal pass;
    struct reader *r = NULL;
    struct writer *w = NULL;
    int status = -1;
    int more;

    pass_seal_init(&pass);
    if (!(r = reader_open("-", &pass.opener, err)) ||
        !(w = writer_new(STDOUT_FILENO, "standard output", err)))
        goto out;
    writer_set_sealer(w, &pass.sealer, NULL);
    while ((more = reader_next(r, err)) > 0)
        if (rewrite_record(r, w, err) < 0)
            goto out;
    status = more;
out:
    writer_free(w);
    reader_free(r);
    pass_seal_clear(&pass);
    return status;
}

int main(void)
{
    struct hagg_err err = { 0 };

    if (rewrite(&err) == 0)
        return 0;
    fprintf(stderr, "rewrite: %s\n", err.text);
    return err.status;
}
