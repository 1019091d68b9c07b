#include "mask_total.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_masks.h"

/* Of a mask, or of all shares together, that are in work at once. */
#define BLOCK_BYTES (1024u * 1024)

/* A mask on its way into the total. */
struct adding {
    const struct field *field;
    const struct sharing *sharing;
    struct matrix inverse; /* from the shares to the parts */
    uint32_t index;
    uint64_t length, part_length;
    unsigned char *block, *symbol; /* as read, and every so-many-th element of it */
    unsigned char *total;
};

/* The n elements of one symbol of the share, from column at on, into all parts. */
static void add_symbol(const struct adding *a, uint32_t symbol, uint64_t at, size_t n)
{
    size_t size = field_elem_size(a->field), n_symbols = a->sharing->shape.symbols;
    const unsigned char *elems = n_symbols == 1 ? a->block : a->symbol;

    for (size_t i = 0; i < n && n_symbols > 1; i++)
        memcpy(a->symbol + i * size, a->block + (i * n_symbols + symbol) * size, size);
    for (uint32_t part = 0; part < a->sharing->shape.parts; part++) {
        uint64_t start = part * a->part_length + at;
        /* the last parts are filled up with zeros that are not in the vector */
        size_t now = start >= a->length      ? 0
                     : a->length - start < n ? (size_t)(a->length - start)
                                             : n;

        field_scale_add(a->field, a->total + start * size,
                        matrix_at(&a->inverse, part, a->index * n_symbols + symbol), elems, now);
    }
}

static int add_blocks(struct adding *a, struct stored *mask, struct filecache *files,
                      struct hagg_err *err)
{
    size_t size = field_elem_size(a->field), n_symbols = a->sharing->shape.symbols;
    size_t max = BLOCK_BYTES / size / n_symbols;
    uint64_t at = 0;

    /* once even for an empty one, so that its digest is verified */
    do {
        size_t n = a->part_length - at < max ? (size_t)(a->part_length - at) : max;

        if (stored_read(mask, files, a->field, a->block, n * n_symbols, err))
            return -1;
        for (uint32_t s = 0; s < n_symbols; s++)
            add_symbol(a, s, at, n);
        at += n;
    } while (at < a->part_length);
    return 0;
}

static int invert(struct adding *a, struct hagg_err *err)
{
    uint32_t *holders = calloc(a->sharing->k, sizeof *holders);
    int status;

    if (!holders)
        return err_errno(err, "no memory for %u holders", a->sharing->k);
    for (uint32_t i = 0; i < a->sharing->k; i++)
        holders[i] = i;
    status = sharing_inverse(a->sharing, holders, &a->inverse, err);
    free(holders);
    return status;
}

int mask_total_add(const struct plan *plan, const struct header *h, struct stored *mask,
                   struct filecache *files, unsigned char *total, struct hagg_err *err)
{
    struct adding a = { .field = plan->field, .index = h->scheme.index, .length = h->length };
    struct sharing s;
    int status;

    if (plan_sharing(plan, 0, h->scheme.n, &s, err))
        return -1;
    a.sharing = &s;
    a.part_length = sharing_part_length(&s, h->length);
    a.total = total;
    a.block = malloc(2 * BLOCK_BYTES);
    a.symbol = a.block ? a.block + BLOCK_BYTES : NULL;
    status = a.block ? invert(&a, err) : err_errno(err, "no memory for a mask");
    if (status == 0)
        status = add_blocks(&a, mask, files, err);
    if (a.block)
        explicit_bzero(a.block, 2 * BLOCK_BYTES);
    free(a.block);
    matrix_free(&a.inverse);
    sharing_free(&s);
    return status;
}

int mask_total_room(const struct plan *plan, uint64_t length, size_t *n_total, size_t *n_noise,
                    struct hagg_err *err)
{
    struct sharing s;
    uint64_t part_length;

    if (plan_masks_sharing(plan, &s, err))
        return -1;
    part_length = sharing_part_length(&s, length);
    *n_total = s.shape.parts * (size_t)part_length;
    *n_noise = s.shape.randoms * (size_t)part_length;
    sharing_free(&s);
    return 0;
}

/* The shares of a total on their way to the stations. */
struct spreading {
    const struct plan *plan;
    const struct sharing *sharing;
    struct writer **writers;
    const void **in; /* rows: parts, then random vectors */
    void **out;
    unsigned char *block; /* the rows of out */
    unsigned char *mixed; /* a share's symbols, as they stand in its payload */
    size_t max;           /* columns at once */
};

static int begin_shares(struct spreading *sp, const struct header *header, uint64_t n_elems,
                        struct outset *out, struct hagg_err *err)
{
    const struct sharing *s = sp->sharing;
    size_t size = field_elem_size(sp->plan->field);
    uint32_t *numbers = calloc(s->n, sizeof *numbers);
    struct header_tier stations = { .numbers = numbers, .n_numbers = s->n };
    struct header h = *header;
    int status = numbers ? 0 : err_errno(err, "no memory for %u shares", s->n);

    snprintf(stations.name, sizeof stations.name, "%s", plan_tier_name(0));
    for (uint32_t u = 0; u < s->n && status == 0; u++)
        numbers[u] = u + 1;
    h.kind = HEADER_SHARE;
    h.route = &stations;
    h.n_route = 1;
    memcpy(h.to.tier, stations.name, sizeof h.to.tier);
    for (uint32_t u = 0; u < s->n && status == 0; u++) {
        h.to.number = u + 1;
        sharing_describe(s, sp->plan->scheme->ops.name, u, &h.scheme);
        sp->writers[u] = outset_writer(out, u + 1, err);
        status = sp->writers[u] ? writer_begin(sp->writers[u], &h, size, n_elems, err) : -1;
    }
    free(numbers);
    return status;
}

/* n columns of one share. */
static int write_share(struct spreading *sp, uint32_t u, size_t n, struct hagg_err *err)
{
    size_t size = field_elem_size(sp->plan->field), n_symbols = sp->sharing->shape.symbols;
    void *const *rows = sp->out + u * n_symbols;

    if (n_symbols == 1)
        return writer_elems(sp->writers[u], rows[0], n, err);
    for (size_t e = 0; e < n * n_symbols; e++)
        memcpy(sp->mixed + e * size,
               (const unsigned char *)rows[e % n_symbols] + e / n_symbols * size, size);
    return writer_elems(sp->writers[u], sp->mixed, n * n_symbols, err);
}

static int spread_columns(struct spreading *sp, const unsigned char *total,
                          const unsigned char *noise, size_t part_length, struct hagg_err *err)
{
    const struct sharing *s = sp->sharing;
    size_t size = field_elem_size(sp->plan->field), n;

    for (size_t at = 0; at < part_length; at += n) {
        n = part_length - at < sp->max ? part_length - at : sp->max;
        for (uint32_t i = 0; i < s->shape.parts; i++)
            sp->in[i] = total + (i * part_length + at) * size;
        for (uint32_t i = 0; i < s->shape.randoms; i++)
            sp->in[s->shape.parts + i] = noise + (i * part_length + at) * size;
        matrix_apply(&s->matrix, sp->plan->field, sp->out, sp->in, n);
        for (uint32_t u = 0; u < s->n; u++)
            if (write_share(sp, u, n, err))
                return -1;
    }
    for (uint32_t u = 0; u < s->n; u++)
        if (writer_end(sp->writers[u], err))
            return -1;
    return 0;
}

int mask_total_spread(const struct plan *plan, const struct header *header,
                      const unsigned char *total, const unsigned char *noise, struct outset *out,
                      struct hagg_err *err)
{
    size_t size = field_elem_size(plan->field), n_rows, len_bytes = 0;
    struct spreading sp = { .plan = plan };
    struct sharing s;
    int status = -1;

    if (plan_masks_sharing(plan, &s, err))
        return -1;
    n_rows = s.matrix.rows;
    sp.sharing = &s;
    sp.max = BLOCK_BYTES / size / n_rows + 64;
    len_bytes = (n_rows + s.shape.symbols) * sp.max * size;
    sp.writers = calloc(s.n, sizeof *sp.writers);
    sp.in = calloc(s.matrix.cols, sizeof *sp.in);
    sp.out = calloc(n_rows, sizeof *sp.out);
    sp.block = malloc(len_bytes);
    if (!sp.writers || !sp.in || !sp.out || !sp.block) {
        err_errno(err, "no memory to share masks among %u", s.n);
        goto out;
    }
    for (size_t i = 0; i < n_rows; i++)
        sp.out[i] = sp.block + i * sp.max * size;
    sp.mixed = sp.block + n_rows * sp.max * size;
    if (begin_shares(&sp, header, scheme_share_length(&s.shape, header->length), out, err) == 0)
        status =
            spread_columns(&sp, total, noise, (size_t)sharing_part_length(&s, header->length), err);
out:
    if (sp.block)
        explicit_bzero(sp.block, len_bytes);
    free(sp.block);
    free(sp.writers);
    free(sp.in);
    free(sp.out);
    sharing_free(&s);
    return status;
}
