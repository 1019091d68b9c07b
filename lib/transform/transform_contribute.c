#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/agree.h"
#include "transform/contributor.h"
#include "records/record_field.h"
#include "transform/mix.h"
#include "protocol/record_check.h"
#include "records/spread.h"
#include "records/stream.h"
#include "transform/transform_remember.h"

/* Elements that are read at once. */
#define READ_ELEMS ((size_t)1 << 17)

static void share_free(struct contributor *c)
{
    if (c->share)
        explicit_bzero(c->share, c->n_touched * field_elem_size(c->field));
    free(c->share);
    c->share = NULL;
    header_clear(&c->header);
}

/* Opens the field and the schemes of the first record. All records must have the same. */
static int use_plugins(struct contributor *c, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const char *name = c->o->scheme ? c->o->scheme : h->scheme.name;
    struct hagg_err cause = { 0 };

    if (record_field(&c->field, r, err))
        return -1;
    if (!c->old_scheme &&
        (!(c->old_scheme = scheme_open(h->scheme.name, &cause)) ||
         !(c->new_scheme = scheme_open(name, &cause)) || !(c->ramp = scheme_open("ramp", &cause))))
        return reader_fail(r, err, cause.status == HAGG_E_USAGE ? HAGG_E_MALFORMED : cause.status,
                           "%s", cause.text);
    if (strcmp(c->old_scheme->name, h->scheme.name))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is in scheme '%s', but others are in '%s'",
                           h->scheme.name, c->old_scheme->name);
    return 0;
}

/* Reads block by block, so that a length that a pipe only declares costs no memory and no
 * wiping. */
static int read_share(struct contributor *c, struct reader *r, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field), at = 0, got;

    do {
        size_t n = c->n_elems - at < READ_ELEMS ? c->n_elems - at + 1 : READ_ELEMS;

        c->n_touched = at + n;
        if (reader_read(r, c->share + at * size, n, &got, err))
            return -1;
        if (field_check(c->field, c->share + at * size, got) < got)
            return reader_fail(r, err, HAGG_E_MALFORMED,
                               "share has values that are not elements of field '%s'",
                               c->field->spec);
        at += got;
    } while (got > 0);
    return 0;
}

/* Reads and checks the share. */
static int load_share(struct contributor *c, struct reader *r, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    c->old = c->header.scheme;
    c->n_touched = 0;
    layout_of(&c->header, &c->layout);
    if (scheme_prefixes(c->old_scheme, c->old.n, c->old.k, c->old.z, &c->shape, &c->prefixes,
                        &cause))
        return reader_fail(r, err, HAGG_E_MALFORMED, "%s", cause.text);
    if (c->header.symbols.end > 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "has some symbols of a share only: transform whole shares");
    c->share_length = (size_t)scheme_share_length(&c->shape, c->layout.block_length);
    if (reader_n_elems(r) != c->layout.n_blocks * c->share_length)
        return reader_fail(r, err, HAGG_E_MALFORMED, "share has %llu elements, not %llu",
                           (unsigned long long)reader_n_elems(r),
                           (unsigned long long)(c->layout.n_blocks * c->share_length));
    c->n_elems = (size_t)reader_n_elems(r);
    c->share = calloc(c->n_elems + 1, field_elem_size(c->field));
    if (!c->share)
        return err_errno(err, "%s", reader_name(r));
    return read_share(c, r, err);
}

int contributor_check_symbols(const struct scheme *scheme, uint32_t n_symbols, struct hagg_err *err)
{
    if (n_symbols == 1)
        return 0;
    return err_set(err, HAGG_E_MISMATCH,
                   "shares of scheme '%s' have several symbols: use --method direct", scheme->name);
}

static uint32_t holder_of(const struct header *h, uint32_t index)
{
    return h->route[0].numbers[index];
}

/* Returns true if this holder takes part, and sets *before to the number of old holders before it
 * that do. At most `most` holders of the set, or of all if it is NULL, take part. */
static bool takes_part(const struct contributor *c, const struct rangeset *set, uint32_t most,
                       uint32_t *before)
{
    *before = 0;
    for (uint32_t i = 0; i < c->old.n; i++) {
        uint32_t number = holder_of(&c->header, i);
        bool takes = set ? rangeset_overlap(set, number, number) > 0 : *before < most;

        if (i == c->old.index)
            return takes && *before < most;
        *before += takes;
    }
    return false;
}

int contributor_sources(const struct contributor *c, uint32_t *sources, struct hagg_err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->old.n && n < c->old.k; i++) {
        uint32_t number = holder_of(&c->header, i);

        if (c->o->sources && rangeset_overlap(c->o->sources, number, number) == 0)
            continue;
        if (sources)
            sources[n] = i;
        n++;
    }
    if (n < c->old.k)
        return err_set(err, HAGG_E_TOO_FEW,
                       "only %u of the old holders take part, but %u are needed", n, c->old.k);
    return 0;
}

/* Sets the route of the new sharing, which points to the numbers in the options. */
static void new_route(const struct contributor *c, struct header_tier *tier)
{
    *tier = (struct header_tier){
        .numbers = (uint32_t *)(uintptr_t)c->o->holders, /* only read */
        .n_numbers = c->o->n,
    };
    snprintf(tier->name, sizeof tier->name, "%s", c->o->tier);
}

static int new_points(const struct contributor *c, unsigned char **points, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field);

    *points = NULL;
    if (!c->o->points)
        return 0;
    *points = malloc(c->o->n * size);
    if (!*points)
        return err_errno(err, "no memory for points");
    for (uint32_t i = 0; i < c->o->n; i++) {
        if (c->o->points[i] == 0 || c->o->points[i] >= c->field->info.order)
            return err_set(err, HAGG_E_USAGE, "point %llu is not a nonzero element of field '%s'",
                           (unsigned long long)c->o->points[i], c->field->spec);
        hagg_store(*points + i * size, 0, size, c->o->points[i]);
    }
    return 0;
}

int contributor_sharing(const struct contributor *c, const struct scheme *scheme, uint32_t k,
                        uint32_t z, struct sharing *s, struct hagg_err *err)
{
    unsigned char *points;
    int status = new_points(c, &points, err);

    if (status == 0)
        status = sharing_new(s, c->field, scheme, c->o->n, k, z, points, NULL, err);
    free(points);
    return status;
}

unsigned char *contributor_pad(const struct contributor *c, const struct sharing *s,
                               const unsigned char *elems, size_t n_blocks, size_t length,
                               size_t *n_padded, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field);
    size_t padded = s->shape.parts * (size_t)sharing_part_length(s, length);
    unsigned char *parts = calloc(n_blocks * padded + 1, size);

    if (!parts)
        err_errno(err, "no memory to share a share");
    for (size_t i = 0; i < n_blocks && parts; i++)
        memcpy(parts + i * padded * size, elems + i * length * size, length * size);
    *n_padded = n_blocks * padded;
    return parts;
}

int contributor_transfer_header(struct contributor *c, bool extends, struct hagg_err *err)
{
    struct header *h = &c->header;
    uint8_t fresh[MIX_HALF_BYTES];

    h->kind = HEADER_TRANSFER;
    h->source = c->old;
    snprintf(h->from.tier, sizeof h->from.tier, "%s", h->route[0].name);
    h->from.number = holder_of(h, c->old.index);
    /* No mix in two cases. All bytes of a random source given by the user are for the shares. And
     * if the sharing is extended, forwarded shares keep their mix, so a new one would contradict
     * it. */
    if (random_is_file(c->random) || (extends && h->has_mix)) {
        h->has_mix = false;
        return 0;
    }
    if (random_bytes(c->random, fresh, sizeof fresh, err))
        return -1;
    mix_transfer(h, fresh);
    return 0;
}

int contributor_spread(struct contributor *c, const struct sharing *s, const char *scheme,
                       const struct header_scheme *carried, const unsigned char *elems,
                       size_t n_blocks, size_t length, struct hagg_err *err)
{
    struct header_tier tier;
    size_t n_padded;
    unsigned char *parts = contributor_pad(c, s, elems, n_blocks, length, &n_padded, err);
    struct spread_job job = {
        .header = &c->header,
        .scheme = scheme,
        .sharing = s,
        .route = &tier,
        .n_route = 1,
        .n_blocks = n_blocks,
        .block_length = length,
        .parts = parts,
        .carried = carried,
        .progress = c->o->progress,
    };
    int status = -1;

    new_route(c, &tier);
    if (parts) {
        status = spread_shares(&job, c->random, c->o->pool, c->out, err);
        explicit_bzero(parts, n_padded * field_elem_size(c->field));
    }
    free(parts);
    return status;
}

/* Returns the prefix that these old holders send of their shares: whole shares if there is no set,
 * or if they are too few. */
static const struct hagg_scheme_prefix *prefix_for(const struct contributor *c,
                                                   const struct rangeset *set)
{
    const struct hagg_scheme_prefix *found;
    uint32_t n = 0;

    for (uint32_t i = 0; set && i < c->old.n; i++)
        n += rangeset_overlap(set, holder_of(&c->header, i), holder_of(&c->header, i)) > 0;
    found = scheme_prefix_for(&c->prefixes, n);
    return found ? found : &c->prefixes.all[c->prefixes.n - 1];
}

/* Returns the symbols of its share that the holder sends. If it took part before, it sent a prefix
 * of them. */
static struct header_symbols choose_symbols(const struct contributor *c)
{
    const struct rangeset *after = c->o->after;
    const struct hagg_scheme_prefix *before = prefix_for(c, after);
    uint32_t place;

    return (struct header_symbols){
        .first = after && takes_part(c, after, before->holders, &place) ? before->symbols : 0,
        .end = prefix_for(c, c->o->sources)->symbols,
    };
}

/* Copies these symbols of the share, block by block and in each symbol by symbol. The copy is
 * malloc'ed for the caller, who must wipe and free it. */
static unsigned char *copy_symbols(const struct contributor *c, struct header_symbols symbols,
                                   size_t n_blocks, size_t part_length, struct hagg_err *err)
{
    size_t size = field_elem_size(c->field), n = symbols.end - symbols.first;
    unsigned char *copy = calloc(n_blocks * n * part_length + 1, size), *to = copy;

    if (!copy)
        err_errno(err, "no memory to share a share");
    for (size_t block = 0; block < n_blocks && copy; block++)
        for (uint32_t s = symbols.first; s < symbols.end; s++)
            for (size_t i = 0; i < part_length; i++, to += size)
                memcpy(to, c->share + ((block * part_length + i) * c->shape.symbols + s) * size,
                       size);
    return copy;
}

/* Shares each symbol of the holder's share, block by block. */
static int contribute_direct(struct contributor *c, struct header_symbols symbols,
                             struct hagg_err *err)
{
    size_t n = symbols.end - symbols.first, n_blocks = (size_t)c->layout.n_blocks,
           part_length = c->share_length / c->shape.symbols;
    unsigned char *copy;
    struct sharing s;
    int status = -1;

    if (contributor_sources(c, NULL, err) ||
        contributor_sharing(c, c->new_scheme, c->o->k, c->o->z, &s, err))
        return -1;
    copy = copy_symbols(c, symbols, n_blocks, part_length, err);
    if (n < c->shape.symbols)
        c->header.symbols = symbols;
    if (copy && contributor_transfer_header(c, false, err) == 0)
        status = contributor_spread(c, &s, c->new_scheme->name, NULL, copy, n_blocks * n,
                                    part_length, err);
    if (copy)
        explicit_bzero(copy, n_blocks * n * part_length * field_elem_size(c->field));
    free(copy);
    sharing_free(&s);
    return status;
}

/* Passes the share on, unchanged, to a new holder. */
static int forward(struct contributor *c, uint32_t index, struct hagg_err *err)
{
    struct header h = c->header;
    struct header_tier tier;
    struct writer *w = outfiles_writer(c->out, c->o->holders[index], err);

    new_route(c, &tier);
    h.route = &tier;
    h.n_route = 1;
    h.scheme.n = c->o->n;
    h.scheme.index = index;
    snprintf(h.from.tier, sizeof h.from.tier, "%s", c->header.route[0].name);
    h.from.number = holder_of(&c->header, c->old.index);
    snprintf(h.to.tier, sizeof h.to.tier, "%s", c->o->tier);
    h.to.number = c->o->holders[index];
    if (!w || writer_begin(w, &h, field_elem_size(c->field), c->n_elems, err) ||
        writer_elems(w, c->share, c->n_elems, err))
        return -1;
    return writer_end(w, err);
}

static bool same_numbers(const struct contributor *c)
{
    return c->o->k == c->old.k && c->o->z == c->old.z &&
           strcmp(c->new_scheme->name, c->old_scheme->name) == 0 && !c->o->points;
}

static int contribute(struct contributor *c, struct hagg_err *err)
{
    enum transform_method method = c->o->method;
    bool extends = same_numbers(c) && c->o->n > c->old.n && c->old.has_point;
    uint32_t place;

    if (method != TRANSFORM_DIRECT &&
        contributor_check_symbols(c->old_scheme, c->shape.symbols, err))
        return -1;
    if (method == TRANSFORM_FORWARD) {
        if (!same_numbers(c) || c->o->n > c->old.n || (!c->old.has_point && c->o->n < c->old.n))
            return err_set(err, HAGG_E_USAGE,
                           "forwarding keeps k, z, the scheme and the points, and cannot add "
                           "holders: use --method direct");
        if (!takes_part(c, c->o->sources, c->o->n, &place))
            return 0;
        return forward(c, place, err);
    }
    if (method == TRANSFORM_TRANSPORT && extends && forward(c, c->old.index, err))
        return -1;
    if (method == TRANSFORM_DIRECT) {
        struct header_symbols symbols = choose_symbols(c);

        return takes_part(c, c->o->sources, prefix_for(c, c->o->sources)->holders, &place) &&
                       symbols.first < symbols.end
                   ? contribute_direct(c, symbols, err)
                   : 0;
    }
    return takes_part(c, c->o->sources, c->old.k, &place) ? contribute_transport(c, extends, err)
                                                          : 0;
}

/* Sets the options to the plan's new sharing for this record. */
static int use_plan(struct contributor *c, const struct reader *r, struct hagg_err *err)
{
    const struct plan *plan = c->planned.plan;
    const struct header *h = reader_header(r);
    struct node here = { NODE_STATION, c->planned.station };
    const struct topology_list *relays;
    struct hagg_scheme_shape shape;
    struct message s;

    if (record_check_here(c->round, r, here, err))
        return -1;
    if (strcmp(h->from.tier, "client") == 0)
        return reader_fail(
            r, err, HAGG_E_MISMATCH,
            "is the share of one client: add up the shares first with hagg-aggregate");
    if (!plan_transforms(plan, h) || !protocol_find(c->round, h, &s))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not a share that stations hold, so it cannot be transformed");
    if (record_check_round(c->planned.asked_round, r, err) ||
        record_check_clients(c->round, c->planned.clients, r, err) ||
        record_check_dropped(c->round, r, &c->missing, err))
        return -1;
    relays = protocol_new_holders(c->round, &s);
    c->planned.holders = relays->numbers;
    c->planned.n = (uint32_t)relays->n;
    return plan_shape(plan, 1, c->planned.n, &c->planned.k, &c->planned.z, &shape, err);
}

/* Makes the entry in the state, and the generator that belongs to it. */
static int remember(struct contributor *c, struct hagg_err *err)
{
    uint8_t seed[RANDOM_SEED_BYTES];
    struct header_symbols symbols = choose_symbols(c), all = { 0 };
    bool partial = symbols.end - symbols.first != c->shape.symbols;
    int known =
        transform_remember(c->o->state, &c->header, c->o->station, partial ? &symbols : &all,
                           c->share, c->n_elems * field_elem_size(c->field), seed, err);

    if (known > 0 && !c->o->random_source) {
        random_free(c->random);
        c->random = random_seeded(seed, err);
        known = c->random ? 1 : -1;
    }
    explicit_bzero(seed, sizeof seed);
    return known < 0 ? -1 : 0;
}

static int add_record(void *contributor, struct reader *r, struct hagg_err *err)
{
    struct contributor *c = contributor;
    struct hagg_err cause = { 0 };
    int status;

    if (reader_header(r)->kind != HEADER_SHARE)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not a share: only shares can be transformed");
    if (c->planned.plan ? use_plan(c, r, err) : record_check(NULL, r, err))
        return -1;
    if (use_plugins(c, r, err))
        return -1;
    status = agree_copy(&c->header, reader_header(r), err);
    if (status == 0)
        status = load_share(c, r, err);
    if (status == 0 && c->planned.plan)
        status = remember(c, err);
    if (status == 0 && contribute(c, &cause))
        status = cause.status == HAGG_E_SYSTEM || cause.status == HAGG_E_USAGE
                     ? err_set(err, cause.status, "%s", cause.text)
                     : reader_fail(r, err, cause.status, "%s", cause.text);
    share_free(c);
    return status;
}

/* Makes the options follow the plan; use_plan then adapts them to each share. */
static int plan_contributor(struct contributor *c, const struct transform_options *options,
                            struct hagg_err *err)
{
    const struct plan *plan = options->plan;

    if (!plan->topology.transform)
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no transformation: relays pass on the shares of the stations",
                       plan->name);
    c->planned = *options;
    c->planned.method = TRANSFORM_DIRECT;
    c->planned.tier = plan_tier_name(1);
    c->o = &c->planned;
    c->round = protocol_open(plan, NULL, err);
    return c->round ? 0 : -1;
}

int transform_contribute(const struct transform_options *options, const char *const *paths,
                         size_t n_paths, struct outfiles *out, struct hagg_err *err)
{
    struct contributor c = { .o = options, .out = out };
    int status = options->plan ? plan_contributor(&c, options, err) : 0;

    c.random = options->random_source ? random_open(options->random_source, err) : random_new(err);
    if (!c.random)
        status = -1;
    for (size_t i = 0; i < n_paths && status == 0; i++)
        status = stream_each(paths[i], STREAM_EMPTY, options->opener, add_record, &c, err);
    /* without a plan it is unknown whether a share should have arrived, so assume it */
    if (status == 0 && !options->plan && !c.field)
        status = err_set(err, HAGG_E_TOO_FEW, "nothing to transform: the input has no shares");
    protocol_free(c.round);
    rangeset_free(&c.missing);
    random_free(c.random);
    scheme_free(c.old_scheme);
    scheme_free(c.new_scheme);
    scheme_free(c.ramp);
    field_free(c.field);
    return status;
}
