#include "decode/summands.h"

#include <stdlib.h>

#include "decode/idle.h"
#include "plan/plan_aligned.h"
#include "records/describe.h"

bool summands_has(const struct piece *p)
{
    return p->pattern.shares[p->pattern.n_shares - 1].header.kind == HEADER_SUMMAND;
}

static size_t n_sums(const struct piece *p)
{
    size_t n = 0;

    while (n < p->pattern.n_shares && p->pattern.shares[n].header.kind != HEADER_SUMMAND)
        n++;
    return n;
}

static const char *name_of(const struct decode *d, const struct pattern_share *s)
{
    return filecache_name(&d->files, s->stored.file);
}

static struct rangeset basis_of(const struct header *h)
{
    return (struct rangeset){ .ranges = h->basis, .n = h->n_basis };
}

/* Returns true if the sum of a station is in the record. */
static bool has_station(const struct header *h, uint32_t station)
{
    const struct rangeset stations = { .ranges = h->stations, .n = h->n_stations };

    if (h->kind == HEADER_SUMMAND)
        return rangeset_overlap(&stations, station, station) > 0;
    return h->route[0].numbers[h->scheme.index] == station;
}

static int check_basis(const struct decode *d, const struct pattern_share *s,
                       const struct pattern_share *last, struct hagg_err *err)
{
    const struct header *h = &s->header, *other = &last->header;
    struct header_range range;
    bool in_first;

    if (h->kind == HEADER_SUMMAND) {
        if (!rangeset_difference(h->basis, h->n_basis, other->basis, other->n_basis, &range,
                                 &in_first))
            return 0;
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: is for decoding with station %u, and %s without it: name the same "
                       "stations with --missing at all relays",
                       name_of(d, in_first ? s : last), range.first,
                       name_of(d, in_first ? last : s));
    }
    range.first = h->route[0].numbers[h->scheme.index];
    if (rangeset_overlap(&(struct rangeset){ .ranges = other->basis, .n = other->n_basis },
                         range.first, range.first) > 0)
        return 0;
    return err_set(err, HAGG_E_MISMATCH,
                   "%s: is the sum of station %u, but %s is for decoding without it: leave it out",
                   name_of(d, s), range.first, name_of(d, last));
}

/* Checks that a station is in exactly one record. */
static int check_station(const struct decode *d, const struct piece *p, uint32_t station,
                         struct hagg_err *err)
{
    const struct pattern_share *found = NULL;

    for (size_t i = 0; i < p->pattern.n_shares; i++) {
        const struct pattern_share *s = &p->pattern.shares[i];

        if (!has_station(&s->header, station))
            continue;
        if (found)
            return err_set(err, HAGG_E_MISMATCH,
                           "%s: contains the sum of station %u, like %s: each station counts once, "
                           "so leave one out, or get it from the relay without this station",
                           name_of(d, s), station, name_of(d, found));
        found = s;
    }
    if (!found && !idle_is(d, station))
        return err_set(err, HAGG_E_TOO_FEW,
                       "the sum of station %u is missing: it is in no record of a relay", station);
    return 0;
}

int summands_check(const struct decode *d, const struct piece *p, struct hagg_err *err)
{
    const struct pattern_share *last = &p->pattern.shares[p->pattern.n_shares - 1];
    const struct rangeset basis = basis_of(&last->header);
    const struct topology_list *stations = &d->options->plan->aligned->stations;

    for (size_t i = 0; i + 1 < p->pattern.n_shares; i++)
        if (check_basis(d, &p->pattern.shares[i], last, err))
            return -1;
    for (size_t i = 0; i < stations->n; i++)
        if (rangeset_overlap(&basis, stations->numbers[i], stations->numbers[i]) > 0 &&
            check_station(d, p, stations->numbers[i], err))
            return -1;
    return 0;
}

/* Decodes what the sums add to the total. */
static int decode_sums(struct decode *d, struct piece *p, const struct pattern_tools *tools,
                       struct hagg_err *err)
{
    const struct plan_aligned *a = d->options->plan->aligned;
    const struct rangeset basis = basis_of(&p->pattern.shares[p->pattern.n_shares - 1].header);
    struct pattern sums = { .shares = p->pattern.shares, .n_shares = n_sums(p) };
    uint32_t *by_holder = calloc(a->sharing.n, sizeof *by_holder);
    uint32_t *places = calloc(sums.n_shares, sizeof *places);
    struct pattern_tools part = *tools;
    struct lagrange l = { 0 };
    int status = by_holder && places ? plan_aligned_basis(a, &basis, &l, by_holder, err)
                                     : err_errno(err, "no memory to decode");

    for (size_t i = 0; i < sums.n_shares && status == 0; i++)
        places[i] = by_holder[sums.shares[i].header.scheme.index];
    part.basis = &l;
    part.places = places;
    if (status == 0)
        status = pattern_decode_aligned(&sums, &part, PATTERN_ADD, d->total, err);
    lagrange_free(&l);
    free(by_holder);
    free(places);
    return status;
}

int summands_decode(struct decode *d, struct piece *p, const struct pattern_tools *tools,
                    struct hagg_err *err)
{
    size_t n = n_sums(p);

    for (size_t i = n; i < p->pattern.n_shares; i++)
        if (decode_add_vector(d, &p->pattern.shares[i].stored, false, err))
            return -1;
    return n > 0 ? decode_sums(d, p, tools, err) : 0;
}
