#include "decode/decode.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "records/agree.h"
#include "decode/decode_state.h"
#include "decode/summands.h"
#include "base/large.h"
#include "plan/plan_aligned.h"
#include "protocol/record_check.h"
#include "records/record_field.h"
#include "records/stream.h"
#include "state/state_sum.h"

/* Bytes of a vector that are added at once. */
#define BLOCK_BYTES (128u * 1024)

struct decode *decode_new(const struct decode_options *options, struct hagg_err *err)
{
    struct decode *d = calloc(1, sizeof *d);

    if (!d) {
        err_errno(err, "cannot set up decoding");
        return NULL;
    }
    d->options = options;
    d->last = &d->pieces;
    if (options->plan && !(d->round = protocol_open(options->plan, NULL, err))) {
        free(d);
        return NULL;
    }
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
    protocol_free(d->round);
    protocol_free(d->summed);
    field_free(d->field);
    scheme_free(d->scheme);
    free(d);
}

/* Returns true if relays still have to add up the share. */
static bool is_on_its_way(const struct plan *plan, const struct header *h)
{
    bool relays = h->n_route > 1 || (plan && plan_tiers(plan) > 1);

    return relays && h->to.tier[0] && strcmp(h->to.tier, "federator") != 0;
}

/* Checks that the record belongs to the plan and agrees with the records before it. */
static int check_record(const struct decode *d, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct plan *plan = d->options->plan;

    if (h->kind == HEADER_TRANSFER)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a transfer: finish it first with hagg-transform --step finish");
    if (record_check_round(d->options->asked_round, r, err))
        return -1;
    if (record_check(d->round, r, err))
        return -1;
    if (h->kind == HEADER_VECTOR && decode_is_value(h))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a vector in the clear, not a share");
    if (h->kind == HEADER_VECTOR && h->to.tier[0] && strcmp(h->to.tier, "federator"))
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "contains keys addressed to %s %u: the federator accepts only the total "
                           "of the keys, from the last station of the chain",
                           h->to.tier, h->to.number);
    if (h->secret == HEADER_MASK)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a mask for station %u, which adds it to its sum with hagg-aggregate",
                           h->route[0].numbers[h->scheme.index]);
    if (h->n_segments > 0 && strcmp(h->from.tier, "client") == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a share of client %u: add it up at its station with hagg-aggregate",
                           h->from.number);
    if (h->seed)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a seed for %s %u: add up its expansion there with hagg-aggregate",
                           h->to.tier, h->to.number);
    if (h->kind == HEADER_SHARE && plan && plan_transforms(plan, h))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is for relays that have sharings of their own: transform it first with "
                           "hagg-transform");
    if (h->kind == HEADER_SHARE && is_on_its_way(plan, h))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is addressed to %s %u: add it up there first with hagg-aggregate",
                           h->to.tier, h->to.number);
    for (int i = 0; i < 2; i++)
        if (d->anchors[i] &&
            agree_on_round(decode_header_of(d->anchors[i]), decode_file_of(d, d->anchors[i]), h,
                           reader_name(r), err))
            return -1;
    return 0;
}

/* A summand is decoded with all sums of its plan, which are one sharing. */
static int compare_pieces(const void *a, const void *b)
{
    const struct header *of_a = decode_header_of(a), *of_b = decode_header_of(b);

    if (of_a->kind == HEADER_SUMMAND || of_b->kind == HEADER_SUMMAND)
        return 0;
    return agree_compare_pattern(of_a, of_b);
}

/* Adds the share to its piece, which is created if necessary. On success the piece owns the
 * share. */
static int add_share(struct decode *d, struct pattern_share *share, struct hagg_err *err)
{
    struct piece *fresh = calloc(1, sizeof *fresh), **found;
    bool is_key = !decode_is_value(&share->header);

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
    /* not pattern_free: the share still belongs to the caller */
    free(fresh->pattern.shares);
    free(fresh);
    if (!found)
        return err_errno(err, "no memory for one more share");
    if (share->header.kind == HEADER_VECTOR)
        return err_set(
            err, HAGG_E_PRIVACY,
            "%s: contains a second sum of keys (the first is in %s): only the total of the keys "
            "can be decoded, so add them up along the chain with hagg-aggregate --only keys",
            filecache_name(&d->files, share->stored.file), decode_file_of(d, *found));
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

    if (check_record(d, r, err) || record_field(&d->field, r, err))
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
    return stream_each(path, STREAM_EMPTY, d->options->opener, add_record, d, err);
}

int decode_use_scheme(struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const char *name = decode_header_of(p)->scheme.name;
    struct hagg_err cause = { 0 };

    if (d->scheme && strcmp(d->scheme->name, name) == 0)
        return 0;
    scheme_free(d->scheme);
    d->scheme = scheme_open(name, &cause);
    if (!d->scheme)
        return err_set(err, cause.status, "%s: %s", decode_file_of(d, p), cause.text);
    return 0;
}

int decode_add_vector(struct decode *d, struct stored *stored, bool subtract, struct hagg_err *err)
{
    void (*add)(const struct field *f, void *out, const void *a, const void *b, size_t n) =
        subtract ? field_sub : field_add;
    size_t size = field_elem_size(d->field), max = BLOCK_BYTES / size, n;
    unsigned char *block = malloc(BLOCK_BYTES);
    uint64_t at = 0;
    int status = block ? 0 : err_errno(err, "no memory to decode");

    do {
        n = stored->n_elems - at < max ? (size_t)(stored->n_elems - at) : max;
        if (status == 0)
            status = stored_read(stored, &d->files, d->field, block, n, err);
        if (status == 0)
            add(d->field, d->total + at * size, d->total + at * size, block, n);
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
    const struct header *h = decode_header_of(p);
    enum pattern_use use = PATTERN_ADD;
    struct pattern_tools tools;

    if (h->kind == HEADER_VECTOR)
        return decode_add_vector(d, &p->pattern.shares[0].stored, true, err);
    if (h->n_segments == 0 && !summands_has(p) && decode_use_scheme(d, p, err))
        return -1;
    tools = (struct pattern_tools){
        .field = d->field,
        .scheme = d->scheme,
        .files = &d->files,
        .pool = d->options->pool,
        .progress = d->options->progress,
        .correct = d->options->correct,
    };
    if (summands_has(p))
        return summands_decode(d, p, &tools, err);
    if (!decode_is_value(h))
        use = PATTERN_SUBTRACT;
    else if (p == d->pieces)
        use = PATTERN_SET;
    if (h->n_segments > 0)
        return pattern_decode_aligned(&p->pattern, &tools, use, d->total, err);
    return pattern_decode(&p->pattern, &tools, use, d->total, err);
}

/* Enters the clients of the total into the state, before the caller can see the total. */
static int remember(const struct decode *d, struct hagg_err *err)
{
    const struct header *h = decode_header(d);
    struct state_key key = state_sum_key(h, node_in_header(NODE_THE_FEDERATOR));

    key.what = STATE_TOTAL;
    if (!state_sum_counts(h) || d->values.n == 0)
        return 0;
    if (state_claim_sum(d->options->state, &key, &d->values, NULL, err))
        return -1;
    return state_commit(d->options->state, err);
}

int decode_run(struct decode *d, struct hagg_err *err)
{
    if (decode_check(d, err))
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
    return remember(d, err);
}

const void *decode_total(const struct decode *d)
{
    return d->total;
}

/* The sum of a station without clients does not describe the vectors. */
const struct header *decode_header(const struct decode *d)
{
    const struct pattern *p = &d->anchors[0]->pattern;

    for (size_t i = 0; i < p->n_shares; i++)
        if (p->shares[i].header.has_shape || p->shares[i].header.type[0])
            return &p->shares[i].header;
    return decode_header_of(d->anchors[0]);
}

const struct field *decode_field(const struct decode *d)
{
    return d->field;
}

const struct plan *decode_plan(const struct decode *d)
{
    return d->options->plan;
}

const struct rangeset *decode_clients(const struct decode *d)
{
    return &d->values;
}

static void name_holder(const struct decode *d, const struct pattern_share *share,
                        struct decode_blame *blame)
{
    const struct header *h = &share->header;

    memcpy(blame->holder.tier, h->route[0].name, sizeof blame->holder.tier);
    blame->holder.number = h->route[0].numbers[h->scheme.index];
    blame->file = filecache_name(&d->files, share->stored.file);
}

bool decode_next_blame(const struct decode *d, size_t *at, struct decode_blame *blame)
{
    size_t i = 0;

    for (const struct piece *p = d->pieces; p; p = p->next)
        for (size_t s = 0; s < p->pattern.n_shares; s++) {
            if (p->pattern.shares[s].n_wrong == 0 || i++ < *at)
                continue;
            ++*at;
            name_holder(d, &p->pattern.shares[s], blame);
            return true;
        }
    return false;
}

/* Adds the holders of a sharing without those whose sums arrived, or are zero. */
static int add_missing(const struct decode *d, const struct pattern *p, struct rangeset *missing,
                       struct hagg_err *err)
{
    const struct header *last = &p->shares[p->n_shares - 1].header;
    bool combined = last->kind == HEADER_SUMMAND;
    const struct rangeset basis = { .ranges = last->basis, .n = last->n_basis };
    const struct topology_list *all = combined ? &d->options->plan->aligned->stations : NULL;
    const uint32_t *numbers = combined ? all->numbers : last->route[0].numbers;
    size_t n = combined ? all->n : last->route[0].n_numbers, next = 0;

    for (size_t i = 0; i < n; i++) {
        bool is_here = combined ? rangeset_overlap(&basis, numbers[i], numbers[i]) > 0
                                : next < p->n_shares && p->shares[next].header.scheme.index == i;

        next += !combined && is_here;
        if (!is_here && rangeset_add(missing, numbers[i], numbers[i], err))
            return -1;
    }
    return 0;
}

const char *decode_missing(const struct decode *d, struct rangeset *missing, struct hagg_err *err)
{
    const struct header *h = decode_header(d);

    for (const struct piece *p = d->pieces; p; p = p->next)
        if (decode_header_of(p)->kind != HEADER_VECTOR && add_missing(d, &p->pattern, missing, err))
            return NULL;
    return h->kind == HEADER_SUMMAND ? "station" : h->route[0].name;
}
