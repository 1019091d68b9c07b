#include "decode/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "records/describe.h"

int pattern_add(struct pattern *p, struct pattern_share *share, const struct filecache *files,
                struct hagg_err *err)
{
    struct pattern_share *shares;
    size_t at = 0;

    while (at < p->n_shares && p->shares[at].header.scheme.index < share->header.scheme.index)
        at++;
    if (at < p->n_shares && p->shares[at].header.scheme.index == share->header.scheme.index)
        return err_set(err, HAGG_E_MISMATCH,
                       "%s: contains share %u of the same sharing as %s: leave one out, or, if "
                       "they belong to different clients, add them up with hagg-aggregate",
                       filecache_name(files, share->stored.file), share->header.scheme.index + 1,
                       filecache_name(files, p->shares[at].stored.file));
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
