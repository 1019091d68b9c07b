#include "decode/idle.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"
#include "records/agree.h"
#include "sharing/layout.h"

int idle_prepare(struct decode *d, struct hagg_err *err)
{
    const struct protocol_presence presence = { .clients = &d->values };

    if (!d->options->plan || !d->options->plan->aligned || d->values.n == 0)
        return 0;
    d->summed = protocol_open(d->options->plan, &presence, err);
    return d->summed ? 0 : -1;
}

bool idle_is(const struct decode *d, uint32_t station)
{
    return d->summed && protocol_is_idle(d->summed, station);
}

static bool has_arrived(const struct pattern *p, uint32_t index)
{
    for (size_t i = 0; i < p->n_shares; i++)
        if (p->shares[i].header.scheme.index == index)
            return true;
    return false;
}

/* Turns the header of a sum into that of another station. */
static int change_station(const struct plan_aligned *a, uint32_t holder, struct header *h,
                          struct hagg_err *err)
{
    const struct blocks *b = &a->blocks[holder];

    h->blocks = reallocarray(h->blocks, b->n_counts + 1, sizeof *h->blocks);
    if (!h->blocks)
        return err_errno(err, "no memory for a sum of zeros");
    memcpy(h->blocks, b->counts, b->n_counts * sizeof *h->blocks);
    h->n_blocks = b->n_counts;
    h->scheme.index = holder;
    h->scheme.point = aligned_point(a->sharing.n_segments, a->stations.numbers[holder]);
    return 0;
}

static int add_zeros(struct decode *d, struct piece *p, uint32_t holder, struct hagg_err *err)
{
    const struct pattern_share *like = &p->pattern.shares[0];
    struct pattern_share share = { 0 };
    int status = agree_copy_known(&share.header, &like->header, err);

    if (status == 0)
        status = change_station(d->options->plan->aligned, holder, &share.header, err);
    if (status == 0)
        status = stored_zeros(&share.stored, like->stored.file, field_elem_size(d->field),
                              layout_aligned_length(&share.header), err);
    if (status == 0)
        status = pattern_add(&p->pattern, &share, &d->files, err);
    if (status) {
        header_clear(&share.header);
        stored_free(&share.stored);
    }
    return status;
}

int idle_add(struct decode *d, struct piece *p, struct hagg_err *err)
{
    const struct plan_aligned *a = d->options->plan ? d->options->plan->aligned : NULL;

    for (uint32_t i = 0; a && i < a->sharing.n; i++)
        if (!has_arrived(&p->pattern, i) && idle_is(d, a->stations.numbers[i]) &&
            add_zeros(d, p, i, err))
            return -1;
    return 0;
}
