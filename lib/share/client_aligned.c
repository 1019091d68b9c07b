#include "share/client_aligned.h"

#include <stdlib.h>

#include "records/spread.h"

/* Fewer elements that only fill up are not worth a note. */
#define FEW_ELEMENTS 100

static const struct topology_list *stations_of(const struct client_aligned *c)
{
    return c->plan->aligned->classes.routes[c->class].lists[0];
}

static int make_blocks(struct client_aligned *c, struct hagg_err *err)
{
    const struct plan_aligned *a = c->plan->aligned;
    uint32_t n_segments = a->sharing.n_segments, v = a->parts[c->class], n_holders;
    const struct aligned sharing = plan_aligned_class(a, c->class);
    uint32_t *holders = calloc(a->sharing.n, sizeof *holders);
    int status = holders ? 0 : err_errno(err, "no memory to share a vector");

    n_holders = holders ? plan_aligned_holders(a, c->class, holders) : 0;
    for (uint32_t first = 0; first < n_segments && status == 0; first += v) {
        uint32_t end = n_segments - first > v ? first + v : n_segments;

        status = aligned_block(&sharing, c->plan->scheme, holders, n_holders, first, end,
                               c->seeds.are_seeds, &c->blocks[c->n_blocks], err);
        c->n_blocks += status == 0;
    }
    free(holders);
    return status;
}

int client_aligned_new(struct client_aligned *c, const struct plan *p, uint32_t client,
                       const struct rangeset *missing, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    const struct topology_list *stations;

    *c = (struct client_aligned){
        .plan = p,
        .class = a->classes.of_group[topology_client(&p->topology, client)->group],
    };
    stations = stations_of(c);
    if (client_seeds_new(&c->seeds,
                         &p->topology.groups[topology_client(&p->topology, client)->group],
                         stations, a->sharing.z, missing, err))
        return -1;
    c->blocks = calloc(a->sharing.n_segments, sizeof *c->blocks);
    c->schemes = calloc(stations->n, sizeof *c->schemes);
    if (!c->blocks || !c->schemes)
        return err_errno(err, "no memory to share a vector");
    for (size_t i = 0; i < stations->n; i++) {
        struct header h;

        plan_aligned_describe(p, a->holder_of[stations->numbers[i]], &h);
        c->schemes[i] = h.scheme;
    }
    return make_blocks(c, err);
}

void client_aligned_free(struct client_aligned *c)
{
    for (uint32_t i = 0; i < c->n_blocks; i++)
        sharing_free(&c->blocks[i]);
    free(c->blocks);
    free(c->schemes);
    client_seeds_free(&c->seeds);
    *c = (struct client_aligned){ 0 };
}

size_t client_aligned_length(const struct client_aligned *c, size_t length)
{
    uint32_t n = c->plan->aligned->sharing.n_segments;

    return n * (size_t)blocks_segment_length(n, length);
}

uint64_t client_aligned_filling(const struct client_aligned *c, size_t length)
{
    const struct plan_aligned *a = c->plan->aligned;
    uint64_t needed = stations_of(c)->n * blocks_segment_length(a->parts[c->class], length);
    uint64_t sent =
        stations_of(c)->n * c->n_blocks * blocks_segment_length(a->sharing.n_segments, length);

    if (c->plan->topology.length > 0 || sent - needed < FEW_ELEMENTS)
        return 0;
    return (uint64_t)(100 * ((double)(sent - needed) / (double)needed));
}

int client_aligned_spread(const struct client_aligned *c, const struct header *header,
                          const void *elems, struct random *random, struct parallel *pool,
                          struct progress *progress, struct outfiles *out, struct hagg_err *err)
{
    const struct plan_aligned *a = c->plan->aligned;
    uint32_t parts = a->parts[c->class];
    struct header h = *header;
    struct header_tier route = plan_aligned_route(c->plan);
    const struct spread_job job = {
        .header = &h,
        .sharing = &c->blocks[0],
        .blocks = c->blocks,
        .holders = stations_of(c)->numbers,
        .schemes = c->schemes,
        .seeds = c->seeds.are_seeds,
        .outputs = c->seeds.outputs,
        .route = &route,
        .n_route = 1,
        .n_blocks = c->n_blocks,
        .block_length =
            c->blocks[0].shape.parts * blocks_segment_length(a->sharing.n_segments, header->length),
        .parts = elems,
        .progress = progress,
    };

    h.n_segments = a->sharing.n_segments;
    h.blocks = &parts;
    h.n_blocks = 1;
    return spread_shares(&job, random, pool, out, err);
}
