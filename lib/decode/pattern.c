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
    return err_set(err, HAGG_E_MISMATCH,
                   "%s: contains share %u of the same sharing as %s: leave one out, or, if they "
                   "belong to different clients, add them up with hagg-aggregate",
                   name, share->header.scheme.index + 1, of_first);
}

int pattern_add(struct pattern *p, struct pattern_share *share, const struct filecache *files,
                struct hagg_err *err)
{
    struct pattern_share *shares;
    size_t at = 0;

    while (at < p->n_shares && compare(&p->shares[at].header, &share->header) < 0)
        at++;
    if (at < p->n_shares && compare(&p->shares[at].header, &share->header) == 0)
        return refuse_second(share, &p->shares[at], files, err);
    shares = reallocarray(p->shares, p->n_shares + 1, sizeof *shares);
    if (!shares)
        return err_errno(err, "no memory for one more share");
    p->shares = shares;
    memmove(shares + at + 1, shares + at, (p->n_shares - at) * sizeof *shares);
    shares[at] = *share;
    p->n_shares++;
    return 0;
}

void pattern_free(struct pattern *p)
{
    for (size_t i = 0; i < p->n_shares; i++) {
        header_clear(&p->shares[i].header);
        stored_free(&p->shares[i].stored);
    }
    free(p->shares);
    *p = (struct pattern){ 0 };
}

void pattern_describe(const struct pattern *p, struct text *t)
{
    describe_route(t, &p->shares[0].header);
}
