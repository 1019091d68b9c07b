#include "decode.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "describe.h"
#include "large.h"
#include "plan_record.h"
#include "stream.h"

/* Elements of a key that are taken off at once. */
#define BLOCK_BYTES (128u * 1024)

/* A sharing, or a vector in the clear, which is a sharing of one. */
struct piece {
    struct pattern pattern;
    struct piece *next;
};

struct decode {
    const struct decode_options *options;
    struct filecache files;
    struct field *field;
    struct scheme *scheme;
    struct piece *pieces, **last;   /* in order of coming */
    void *tree;                     /* of pieces, by pattern */
    const struct piece *anchors[2]; /* the first value and the first key: all agree with both */
    struct rangeset values, keys;   /* clients in the one and in the other */
    unsigned char *total;
};

struct decode *decode_new(const struct decode_options *options, struct hagg_err *err)
{
    struct decode *d = calloc(1, sizeof *d);

    if (!d) {
        err_errno(err, "cannot set up decoding");
        return NULL;
    }
    d->options = options;
    d->last = &d->pieces;
    return d;
}

static void ignore(void *node)
{
    (void)node;
}

void decode_free(struct decode *d)
{
    if (!d)
        return;
    if (d->total)
        explicit_bzero(d->total, decode_header(d)->length * field_elem_size(d->field));
    free(d->total);
    tdestroy(d->tree, ignore);
    while (d->pieces) {
        struct piece *next = d->pieces->next;

        pattern_free(&d->pieces->pattern);
        free(d->pieces);
        d->pieces = next;
    }
    filecache_free(&d->files);
    rangeset_free(&d->values);
    rangeset_free(&d->keys);
    field_free(d->field);
    scheme_free(d->scheme);
    free(d);
}

static bool is_value(const struct header *h)
{
    return h->secret == HEADER_PLAIN || h->secret == HEADER_PADDED;
}

static const struct header *header_of(const struct piece *p)
{
    return &p->pattern.shares[0].header;
}

static const char *file_of(const struct decode *d, const struct piece *p)
{
    return filecache_name(&d->files, p->pattern.shares[0].stored.file);
}

static int use_field(struct decode *d, const struct reader *r, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    if (!d->field && !(d->field = field_open(reader_header(r)->field, &cause)))
        return reader_fail(r, err, cause.status == HAGG_E_USAGE ? HAGG_E_MALFORMED : cause.status,
                           "%s", cause.text);
    if (reader_elem_size(r) != field_elem_size(d->field))
        return reader_fail(r, err, HAGG_E_MALFORMED,
                           "payload has elements of %zu bytes, field '%s' has %zu",
                           reader_elem_size(r), d->field->spec, field_elem_size(d->field));
    return 0;
}

/* That the record belongs to the plan and to those before it. */
static int check_record(const struct decode *d, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct plan *plan = d->options->plan;

    if (plan && plan_record_check(plan, r, err))
        return -1;
    if (h->kind == HEADER_VECTOR && is_value(h))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a vector in the clear, not a share");
    if (h->kind == HEADER_VECTOR && h->to.tier[0] && strcmp(h->to.tier, "federator"))
        return reader_fail(
            r, err, HAGG_E_PRIVACY,
            "holds keys on their way to %s %u: only their total may come here, along "
            "the chain of stations",
            h->to.tier, h->to.number);
    for (int i = 0; i < 2; i++)
        if (d->anchors[i] && agree_on_round(header_of(d->anchors[i]), file_of(d, d->anchors[i]), h,
                                            reader_name(r), err))
            return -1;
    return 0;
}

static int compare_pieces(const void *a, const void *b)
{
    return agree_compare_pattern(header_of(a), header_of(b));
}

/* Adds the share to the piece it belongs to, or begins a new one with it. */
static int add_share(struct decode *d, struct pattern_share *share, struct hagg_err *err)
{
    struct piece *fresh = calloc(1, sizeof *fresh), **found;
    bool is_key = !is_value(&share->header);

    if (!fresh || pattern_add(&fresh->pattern, share, &d->files, err)) {
        if (!fresh)
            err_errno(err, "no memory for one more share");
        free(fresh);
        return -1;
    }
    found = tsearch(fresh, &d->tree, compare_pieces);
    if (found && *found == fresh) {
        *d->last = fresh;
        d->last = &fresh->next;
        if (!d->anchors[is_key])
            d->anchors[is_key] = fresh;
        *share = (struct pattern_share){ 0 };
        return 0;
    }
    /* the share itself is still the caller's */
    free(fresh->pattern.shares);
    free(fresh);
    if (!found)
        return err_errno(err, "no memory for one more share");
    if (share->header.kind == HEADER_VECTOR)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: keys come in more than one sum (see %s): only their total may come "
                       "here, add them up along the chain with hagg-aggregate --only keys",
                       filecache_name(&d->files, share->stored.file), file_of(d, *found));
    if (pattern_add(&(*found)->pattern, share, &d->files, err))
        return -1;
    *share = (struct pattern_share){ 0 };
    return 0;
}

static int add_record(void *decode, struct reader *r, struct hagg_err *err)
{
    struct decode *d = decode;
    struct pattern_share share = { 0 };
    int status;

    if (check_record(d, r, err) || use_field(d, r, err))
        return -1;
    status = agree_copy(&share.header, reader_header(r), err);
    if (status == 0)
        status = stored_keep(&share.stored, d->files.n - 1, r, err);
    if (status == 0)
        status = add_share(d, &share, err);
    header_clear(&share.header);
    stored_free(&share.stored);
    return status;
}

int decode_add(struct decode *d, const char *path, struct hagg_err *err)
{
    size_t file;

    if (filecache_add(&d->files, path, &file, err))
        return -1;
    return stream_each(path, add_record, d, err);
}

/* Two runs of sharing, or sums that took shares from different ones, do not decode together. */
static int check_same_run(const struct decode *d, const struct pattern_share *a,
                          const struct pattern_share *b, struct hagg_err *err)
{
    if (a->header.has_id && b->header.has_id &&
        memcmp(a->header.id, b->header.id, sizeof a->header.id))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: holds shares of another run of hagg-share than %s: take all from one "
                       "run",
                       filecache_name(&d->files, b->stored.file),
                       filecache_name(&d->files, a->stored.file));
    return 0;
}

/* That all shares of a piece hold the same clients: a sum over one set and a sum over another do
 * not decode to a sum. */
static int check_same_clients(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct pattern_share *first = &p->pattern.shares[0];

    for (size_t i = 1; i < p->pattern.n_shares; i++) {
        const struct pattern_share *s = &p->pattern.shares[i];
        struct header_range missing;
        bool in_first;

        if (!rangeset_difference(first->header.clients, first->header.n_clients, s->header.clients,
                                 s->header.n_clients, &missing, &in_first)) {
            /* a surplus share finds the wrong one out, and may put it right */
            if (p->pattern.n_shares <= first->header.scheme.k && check_same_run(d, first, s, err))
                return -1;
            continue;
        }
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: client %u is missing, but is in %s: agree on the clients that remain "
                       "and use hagg-aggregate --clients",
                       filecache_name(&d->files, in_first ? s->stored.file : first->stored.file),
                       missing.first,
                       filecache_name(&d->files, in_first ? first->stored.file : s->stored.file));
    }
    return 0;
}

/* Collects the clients of all pieces; none may be in two pieces of a kind. */
static int collect_clients(struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct header *h = header_of(p);
    struct rangeset *set = is_value(h) ? &d->values : &d->keys;

    for (size_t i = 0; i < h->n_clients; i++) {
        if (rangeset_overlap(set, h->clients[i].first, h->clients[i].last) > 0)
            return err_set(err, HAGG_E_MISMATCH,
                           "%s: one of the clients %u-%u is in two sharings at once", file_of(d, p),
                           h->clients[i].first, h->clients[i].last);
        if (rangeset_add(set, h->clients[i].first, h->clients[i].last, err))
            return -1;
    }
    return 0;
}

/* That the keys are those of the runs that made the shares: over all clients, their identities have
 * the same XOR. Nothing can be told where one is missing, or where shares of a piece differ in it.
 */
static int check_key_runs(const struct decode *d, struct hagg_err *err)
{
    uint8_t sum[16] = { 0 };
    static const uint8_t zero[16];

    for (const struct piece *p = d->pieces; p; p = p->next) {
        const struct header *first = header_of(p);

        for (size_t i = 0; i < p->pattern.n_shares; i++) {
            const struct header *h = &p->pattern.shares[i].header;

            if (!h->has_id || memcmp(h->id, first->id, sizeof sum))
                return 0;
        }
        for (size_t i = 0; i < sizeof sum; i++)
            sum[i] ^= first->id[i];
    }
    if (memcmp(sum, zero, sizeof sum))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: holds keys of another run of hagg-share than the shares: a client has "
                       "started over, and stations must use one upload of it",
                       file_of(d, d->anchors[1]));
    return 0;
}

/* That every pad comes off, and nothing else does. */
static int check_keys(const struct decode *d, struct hagg_err *err)
{
    struct header_range missing;
    bool in_values, padded = false;

    for (const struct piece *p = d->pieces; p; p = p->next)
        padded = padded || header_of(p)->secret == HEADER_PADDED;
    if (!padded && d->anchors[1])
        return err_set(err, HAGG_E_MISMATCH, "%s: holds keys, but no vector here is padded",
                       file_of(d, d->anchors[1]));
    if (padded && !d->anchors[1])
        return err_set(err, HAGG_E_TOO_FEW, "the keys are missing: %s",
                       d->options->plan && d->options->plan->topology.full
                           ? "the stations send sums of shares of them, too"
                           : "their total comes from the last station of the chain");
    if (padded && rangeset_difference(d->values.ranges, d->values.n, d->keys.ranges, d->keys.n,
                                      &missing, &in_values))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: client %u is in the %s but not in the %s: add up both over the same "
                       "clients, and never send a second total of the keys",
                       file_of(d, d->anchors[1]), missing.first, in_values ? "shares" : "keys",
                       in_values ? "keys" : "shares");
    return padded ? check_key_runs(d, err) : 0;
}

static int check_minimum(const struct decode *d, struct hagg_err *err)
{
    uint64_t n = rangeset_count(&d->values);

    return n > 0 ? plan_check_minimum(d->options->minimum, n, err) : 0;
}

/* That there are k shares of everything. */
static int check_enough(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct header *h = header_of(p);
    struct text holders = { 0 };
    uint32_t missing = 0;
    int status;

    if (h->kind == HEADER_VECTOR || p->pattern.n_shares >= h->scheme.k)
        return 0;
    /* shares ascend by index, so the first gap is a missing one */
    while (missing < p->pattern.n_shares &&
           p->pattern.shares[missing].header.scheme.index == missing)
        missing++;
    pattern_describe(&p->pattern, &holders);
    status =
        err_set(err, HAGG_E_TOO_FEW,
                "%zu of the shares of %s came, %u are needed: that of %s %u is missing, for one",
                p->pattern.n_shares, text_ok(&holders) ? holders.bytes : "a sharing", h->scheme.k,
                h->route[0].name, h->route[0].numbers[missing]);
    text_free(&holders);
    (void)d;
    return status;
}

static int use_scheme(struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const char *name = header_of(p)->scheme.name;
    struct hagg_err cause = { 0 };

    if (d->scheme && strcmp(d->scheme->ops.name, name) == 0)
        return 0;
    scheme_free(d->scheme);
    d->scheme = scheme_open(name, &cause);
    if (!d->scheme)
        return err_set(err, cause.status, "%s: %s", file_of(d, p), cause.text);
    return 0;
}

/* That the shares are as long as the vector makes them, before memory is taken for it. */
static int check_length(struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct header *h = header_of(p);
    struct hagg_scheme_shape shape;
    struct hagg_err cause = { 0 };

    if (h->kind == HEADER_VECTOR)
        return 0;
    if (use_scheme(d, p, err))
        return -1;
    if (scheme_shape(d->scheme, h->scheme.n, h->scheme.k, h->scheme.z, &shape, &cause))
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", file_of(d, p), cause.text);
    for (size_t i = 0; i < p->pattern.n_shares; i++) {
        const struct stored *s = &p->pattern.shares[i].stored;
        uint64_t expected = scheme_share_length(&shape, h->length);

        if (s->n_elems != expected)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: share has %llu elements, its scheme gives %llu",
                           filecache_name(&d->files, s->file), (unsigned long long)s->n_elems,
                           (unsigned long long)expected);
    }
    return 0;
}

static int check(struct decode *d, struct hagg_err *err)
{
    if (!d->anchors[0])
        return err_set(err, HAGG_E_TOO_FEW, "there are no shares to decode");
    for (const struct piece *p = d->pieces; p; p = p->next)
        if (check_same_clients(d, p, err) || collect_clients(d, p, err))
            return -1;
    if (check_minimum(d, err) || check_keys(d, err))
        return -1;
    for (const struct piece *p = d->pieces; p; p = p->next)
        if (check_enough(d, p, err) || check_length(d, p, err))
            return -1;
    return 0;
}

/* Takes off a key that came as it is. */
static int subtract_vector(struct decode *d, struct piece *p, struct hagg_err *err)
{
    struct stored *stored = &p->pattern.shares[0].stored;
    size_t size = field_elem_size(d->field), max = BLOCK_BYTES / size, n;
    unsigned char *block = malloc(BLOCK_BYTES);
    uint64_t at = 0;
    int status = block ? 0 : err_errno(err, "no memory to decode");

    do {
        n = stored->n_elems - at < max ? (size_t)(stored->n_elems - at) : max;
        if (status == 0)
            status = stored_read(stored, &d->files, d->field, block, n, err);
        if (status == 0)
            field_sub(d->field, d->total + at * size, d->total + at * size, block, n);
        progress_add(d->options->progress, n * size);
        at += n;
    } while (status == 0 && at < stored->n_elems);
    if (block)
        explicit_bzero(block, BLOCK_BYTES);
    free(block);
    return status;
}

static int decode_piece(struct decode *d, struct piece *p, struct hagg_err *err)
{
    const struct header *h = header_of(p);
    struct pattern_tools tools;

    if (h->kind == HEADER_VECTOR)
        return subtract_vector(d, p, err);
    if (use_scheme(d, p, err))
        return -1;
    tools = (struct pattern_tools){
        .field = d->field,
        .scheme = d->scheme,
        .files = &d->files,
        .pool = d->options->pool,
        .progress = d->options->progress,
        .correct = d->options->correct,
    };
    return pattern_decode(&p->pattern, &tools, !is_value(h), d->total, err);
}

int decode_run(struct decode *d, struct hagg_err *err)
{
    if (check(d, err))
        return -1;
    if (decode_header(d)->length < SIZE_MAX)
        d->total = calloc((size_t)decode_header(d)->length + 1, field_elem_size(d->field));
    if (!d->total)
        return err_errno(err, "no memory for the total");
    large_hint(d->total, (size_t)decode_header(d)->length * field_elem_size(d->field));
    for (struct piece *p = d->pieces; p; p = p->next)
        progress_expect(d->options->progress, p->pattern.n_shares *
                                                  p->pattern.shares[0].stored.n_elems *
                                                  field_elem_size(d->field));
    for (struct piece *p = d->pieces; p; p = p->next)
        if (decode_piece(d, p, err))
            return -1;
    return 0;
}

const void *decode_total(const struct decode *d)
{
    return d->total;
}

const struct header *decode_header(const struct decode *d)
{
    return header_of(d->anchors[0]);
}

const struct field *decode_field(const struct decode *d)
{
    return d->field;
}

const struct rangeset *decode_clients(const struct decode *d)
{
    return &d->values;
}

bool decode_next_blame(const struct decode *d, size_t *at, struct decode_blame *blame)
{
    size_t i = 0;

    for (const struct piece *p = d->pieces; p; p = p->next)
        for (size_t s = 0; s < p->pattern.n_shares; s++) {
            const struct pattern_share *share = &p->pattern.shares[s];
            const struct header *h = &share->header;

            if (share->n_wrong == 0 || i++ < *at)
                continue;
            ++*at;
            memcpy(blame->holder.tier, h->route[0].name, sizeof blame->holder.tier);
            blame->holder.number = h->route[0].numbers[h->scheme.index];
            blame->file = filecache_name(&d->files, share->stored.file);
            return true;
        }
    return false;
}
