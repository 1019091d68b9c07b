#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transform/contributor.h"

/* Computes the matrix that decodes the old sharing, or an extended one, which has the same shares
 * and more, from the shares of the holders that take part, and the position of this share among
 * them. extended may be NULL. */
static int old_inverse(const struct contributor *c, const struct sharing *extended,
                       struct matrix *inverse, uint32_t *place, struct hagg_err *err)
{
    uint32_t *sources = calloc(c->old.k, sizeof *sources);
    struct sharing old = { 0 };
    int status;

    if (!sources)
        return err_errno(err, "no memory to transform a share");
    if (c->old.has_point && c->old.point != c->old.index + 1u) {
        free(sources);
        return err_set(err, HAGG_E_MISMATCH,
                       "transport works only if the points of the old holders are 1, 2, 3, ..: use "
                       "--method direct");
    }
    status = contributor_sources(c, sources, err);
    for (*place = 0; status == 0 && sources[*place] != c->old.index;)
        ++*place;
    if (status == 0 && !extended)
        status = sharing_new(&old, c->field, c->old_scheme, c->old.n, c->old.k, c->old.z, NULL,
                             NULL, err);
    if (status == 0)
        status = sharing_inverse(extended ? extended : &old, sources, inverse, err);
    sharing_free(&old);
    free(sources);
    return status;
}

/* Computes this share's summand of the secret, in the order of the vector. The summands of all
 * holders that take part add up to the secret. */
static unsigned char *summand_of_secret(const struct contributor *c, const struct matrix *inverse,
                                        uint32_t place, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field);
    unsigned char *secret = calloc((size_t)c->header.length + 1, size);

    if (!secret)
        err_errno(err, "no memory to transform a share");
    for (uint64_t block = 0; block < c->layout.n_blocks && secret; block++) {
        uint64_t start, length;

        layout_block(&c->layout, block, &start, &length);
        for (uint32_t part = 0; part < c->shape.parts; part++) {
            uint64_t at = (uint64_t)part * c->share_length;
            size_t n = at >= length                    ? 0
                       : length - at < c->share_length ? (size_t)(length - at)
                                                       : c->share_length;

            if (n > 0)
                field_scale_add(c->field, secret + (start + at) * size,
                                matrix_at(inverse, part, place),
                                c->share + block * c->share_length * size, n);
        }
    }
    return secret;
}

/* Stores shares, one after the other. */
struct keeper {
    struct sharing_sink sink; /* must be first: it is cast to the keeper */
    unsigned char *shares;
    size_t n_shares, length, size, at;
};

static int keep(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    struct keeper *k = (struct keeper *)sink;

    (void)err;
    for (size_t i = 0; i < k->n_shares; i++)
        memcpy(k->shares + (i * k->length + k->at) * k->size, rows[i], n * k->size);
    k->at += n;
    return 0;
}

/* Returns the scheme of the new share with this index. */
static struct header_scheme scheme_of(const struct contributor *c, const struct sharing *s,
                                      const char *name, uint32_t index)
{
    struct header_scheme h = { .n = s->n, .k = s->k, .z = s->z, .index = index };

    snprintf(h.name, sizeof h.name, "%s", name);
    h.has_point = s->points != NULL;
    h.point = s->points ? hagg_load(s->points, index, field_elem_size(c->field)) : 0;
    return h;
}

/* Shares the holder's summand of the secret, and then shares each of these shares among the new
 * holders as carriers. A carrier adds up what it gets from all old holders before it passes it
 * on. */
static int transport_anew(struct contributor *c, const struct sharing *s,
                          const struct sharing *transport, const unsigned char *secret,
                          struct hagg_err *err)
{
    size_t size = field_elem_size(c->field), n_padded;
    struct keeper k = {
        .sink = { keep },
        .n_shares = s->n,
        .length = (size_t)sharing_part_length(s, c->header.length),
        .size = size,
    };
    unsigned char *parts =
        contributor_pad(c, s, secret, 1, (size_t)c->header.length, &n_padded, err);
    int status = -1;

    k.shares = calloc(k.n_shares * k.length + 1, size);
    if (parts && !k.shares)
        err_errno(err, "no memory to transform a share");
    if (parts && k.shares)
        status = sharing_split(s, parts, k.length, NULL, c->random, c->o->pool, &k.sink, err);
    c->header.n_layout = 0;
    for (uint32_t m = 0; m < s->n && status == 0; m++) {
        struct header_scheme scheme = scheme_of(c, s, c->new_scheme->name, m);

        status = contributor_spread(c, transport, "ramp", &scheme, k.shares + m * k.length * size,
                                    1, k.length, err);
    }
    if (parts)
        explicit_bzero(parts, n_padded * size);
    if (k.shares)
        explicit_bzero(k.shares, k.n_shares * k.length * size);
    free(parts);
    free(k.shares);
    return status;
}

/* Extends the old sharing to more holders. The share of a further holder is a linear combination of
 * the old shares; shares this holder's summand of it among the carriers. */
static int extend(struct contributor *c, const struct sharing *s, const struct sharing *transport,
                  const struct matrix *inverse, uint32_t place, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field);
    unsigned char *summand = calloc(c->n_elems + 1, size);
    int status = summand ? 0 : err_errno(err, "no memory to transform a share");

    for (uint32_t m = c->old.n; m < s->n && status == 0; m++) {
        struct header_scheme scheme = scheme_of(c, s, c->new_scheme->name, m);
        unsigned char factor[8] = { 0 };

        for (size_t i = 0; i < s->matrix.cols; i++)
            field_scale_add(c->field, factor, matrix_at(&s->matrix, m, i),
                            matrix_at(inverse, i, place), 1);
        memset(summand, 0, c->n_elems * size);
        field_scale_add(c->field, summand, factor, c->share, c->n_elems);
        status = contributor_spread(c, transport, "ramp", &scheme, summand, 1, c->n_elems, err);
    }
    if (summand)
        explicit_bzero(summand, c->n_elems * size);
    free(summand);
    return status;
}

int contribute_transport(struct contributor *c, bool extends, struct hagg_err *err)
{
    struct sharing s = { 0 }, transport = { 0 };
    struct matrix inverse = { 0 };
    unsigned char *secret = NULL;
    uint32_t place = 0;
    int status = -1;

    if (contributor_sharing(c, c->new_scheme, c->o->k, c->o->z, &s, err) == 0 &&
        contributor_check_symbols(c->new_scheme, s.shape.symbols, err) == 0 &&
        old_inverse(c, extends ? &s : NULL, &inverse, &place, err) == 0 &&
        sharing_new(&transport, c->field, c->ramp, c->o->n, c->o->n, c->o->z, NULL, NULL, err) == 0)
        status = contributor_transfer_header(c, extends, err);
    if (status == 0 && extends)
        status = extend(c, &s, &transport, &inverse, place, err);
    else if (status == 0 && (secret = summand_of_secret(c, &inverse, place, err)))
        status = transport_anew(c, &s, &transport, secret, err);
    else
        status = -1;
    if (secret)
        explicit_bzero(secret, (size_t)c->header.length * field_elem_size(c->field));
    free(secret);
    matrix_free(&inverse);
    sharing_free(&s);
    sharing_free(&transport);
    return status;
}
