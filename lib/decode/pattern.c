#include "decode/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "records/describe.h"

/* Orders shares of one sharing, and summands after them. */
static int compare(const struct header *a, const struct header *b)
{
    uint32_t of_a = a->scheme.index, of_b = b->scheme.index;

    if ((a->kind == HEADER_SUMMAND) != (b->kind == HEADER_SUMMAND))
        return a->kind == HEADER_SUMMAND ? 1 : -1;
    if (a->kind == HEADER_SUMMAND) {
        of_a = a->stations[0].first;
        of_b = b->stations[0].first;
    }
    return (of_a > of_b) - (of_a < of_b);
}

static int refuse_second(const struct pattern_share *share, const struct pattern_share *first,
                         const struct filecache *files, struct hagg_err *err)
{
    const char *name = filecache_name(files, share->stored.file);
    const char *of_first = filecache_name(files, first->stored.file);

    if (share->header.kind == HEADER_SUMMAND)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains the sum of station %u, like %s: each station counts once, so "
                       "leave one out, or get it from the relay without this station",
                       name, share->header.stations[0].first, of_first);
    if (share->header.symbols.end > 0 || first->header.symbols.end > 0)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains symbols of share %u that are also in %s: leave one out, or "
                       "make the second one with hagg-aggregate --after",
                       name, share->header.scheme.index + 1, of_first);
    return err_set(err, HAGG_E_MISMATCH,
                   "%s: contains share %u of the same sharing as %s: leave one out, or, if they "
                   "belong to different clients, add them up with hagg-aggregate",
                   name, share->header.scheme.index + 1, of_first);
}

/* Returns the first symbol of all after those of the record. */
static uint64_t end_of(const struct header *h)
{
    return h->symbols.end > 0 ? h->symbols.end : UINT64_MAX;
}

/* Adds a record with other symbols of the same share, in ascending order. */
static int add_symbols(struct pattern_share *first, struct pattern_share *share,
                       const struct filecache *files, struct hagg_err *err)
{
    struct pattern_share **next = &first->later, *more;

    for (const struct pattern_share *s = first; s; s = s->later)
        if (s->header.symbols.first < end_of(&share->header) &&
            share->header.symbols.first < end_of(&s->header))
            return refuse_second(share, s, files, err);
    more = malloc(sizeof *more);
    if (!more)
        return err_errno(err, "no memory for one more share");
    *more = *share;
    if (share->header.symbols.first < first->header.symbols.first) {
        *more = *first;
        *first = *share;
        first->later = more;
        return 0;
    }
    while (*next && (*next)->header.symbols.first < share->header.symbols.first)
        next = &(*next)->later;
    more->later = *next;
    *next = more;
    return 0;
}

int pattern_add(struct pattern *p, struct pattern_share *share, const struct filecache *files,
                struct hagg_err *err)
{
    struct pattern_share *shares;
    size_t at = 0;

    while (at < p->n_shares && compare(&p->shares[at].header, &share->header) < 0)
        at++;
    if (at < p->n_shares && compare(&p->shares[at].header, &share->header) == 0)
        return add_symbols(&p->shares[at], share, files, err);
    shares = reallocarray(p->shares, p->n_shares + 1, sizeof *shares);
    if (!shares)
        return err_errno(err, "no memory for one more share");
    p->shares = shares;
    memmove(shares + at + 1, shares + at, (p->n_shares - at) * sizeof *shares);
    shares[at] = *share;
    p->n_shares++;
    return 0;
}

static void share_free(struct pattern_share *share)
{
    while (share->later) {
        struct pattern_share *later = share->later;

        share->later = later->later;
        header_clear(&later->header);
        stored_free(&later->stored);
        free(later);
    }
    header_clear(&share->header);
    stored_free(&share->stored);
}

void pattern_free(struct pattern *p)
{
    for (size_t i = 0; i < p->n_shares; i++)
        share_free(&p->shares[i]);
    free(p->shares);
    *p = (struct pattern){ 0 };
}

/* Returns true if all of the first symbols of the share arrived. */
static bool has_symbols(const struct pattern_share *share, uint32_t n)
{
    uint64_t end = 0;

    for (; share && share->header.symbols.first == end; share = share->later)
        end = end_of(&share->header);
    return end >= n;
}

uint32_t pattern_choose_prefix(struct pattern *p, const struct scheme_prefixes *prefixes)
{
    size_t most = 0, n_kept = 0;
    uint32_t missing = UINT32_MAX;

    if (p->prefix.symbols > 0)
        return 0;
    for (uint32_t i = 0; i < prefixes->n; i++) {
        uint32_t n_needed = prefixes->all[i].holders;
        size_t n = 0;

        for (size_t j = 0; j < p->n_shares; j++)
            n += has_symbols(&p->shares[j], prefixes->all[i].symbols);
        if (n < n_needed) {
            missing = missing < n_needed - (uint32_t)n ? missing : n_needed - (uint32_t)n;
        } else if (p->prefix.symbols == 0 || n - n_needed > most) {
            p->prefix = prefixes->all[i];
            most = n - n_needed;
        }
    }
    if (p->prefix.symbols == 0)
        return missing;
    for (size_t j = 0; j < p->n_shares; j++) {
        if (has_symbols(&p->shares[j], p->prefix.symbols))
            p->shares[n_kept++] = p->shares[j];
        else
            share_free(&p->shares[j]);
    }
    p->n_shares = n_kept;
    return 0;
}

void pattern_describe(const struct pattern *p, struct text *t)
{
    describe_route(t, &p->shares[0].header);
}
