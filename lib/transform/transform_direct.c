#include <stdlib.h>
#include <string.h>

#include "sharing/layout.h"
#include "sharing/sharing.h"
#include "transform/transform_finish.h"

/* The transfers that a share is made from: of each source, those with the first symbols of its old
 * share. */
struct direct {
    struct gather *g;
    struct gather_sum *group;
    struct scheme *scheme; /* of the old sharing */
    struct hagg_scheme_shape shape;
    struct scheme_prefixes prefixes;
    const struct hagg_scheme_prefix *prefix; /* of the old shares; NULL if there are too few */
    uint32_t *sources;                       /* prefix->holders indices of old holders */
    unsigned char *points;                   /* of these; NULL if the scheme has none */
    bool *used;                              /* by member */
    size_t *members;                         /* by source and symbol: the member that has it */
    struct matrix inverse;                   /* maps the symbols of the sources to the parts */
    uint64_t n_blocks;                       /* of the old sharing */
    size_t row_elems;                        /* of the new share of one symbol in one block */
};

static struct header_symbols symbols_of(const struct direct *d, size_t member)
{
    return scheme_symbols(&d->group->members[member].header.symbols, d->shape.symbols);
}

/* Lists the members that have the first n symbols of the source whose first member this is, and
 * returns false if a symbol is missing. Members ascend by source, and then by symbols. */
static bool list_symbols(const struct direct *d, size_t member, uint32_t n, size_t *members)
{
    uint32_t source = d->group->members[member].header.source.index, at = 0;

    for (; at < n && member < d->group->n; member++) {
        struct header_symbols own = symbols_of(d, member);

        if (d->group->members[member].header.source.index != source || own.first != at)
            return false;
        for (; at < own.end && at < n; at++)
            members[at] = member;
    }
    return at == n;
}

static bool begins_source(const struct direct *d, size_t member)
{
    const struct gather_member *m = &d->group->members[member];

    return member == 0 || m[-1].header.source.index != m->header.source.index;
}

/* Finds the first sources that have this prefix, and returns true if they are enough. */
static bool find_sources(struct direct *d, const struct hagg_scheme_prefix *prefix)
{
    uint32_t n = 0;

    for (size_t i = 0; i < d->group->n && n < prefix->holders; i++) {
        if (!begins_source(d, i) ||
            !list_symbols(d, i, prefix->symbols, d->members + (size_t)n * prefix->symbols))
            continue;
        d->sources[n++] = d->group->members[i].header.source.index;
    }
    return n == prefix->holders;
}

/* Chooses the shortest prefix that enough sources have sent. */
static int choose(struct direct *d, struct hagg_err *err)
{
    size_t most = 0;

    for (uint32_t i = 0; i < d->prefixes.n; i++) {
        size_t n = (size_t)d->prefixes.all[i].holders * d->prefixes.all[i].symbols;

        most = n > most ? n : most;
    }
    d->sources = calloc(d->prefixes.all[0].holders, sizeof *d->sources);
    d->members = calloc(most, sizeof *d->members);
    d->used = calloc(d->group->n, sizeof *d->used);
    if (!d->sources || !d->members || !d->used)
        return err_errno(err, "no memory for transfers");
    for (uint32_t i = 0; i < d->prefixes.n && !d->prefix; i++)
        if (find_sources(d, &d->prefixes.all[i]))
            d->prefix = &d->prefixes.all[i];
    for (size_t i = 0; d->prefix && i < (size_t)d->prefix->holders * d->prefix->symbols; i++)
        d->used[d->members[i]] = true;
    return 0;
}

/* Writes the points of the sources as packed elements. */
static int find_points(struct direct *d, struct hagg_err *err)
{
    size_t size = field_elem_size(d->g->field);

    if (!d->shape.uses_points)
        return 0;
    d->points = calloc(d->prefix->holders, size);
    if (!d->points)
        return err_errno(err, "no memory for %u points", d->prefix->holders);
    for (uint32_t i = 0; i < d->prefix->holders; i++) {
        const struct gather_member *m =
            &d->group->members[d->members[(size_t)i * d->prefix->symbols]];

        if (!m->header.source.has_point || m->header.source.point >= d->g->field->info.order)
            return err_set(err, HAGG_E_MALFORMED,
                           "its source has no point that is an element of field '%s'",
                           d->g->field->spec);
        hagg_store(d->points, i, size, m->header.source.point);
    }
    return 0;
}

/* Computes the matrix that decodes the parts of the old sharing from the symbols of the sources. */
static int find_inverse(struct direct *d, const struct header_scheme *old, struct hagg_err *err)
{
    struct sharing_part part = { .n = old->n, .k = old->k, .z = old->z };
    struct sharing s;
    int status = find_points(d, err);

    part.prefix = d->prefix;
    part.holders = d->sources;
    part.n_holders = d->prefix->holders;
    part.points = d->points;
    if (status == 0)
        status = sharing_new_part(&s, d->g->field, d->scheme, &part, err);
    if (status == 0) {
        status = sharing_inverse(&s, NULL, &d->inverse, err);
        sharing_free(&s);
    }
    if (status == 0)
        d->inverse.rows = d->shape.parts; /* the rest would give the random vectors */
    return status;
}

/* Sets up everything but the sizes, which need the new header. */
static int set_up(struct direct *d, const struct header_scheme *old, struct hagg_err *err)
{
    d->scheme = scheme_open(old->name, err);
    if (!d->scheme ||
        scheme_prefixes(d->scheme, old->n, old->k, old->z, &d->shape, &d->prefixes, err) ||
        choose(d, err))
        return -1;
    return d->prefix ? find_inverse(d, old, err) : 0;
}

static void direct_free(struct direct *d)
{
    scheme_free(d->scheme);
    matrix_free(&d->inverse);
    free(d->sources);
    free(d->points);
    free(d->used);
    free(d->members);
}

/* Extends the layout by the parts of the old sharing. */
static int add_cut(struct header *h, uint32_t n_parts, struct hagg_err *err)
{
    const uint32_t *cuts = h->layout;

    h->layout = calloc(h->n_layout + 1, sizeof *h->layout);
    if (!h->layout)
        return err_errno(err, "no memory for a share");
    for (size_t i = 0; i < h->n_layout; i++)
        h->layout[i] = cuts[i];
    h->layout[h->n_layout++] = n_parts;
    return 0;
}

/* Checks the lengths of the transfers that are used. */
static int check_lengths(const struct direct *d, struct hagg_err *err)
{
    for (size_t i = 0; i < d->group->n; i++) {
        const struct gather_member *m = &d->group->members[i];
        struct header_symbols own = symbols_of(d, i);
        uint64_t n = d->n_blocks * (own.end - own.first) * d->row_elems;

        if (d->used[i] &&
            (m->stored.n_elems != n || !scheme_sends(&d->prefixes, &m->header.symbols)))
            return err_set(err, HAGG_E_MALFORMED, "%s: transfer has %llu elements, not %llu",
                           gather_file(d->g, m), (unsigned long long)m->stored.n_elems,
                           (unsigned long long)n);
    }
    return 0;
}

/* Points to the row of each symbol of each source in a block. */
static void find_rows(const struct direct *d, unsigned char *const *elems, uint64_t block,
                      const void **from)
{
    size_t size = field_elem_size(d->g->field), symbols = d->prefix->symbols;

    for (size_t i = 0; i < d->prefix->holders * symbols; i++) {
        struct header_symbols own = symbols_of(d, d->members[i]);
        uint64_t row = block * (own.end - own.first) + i % symbols - own.first;

        from[i] = elems[d->members[i]] + row * d->row_elems * size;
    }
}

/* Computes a new share of each part of the old sharing. */
static int combine(const struct direct *d, const struct header *h, struct outfiles *out,
                   struct hagg_err *err)
{
    size_t size = field_elem_size(d->g->field), n_parts = d->inverse.rows;
    size_t n_elems = (size_t)d->n_blocks * n_parts * d->row_elems;
    unsigned char **elems = finish_load(d->g, d->group, d->used, err);
    unsigned char *share = calloc(n_elems + 1, size);
    const void **from = calloc(d->inverse.cols, sizeof *from);
    void **to = calloc(n_parts, sizeof *to);
    int status = -1;

    if (elems && (!share || !from || !to))
        err_errno(err, "no memory for a share");
    else if (elems) {
        for (uint64_t block = 0; block < d->n_blocks; block++) {
            find_rows(d, elems, block, from);
            for (size_t j = 0; j < n_parts; j++)
                to[j] = share + (block * n_parts + j) * d->row_elems * size;
            matrix_apply(&d->inverse, d->g->field, to, from, d->row_elems);
        }
        status = finish_write(d->g, h, out, share, n_elems, err);
    }
    if (share)
        explicit_bzero(share, n_elems * size);
    finish_unload(d->g, d->group, elems);
    free(share);
    free(from);
    free(to);
    return status;
}

/* Sets the lengths. h is the header of the new share. */
static int measure(struct direct *d, const struct header *h, struct hagg_err *err)
{
    struct layout old;
    uint64_t n_elems;

    if (finish_share_length(h, &n_elems, err))
        return -1;
    layout_of(&d->group->members[0].header, &old);
    d->n_blocks = old.n_blocks;
    d->row_elems = (size_t)(n_elems / (old.n_blocks * d->shape.parts));
    return 0;
}

static int fail(const struct direct *d, const struct hagg_err *cause, struct hagg_err *err)
{
    return err_set(err, cause->status == HAGG_E_SYSTEM ? HAGG_E_SYSTEM : HAGG_E_MALFORMED, "%s: %s",
                   gather_file(d->g, &d->group->members[0]), cause->text);
}

static int too_few(const struct direct *d, const struct header_scheme *old, struct hagg_err *err)
{
    uint32_t n_sources = 0;

    for (size_t i = 0; i < d->group->n; i++)
        n_sources += begins_source(d, i);
    if (n_sources >= old->k)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: the holders contributed parts of their shares, which more of them must "
                       "do: get the other transfers, or, if a holder is missing, let the others "
                       "contribute the rest with --from and --after",
                       gather_file(d->g, &d->group->members[0]));
    return finish_too_few(d->g, d->group, old->k,
                          old->n > old->k
                              ? "get the others, or, if a holder is missing, let another "
                                "contribute with --from and the numbers of the holders that take "
                                "part"
                              : "get the others: all are needed",
                          err);
}

int finish_direct(struct gather *g, struct gather_sum *group, struct header *h,
                  struct outfiles *out, struct hagg_err *err)
{
    struct direct d = { .g = g, .group = group };
    struct hagg_err cause = { 0 };
    int status = -1;

    if (set_up(&d, &h->source, &cause))
        fail(&d, &cause, err);
    else if (!d.prefix)
        too_few(&d, &h->source, err);
    else {
        finish_set_mix(group, d.used, h);
        h->source = (struct header_scheme){ 0 };
        h->symbols = (struct header_symbols){ 0 };
        if (add_cut(h, d.shape.parts, err) == 0) {
            if (measure(&d, h, &cause))
                fail(&d, &cause, err);
            else if (check_lengths(&d, err) == 0)
                status = combine(&d, h, out, err);
            free(h->layout);
        }
    }
    direct_free(&d);
    return status;
}
