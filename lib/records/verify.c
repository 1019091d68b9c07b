#include "records/verify.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/layout.h"

/* Small enough to stay in the second-level cache while it is hashed and checked. */
#define BLOCK_BYTES 262144

/* Returns 1 if the field is open, 0 if its plugin is not installed, -1 if the specification is
 * wrong. */
static int use_field(struct verifier *v, const struct reader *r, struct hagg_err *err)
{
    const char *spec = reader_header(r)->field;
    struct hagg_err cause = { 0 };

    if (v->field && strcmp(v->field->spec, spec) == 0)
        return 1;
    field_free(v->field);
    v->field = field_open(spec, &cause);
    if (v->field)
        return 1;
    if (cause.status == HAGG_E_SYSTEM)
        return 0;
    return reader_fail(r, err, cause.status == HAGG_E_USAGE ? HAGG_E_MALFORMED : cause.status, "%s",
                       cause.text);
}

/* The same for the name of a scheme, with parameters. */
static int use_scheme(struct verifier *v, const struct reader *r, const char *name,
                      struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    if (v->scheme && strcmp(v->scheme->name, name) == 0)
        return 1;
    scheme_free(v->scheme);
    v->scheme = scheme_open(name, &cause);
    if (v->scheme)
        return 1;
    return cause.status == HAGG_E_USAGE ? reader_fail(r, err, HAGG_E_MALFORMED, "%s", cause.text)
                                        : 0;
}

/* Finds the shape of s, the record's scheme or source. Returns 1 if it is valid, 0 if the plugin is
 * not installed, -1 if it is wrong. */
static int check_scheme(struct verifier *v, const struct reader *r, const struct header_scheme *s,
                        struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    bool is_source = s == &reader_header(r)->source,
         is_partial = is_source == (reader_header(r)->kind == HEADER_TRANSFER);
    const struct header_symbols *symbols = &reader_header(r)->symbols;
    struct scheme_prefixes prefixes;
    struct hagg_err cause = { 0 };
    int known = use_scheme(v, r, s->name, err);

    if (known != 1)
        return known;
    if (scheme_prefixes(v->scheme, s->n, s->k, s->z, shape, &prefixes, &cause))
        return reader_fail(r, err, HAGG_E_MALFORMED, "%s%s", is_source ? "source: " : "",
                           cause.text);
    if (s->has_point != (shape->uses_points != 0))
        return reader_fail(r, err, HAGG_E_MALFORMED, "%s '%s' %s", is_source ? "source" : "scheme",
                           s->name, s->has_point ? "has no points" : "needs a point");
    if (is_partial && !scheme_sends(&prefixes, symbols))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "symbols %u to %u are not what holders of scheme '%s' send in part",
                           symbols->first, symbols->end - 1, s->name);
    if (s->has_point && v->field && s->point >= v->field->info.order)
        return reader_fail(r, err, HAGG_E_MALFORMED, "its %s is not an element of field '%s'",
                           is_source ? "source's point" : "point", v->field->spec);
    return 1;
}

static uint64_t part_length(const struct hagg_scheme_shape *shape, uint64_t length)
{
    return length / shape->parts + (length % shape->parts != 0);
}

/* Also checks that the holder's point is not that of a segment. */
static int check_aligned(const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    uint64_t n = layout_aligned_length(h);

    if (h->scheme.point < h->n_segments)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "its point belongs to a segment, not to a station");
    if (!h->seed && reader_n_elems(r) != n)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has %llu elements, but its segments and blocks require %llu",
                           (unsigned long long)reader_n_elems(r), (unsigned long long)n);
    return 1;
}

/* By FORMAT.md the payload has a share of each block or, in a transfer, a share of each symbol of
 * the source's share of each block. The reader has checked the length of a seed. */
static int check_length(const struct reader *r, const struct hagg_scheme_shape *shape,
                        const struct hagg_scheme_shape *source, struct hagg_err *err)
{
    struct header_symbols symbols;
    struct layout layout;
    uint64_t n;

    if (reader_header(r)->n_segments > 0)
        return check_aligned(r, err);
    layout_of(reader_header(r), &layout);
    n = part_length(source ? source : shape, layout.block_length);
    if (source)
        n = part_length(shape, n) * shape->symbols;
    symbols = scheme_symbols(&reader_header(r)->symbols, (source ? source : shape)->symbols);
    if (__builtin_mul_overflow(n, (uint64_t)(symbols.end - symbols.first), &n) ||
        __builtin_mul_overflow(n, layout.n_blocks, &n))
        n = UINT64_MAX;
    if (!reader_header(r)->seed && reader_n_elems(r) != n)
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has %llu elements, but its scheme requires %llu",
                           (unsigned long long)reader_n_elems(r), (unsigned long long)n);
    return 1;
}

/* Returns 1 if the share fits its scheme, 0 if a plugin is not installed, -1 if it does not fit. */
static int check_share(struct verifier *v, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct hagg_scheme_shape shape, source;
    bool has_source = h->source.name[0] != 0;
    int known = check_scheme(v, r, &h->scheme, &shape, err), source_known = 1;

    if (known >= 0 && has_source)
        source_known = check_scheme(v, r, &h->source, &source, err);
    if (known < 0 || source_known < 0)
        return -1;
    if (!known || !source_known)
        return 0;
    /* the length of a payload with a carrier depends on the method of transformation */
    return h->has_carrier ? 1 : check_length(r, &shape, has_source ? &source : NULL, err);
}

/* Reads to the end, which verifies the digest. Also checks every element if f is not NULL. */
static int check_elements(struct verifier *v, const struct field *f, struct reader *r,
                          struct hagg_err *err)
{
    size_t max = BLOCK_BYTES / reader_elem_size(r), n, bad = 0;
    uint64_t done = 0, bad_at = 0;
    bool found = false;

    if (reader_is_closed(r))
        return reader_finish(r, err);
    do {
        if (reader_read(r, v->block, max, &n, err))
            return -1;
        if (f && !found) {
            bad = field_check(f, v->block, n);
            found = bad < n;
            bad_at = done + bad;
        }
        done += n;
    } while (n > 0);
    /* only now, so that a damaged record is reported as damaged, not as non-canonical */
    if (found)
        return reader_fail(r, err, HAGG_E_MALFORMED, "element %llu is not an element of field '%s'",
                           (unsigned long long)bad_at, f->spec);
    return 0;
}

int verify_record(struct verifier *v, struct reader *r, enum verify_result *result,
                  struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    int has_field, has_scheme = 1;

    if (!v->block && !(v->block = malloc(BLOCK_BYTES)))
        return err_errno(err, "%s", reader_name(r));
    *result = reader_is_closed(r) ? VERIFY_SEALED : VERIFY_OK;
    if (!header_has_vector(h))
        return check_elements(v, NULL, r, err);
    has_field = use_field(v, r, err);
    if (has_field < 0)
        return -1;
    if (has_field && !h->seed && field_elem_size(v->field) != reader_elem_size(r))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has elements of %zu bytes, but field '%s' has %zu",
                           reader_elem_size(r), h->field, field_elem_size(v->field));
    if (header_is_sharing(h))
        has_scheme = check_share(v, r, err);
    if (has_scheme < 0 || check_elements(v, has_field && !h->seed ? v->field : NULL, r, err))
        return -1;
    if (!has_field || !has_scheme)
        *result = VERIFY_NO_PLUGIN;
    return 0;
}

void verify_free(struct verifier *v)
{
    field_free(v->field);
    scheme_free(v->scheme);
    if (v->block)
        explicit_bzero(v->block, BLOCK_BYTES);
    free(v->block);
    *v = (struct verifier){ 0 };
}
