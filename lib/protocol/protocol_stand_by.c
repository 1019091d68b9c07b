/* Stand-by sums: docs/aligned.md#stand-by-sums. */
#include <stdlib.h>

#include "protocol/protocol_state.h"

/* A station that is present. */
struct candidate {
    uint32_t n_rows, holder;
};

bool protocol_has_stand_by(const struct plan *p)
{
    const struct topology *t = &p->topology;

    return t->aligned && t->n_relays == 0 && p->aligned->sharing.k < p->aligned->sharing.n;
}

/* Holders are ascending by station number. */
static int compare(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (a->n_rows != b->n_rows)
        return a->n_rows < b->n_rows ? -1 : 1;
    return (a->holder > b->holder) - (a->holder < b->holder);
}

int protocol_stand_by_new(struct protocol *p, struct hagg_err *err)
{
    const struct plan_aligned *a = p->plan->aligned;
    uint32_t n_all = a->sharing.n, n = 0;
    struct candidate *present = calloc(n_all + (size_t)1, sizeof *present);
    bool *stands_by = calloc(n_all + (size_t)1, sizeof *stands_by);

    p->aligned->stands_by = stands_by;
    if (!present || !stands_by) {
        free(present);
        return err_errno(err, "%s", p->plan->name);
    }
    for (uint32_t i = 0; i < n_all; i++)
        if (!protocol_is_missing(p, 0, a->stations.numbers[i]))
            present[n++] = (struct candidate){ a->n_rows[i], i };
    qsort(present, n, sizeof *present, compare);
    for (uint32_t i = a->sharing.k; i < n; i++)
        stands_by[present[i].holder] = true;
    free(present);
    return 0;
}

bool protocol_stands_by(const struct protocol *p, uint32_t station)
{
    const bool *stands_by = p->aligned ? p->aligned->stands_by : NULL;
    uint32_t holder = stands_by ? p->plan->aligned->holder_of[station] : UINT32_MAX;

    return holder != UINT32_MAX && stands_by[holder];
}
