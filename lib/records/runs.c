#include "records/runs.h"

#include <stdlib.h>
#include <string.h>

static int read_ids(struct runs *r, struct reader *in, struct hagg_err *err)
{
    uint64_t n_bytes = reader_n_elems(in), at = 0;
    size_t n;

    do {
        if (reader_read(in, r->ids + at, n_bytes - at > 0 ? (size_t)(n_bytes - at) : 1, &n, err))
            return -1;
        at += n;
    } while (n > 0);
    return 0;
}

int runs_read(struct runs *r, struct reader *in, struct hagg_err *err)
{
    const struct header *h = reader_header(in);
    uint64_t n = 0;
    int status = 0;

    if (reader_n_elems(in) == 0)
        return 0;
    r->begins = calloc(h->n_clients, sizeof *r->begins);
    r->ids = malloc((size_t)reader_n_elems(in) + 1);
    if (!r->begins || !r->ids)
        status = err_errno(err, "%s", reader_name(in));
    for (size_t i = 0; i < h->n_clients && status == 0; i++) {
        const struct header_range *range = &h->clients[i];

        r->begins[i] = n;
        n += (uint64_t)range->last - range->first + 1;
        status = rangeset_add(&r->clients, range->first, range->last, err);
    }
    if (status == 0)
        status = read_ids(r, in, err);
    if (status)
        runs_free(r);
    return status;
}

const uint8_t *runs_of(const struct runs *r, uint32_t client)
{
    static const uint8_t unknown[HEADER_RUN_BYTES];
    size_t low = 0, high = r ? r->clients.n : 0;
    const uint8_t *id;

    /* the last range that does not begin after the client */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (r->clients.ranges[middle].first <= client)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || r->clients.ranges[low - 1].last < client)
        return NULL;
    id = r->ids +
         HEADER_RUN_BYTES * (r->begins[low - 1] + (client - r->clients.ranges[low - 1].first));
    return memcmp(id, unknown, sizeof unknown) ? id : NULL;
}

void runs_free(struct runs *r)
{
    rangeset_free(&r->clients);
    free(r->begins);
    free(r->ids);
    *r = (struct runs){ 0 };
}
