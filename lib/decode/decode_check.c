#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "decode/decode_state.h"
#include "decode/idle.h"
#include "decode/summands.h"
#include "records/agree.h"
#include "records/describe.h"
#include "sharing/layout.h"
#include "base/text.h"

/* Longest list of clients in a message, so that there is room for the rest of it. */
#define MAX_LIST 100

static const char *name_of(const struct decode *d, const struct pattern_share *s)
{
    return filecache_name(&d->files, s->stored.file);
}

static bool other_clients(const struct pattern_share *a, const struct pattern_share *b,
                          struct header_range *other, bool *in_a)
{
    return rangeset_difference(a->header.clients, a->header.n_clients, b->header.clients,
                               b->header.n_clients, other, in_a);
}

static bool other_dealers(const struct pattern_share *a, const struct pattern_share *b,
                          struct header_range *other, bool *in_a)
{
    return rangeset_difference(a->header.dealers, a->header.n_dealers, b->header.dealers,
                               b->header.n_dealers, other, in_a);
}

/* Returns the share that the others are compared with: one with masks, if there is one, because a
 * station that gets no masks cannot show which dealing the others used. */
static const struct pattern_share *find_masked(const struct piece *p)
{
    for (size_t i = 0; i < p->pattern.n_shares; i++)
        if (p->pattern.shares[i].header.has_mix)
            return &p->pattern.shares[i];
    return &p->pattern.shares[0];
}

/* Checks that shares of the same clients are from the same run. Sums over different sets of clients
 * or dealers have different ids anyway: check_same_clients reports them. */
static int check_runs(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct pattern_share *shares = p->pattern.shares, *masked = find_masked(p);
    struct header_range other;
    bool in_a;

    for (size_t i = 0; i < p->pattern.n_shares; i++) {
        const struct pattern_share *like =
            i > 0 && other_clients(masked, &shares[i], &other, &in_a) ? &shares[i - 1] : masked;

        if (!other_clients(like, &shares[i], &other, &in_a) &&
            !other_dealers(like, &shares[i], &other, &in_a) &&
            agree_on_runs(&like->header, name_of(d, like), &shares[i].header,
                          name_of(d, &shares[i]), err))
            return -1;
    }
    return 0;
}

/* Checks that all shares of a piece have the same clients. Sums over different sets of clients must
 * not be sent, and cannot be decoded together. */
static int check_same_clients(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct pattern_share *first = &p->pattern.shares[0];

    for (size_t i = 1; i < p->pattern.n_shares; i++) {
        const struct pattern_share *s = &p->pattern.shares[i];

        if (agree_on_sums(&first->header, name_of(d, first), &s->header, name_of(d, s), err))
            return -1;
    }
    return 0;
}

/* Checks that all records with symbols of one share are of the same sum. */
static int check_later(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    for (size_t i = 0; i < p->pattern.n_shares; i++) {
        const struct pattern_share *first = &p->pattern.shares[i];

        for (const struct pattern_share *s = first->later; s; s = s->later)
            if (agree_on_sums(&first->header, name_of(d, first), &s->header, name_of(d, s), err) ||
                agree_on_runs(&first->header, name_of(d, first), &s->header, name_of(d, s), err))
                return -1;
    }
    return 0;
}

/* A range of clients, and the piece that has it. */
struct piece_range {
    struct header_range range;
    const struct piece *piece;
};

static int compare_ranges(const void *a, const void *b)
{
    uint32_t x = ((const struct piece_range *)a)->range.first;
    uint32_t y = ((const struct piece_range *)b)->range.first;

    return (x > y) - (x < y);
}

/* Checks that no client is in two of the ranges, and adds them to the set. */
static int add_ranges(const struct decode *d, struct piece_range *ranges, size_t n,
                      struct rangeset *set, struct hagg_err *err)
{
    if (n > 0)
        qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < n; i++) {
        struct header_range range = ranges[i].range;

        if (i > 0 && range.first <= ranges[i - 1].range.last)
            return err_set(err, HAGG_E_MISMATCH, "%s: one of the clients %u-%u is in two sharings",
                           decode_file_of(d, ranges[i].piece), range.first, range.last);
        if (rangeset_append(set, range.first, range.last, err))
            return -1;
    }
    rangeset_settle(set);
    return 0;
}

/* Collects the clients of all vectors, or of all keys. No client may be in two pieces of either. */
static int collect_clients(const struct decode *d, bool values, struct rangeset *set,
                           struct hagg_err *err)
{
    struct piece_range *ranges = NULL;
    size_t n = 0, capacity = 0;
    int status = 0;

    for (const struct piece *p = d->pieces; p && status == 0; p = p->next) {
        const struct header *h = decode_header_of(p);

        if (decode_is_value(h) != values)
            continue;
        if (ARRAY_RESERVE(ranges, n + h->n_clients, capacity)) {
            status = err_errno(err, "no memory for a set of clients");
            break;
        }
        for (size_t i = 0; i < h->n_clients; i++)
            ranges[n++] = (struct piece_range){ h->clients[i], p };
    }
    if (status == 0)
        status = add_ranges(d, ranges, n, set, err);
    free(ranges);
    return status;
}

/* Checks that the keys are from the same runs as the shares: the XOR of the ids over all clients is
 * the same for both. There is nothing to check if an id is missing, or if shares of a piece differ
 * in it. */
static int check_key_runs(const struct decode *d, struct hagg_err *err)
{
    uint8_t sum[16] = { 0 };
    static const uint8_t zero[16];

    for (const struct piece *p = d->pieces; p; p = p->next) {
        const struct header *first = decode_header_of(p);

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
                       "%s: contains keys from a different run of hagg-share than the shares: a "
                       "client has shared again, and all stations must use the same run",
                       decode_file_of(d, d->anchors[1]));
    return 0;
}

/* All vectors must be padded, or all plain. */
static int check_sort(const struct decode *d, struct hagg_err *err)
{
    for (const struct piece *p = d->pieces; p; p = p->next) {
        const struct header *h = decode_header_of(p);

        if (decode_is_value(h) && h->secret != decode_header_of(d->anchors[0])->secret)
            return err_set(err, HAGG_E_MISMATCH, "%s: is %s, but %s is %s", decode_file_of(d, p),
                           header_secret_name(h->secret), decode_file_of(d, d->anchors[0]),
                           header_secret_name(decode_header_of(d->anchors[0])->secret));
    }
    return 0;
}

/* Checks that the clients of the keys are exactly those of the padded vectors. */
static int check_keys(const struct decode *d, struct hagg_err *err)
{
    bool padded = decode_header_of(d->anchors[0])->secret == HEADER_PADDED, in_values;
    struct header_range missing;

    if (check_sort(d, err))
        return -1;
    if (!padded && d->anchors[1])
        return err_set(err, HAGG_E_MISMATCH, "%s: contains keys, but no vector is padded",
                       decode_file_of(d, d->anchors[1]));
    if (!padded)
        return 0;
    if (!d->anchors[1])
        return err_set(err, HAGG_E_TOO_FEW, "the keys are missing: %s",
                       d->options->plan && d->options->plan->topology.full
                           ? "the stations also send sums of their shares"
                           : "the last station of the chain sends their total");
    if (rangeset_difference(d->values.ranges, d->values.n, d->keys.ranges, d->keys.n, &missing,
                            &in_values))
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: client %u is in the %s but not in the %s: add up both over the same "
                       "clients, and never send a second total of the keys",
                       decode_file_of(d, d->anchors[1]), missing.first,
                       in_values ? "shares" : "keys", in_values ? "keys" : "shares");
    return check_key_runs(d, err);
}

/* Checks that the total is over the clients of the options. A second total of the round, over
 * another set of clients, would reveal the difference. */
static int check_asked(const struct decode *d, struct hagg_err *err)
{
    const struct rangeset *asked = d->options->clients;
    struct text has = { 0 }, wants = { 0 };
    struct header_range other;
    bool in_asked;
    int status;

    if (!asked || !rangeset_difference(asked->ranges, asked->n, d->values.ranges, d->values.n,
                                       &other, &in_asked))
        return 0;
    if (d->values.n == 0)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: does not record its clients: omit --clients to decode it",
                       decode_file_of(d, d->anchors[0]));
    describe_ranges(&has, d->values.ranges, d->values.n);
    describe_ranges(&wants, asked->ranges, asked->n);
    if (!text_ok(&has) || !text_ok(&wants))
        status = err_errno(err, "no memory for a set of clients");
    else
        status = err_set(err, HAGG_E_MISMATCH,
                         "%s: the sums are over clients %.*s%s, but --clients is %.*s%s: a round "
                         "has one set of clients, so use the set of the sums, or start a new round "
                         "with new vectors",
                         decode_file_of(d, d->anchors[0]), MAX_LIST, has.bytes,
                         has.len > MAX_LIST ? "..." : "", MAX_LIST, wants.bytes,
                         wants.len > MAX_LIST ? "..." : "");
    text_free(&has);
    text_free(&wants);
    return status;
}

static int check_minimum(const struct decode *d, struct hagg_err *err)
{
    const struct plan *plan = d->options->plan;
    uint64_t n = rangeset_count(&d->values);

    if (plan)
        return plan_check_total(plan, n, err);
    return n > 0 ? plan_check_minimum(d->options->minimum, n, err) : 0;
}

/* Fails because the shares were sent in part, for more holders than arrived. */
static int refuse_prefixes(const struct decode *d, const struct piece *p, uint32_t n_missing,
                           struct hagg_err *err)
{
    struct text holders = { 0 };
    int status;

    pattern_describe(&p->pattern, &holders);
    status = err_set(err, HAGG_E_TOO_FEW,
                     "%s: the shares of %s were sent in part, and those of %u more holder%s "
                     "needed: get them, or let the present ones send the rest of their shares with "
                     "hagg-aggregate --present and --after",
                     decode_file_of(d, p), text_ok(&holders) ? holders.bytes : "a sharing",
                     n_missing, n_missing == 1 ? " are" : "s are");
    text_free(&holders);
    return status;
}

/* Chooses the prefix that is decoded. If no share was sent in part, the scheme does not matter. */
static int choose_prefix(struct decode *d, struct piece *p, uint32_t *n_missing,
                         struct hagg_err *err)
{
    const struct header_scheme *s = &decode_header_of(p)->scheme;
    struct scheme_prefixes prefixes;
    struct hagg_err cause = { 0 };

    if (decode_use_scheme(d, p, err))
        return -1;
    if (scheme_prefixes(d->scheme, s->n, s->k, s->z, NULL, &prefixes, &cause))
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", decode_file_of(d, p), cause.text);
    *n_missing = pattern_choose_prefix(&p->pattern, &prefixes);
    return 0;
}

/* Checks that there are enough shares of the piece. */
static int check_enough(struct decode *d, struct piece *p, struct hagg_err *err)
{
    const struct header *h = decode_header_of(p);
    struct text holders = { 0 };
    uint32_t missing = 0, n_missing = 0;
    int status;

    if (summands_has(p))
        return summands_check(d, p, err);
    if (h->kind == HEADER_VECTOR || (h->n_segments > 0 && p->pattern.n_shares >= h->scheme.k))
        return 0;
    if (h->n_segments == 0 && choose_prefix(d, p, &n_missing, err))
        return -1;
    if (h->n_segments == 0 && n_missing == 0)
        return 0;
    if (p->pattern.n_shares >= h->scheme.k)
        return refuse_prefixes(d, p, n_missing, err);
    /* shares are ascending by index, so the first gap is a missing share */
    while (missing < p->pattern.n_shares &&
           p->pattern.shares[missing].header.scheme.index == missing)
        missing++;
    pattern_describe(&p->pattern, &holders);
    status = err_set(err, HAGG_E_TOO_FEW,
                     "only %zu of the shares of %s arrived, but %u are needed: for example, the "
                     "share of %s %u is missing",
                     p->pattern.n_shares, text_ok(&holders) ? holders.bytes : "a sharing",
                     h->scheme.k, h->route[0].name, h->route[0].numbers[missing]);
    text_free(&holders);
    return status;
}

/* The same for sums of protocol aligned, whose lengths differ. */
static int check_aligned_length(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    for (size_t i = 0; i < p->pattern.n_shares; i++) {
        const struct pattern_share *s = &p->pattern.shares[i];
        uint64_t expected =
            s->header.kind == HEADER_SUMMAND ? s->header.length : layout_aligned_length(&s->header);

        if (s->stored.n_elems != expected)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s: payload has %llu elements, but its segments and blocks require "
                           "%llu",
                           filecache_name(&d->files, s->stored.file),
                           (unsigned long long)s->stored.n_elems, (unsigned long long)expected);
    }
    return 0;
}

/* Checks the length of the shares against that of the vector, before memory is allocated for it. */
static int check_length(struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct header *h = decode_header_of(p);
    struct hagg_scheme_shape shape;
    struct scheme_prefixes prefixes;
    struct hagg_err cause = { 0 };
    struct layout layout;

    if (header_is_whole(h))
        return 0;
    if (h->n_segments > 0)
        return check_aligned_length(d, p, err);
    layout_of(h, &layout);
    if (decode_use_scheme(d, p, err))
        return -1;
    if (scheme_prefixes(d->scheme, h->scheme.n, h->scheme.k, h->scheme.z, &shape, &prefixes,
                        &cause))
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", decode_file_of(d, p), cause.text);
    for (size_t i = 0; i < p->pattern.n_shares; i++)
        for (const struct pattern_share *s = &p->pattern.shares[i]; s; s = s->later) {
            const struct header_symbols symbols = scheme_symbols(&s->header.symbols, shape.symbols);
            const struct hagg_scheme_shape part = {
                .parts = shape.parts,
                .symbols = symbols.end - symbols.first,
            };
            uint64_t expected = layout.n_blocks * scheme_share_length(&part, layout.block_length);

            if (!scheme_sends(&prefixes, &s->header.symbols))
                return err_set(err, HAGG_E_MALFORMED,
                               "%s: symbols %u to %u are not what holders of scheme '%s' send in "
                               "part",
                               name_of(d, s), symbols.first, symbols.end - 1, d->scheme->name);
            if (s->stored.n_elems != expected)
                return err_set(err, HAGG_E_MALFORMED,
                               "%s: share has %llu elements, but its scheme requires %llu",
                               name_of(d, s), (unsigned long long)s->stored.n_elems,
                               (unsigned long long)expected);
        }
    return 0;
}

int decode_check(struct decode *d, struct hagg_err *err)
{
    if (!d->anchors[0])
        return err_set(err, HAGG_E_TOO_FEW, "there are no shares to decode");
    for (const struct piece *p = d->pieces; p; p = p->next)
        if (check_runs(d, p, err))
            return -1;
    for (const struct piece *p = d->pieces; p; p = p->next)
        if (check_same_clients(d, p, err) || check_later(d, p, err))
            return -1;
    if (collect_clients(d, true, &d->values, err) || collect_clients(d, false, &d->keys, err) ||
        check_asked(d, err) || check_minimum(d, err) || check_keys(d, err))
        return -1;
    if (idle_prepare(d, err))
        return -1;
    for (struct piece *p = d->pieces; p; p = p->next)
        if ((!summands_has(p) && idle_add(d, p, err)) || check_enough(d, p, err) ||
            check_length(d, p, err))
            return -1;
    return 0;
}
