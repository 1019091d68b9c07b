#include "round/batches.h"

#include <stdbool.h>
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

static uint32_t batch_of(const struct batches *b, uint32_t client)
{
    return (uint32_t)(find(b, client) / b->size) + 1;
}

/* Replaces each client by its batch; clients are the first or the second of each pair. */
static int regroup(const struct batches *b, struct links *l, bool first, struct hagg_err *err)
{
    struct links new = { 0 };
    int status = 0;

    for (size_t i = 0; i < l->n && status == 0; i++) {
        struct link pair = l->pairs[i];
        uint32_t *client = first ? &pair.of : &pair.with;

        *client = batch_of(b, *client);
        status = links_add_third(&new, pair.of, pair.with, pair.third, err);
    }
    links_sort(&new);
    links_free(l);
    *l = new;
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
    if (size == 0)
        return 0;
    return regroup(b, &d->uploads, true, err) || regroup(b, &d->rerouted, true, err) ||
                   regroup(b, &d->received, false, err) || regroup(b, &d->passed, false, err)
               ? -1
               : 0;
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
