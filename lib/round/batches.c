#include "round/batches.h"

#include <stdlib.h>

static size_t find(const struct batches *b, uint32_t client)
{
    size_t low = 0, high = b->n_clients;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (b->clients[middle] <= client)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Replaces each client by its batch. */
static int regroup(const struct batches *b, struct deliveries *d, struct hagg_err *err)
{
    struct links uploads = { 0 }, received = { 0 };
    int status = 0;

    for (size_t i = 0; i < d->uploads.n && status == 0; i++)
        status = links_add(&uploads, (uint32_t)(find(b, d->uploads.pairs[i].of) / b->size) + 1,
                           d->uploads.pairs[i].with, err);
    links_sort(&uploads);
    if (status == 0)
        status = links_reverse(&uploads, &received, err);
    links_free(&d->uploads);
    links_free(&d->received);
    d->uploads = uploads;
    d->received = received;
    return status;
}

int batches_new(struct batches *b, struct deliveries *d, size_t size, struct hagg_err *err)
{
    const struct topology *t = &d->plan->topology;

    b->size = size;
    b->clients = calloc(t->n_clients + 1, sizeof *b->clients);
    if (!b->clients)
        return err_errno(err, "no memory for the clients of the round");
    for (size_t i = 0; i < t->n_clients; i++)
        if (protocol_has(d->round, (struct node){ NODE_CLIENT, t->clients[i].number }))
            b->clients[b->n_clients++] = t->clients[i].number;
    return size > 0 ? regroup(b, d, err) : 0;
}

size_t batches_count(const struct batches *b)
{
    return b->size > 0 ? (b->n_clients + b->size - 1) / b->size : b->n_clients;
}

uint32_t batches_node(const struct batches *b, size_t i)
{
    return b->size > 0 ? (uint32_t)i + 1 : b->clients[i];
}

const uint32_t *batches_of(const struct batches *b, uint32_t node, size_t *n)
{
    size_t first = b->size > 0 ? (node - 1) * b->size : find(b, node);

    *n = b->size > 0 ? b->size : 1;
    if (*n > b->n_clients - first)
        *n = b->n_clients - first;
    return b->clients + first;
}

void batches_free(struct batches *b)
{
    free(b->clients);
    *b = (struct batches){ 0 };
}
