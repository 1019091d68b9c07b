#include "audit/coalition.h"

#include <stdlib.h>
#include <string.h>

int coalition_new(struct coalition *c, const struct model *m, struct hagg_err *err)
{
    c->total = false;
    c->nodes = calloc(model_n_nodes(m), sizeof *c->nodes);
    c->clients = calloc(m->n_clients + 1, sizeof *c->clients);
    if (c->nodes && c->clients)
        return 0;
    coalition_free(c);
    return err_errno(err, "no memory for a coalition");
}

int coalition_copy(struct coalition *to, const struct coalition *from, const struct model *m,
                   struct hagg_err *err)
{
    if (coalition_new(to, m, err))
        return -1;
    to->total = from->total;
    memcpy(to->nodes, from->nodes, model_n_nodes(m) * sizeof *to->nodes);
    memcpy(to->clients, from->clients, m->n_clients * sizeof *to->clients);
    return 0;
}

void coalition_free(struct coalition *c)
{
    free(c->nodes);
    free(c->clients);
    *c = (struct coalition){ 0 };
}

bool coalition_equal(const struct coalition *a, const struct coalition *b, const struct model *m)
{
    return memcmp(a->nodes, b->nodes, model_n_nodes(m) * sizeof *a->nodes) == 0 &&
           memcmp(a->clients, b->clients, m->n_clients * sizeof *a->clients) == 0;
}

static int add_nodes(struct coalition *c, const struct rangeset *set, const char *what,
                     uint32_t first, uint32_t n, struct hagg_err *err)
{
    if (rangeset_count(set) > rangeset_overlap(set, 1, n))
        return err_set(err, HAGG_E_USAGE, "the plan has %u %s: choose the colluders from these", n,
                       what);
    for (uint32_t i = 1; i <= n; i++)
        if (rangeset_overlap(set, i, i))
            c->nodes[first + i - 1] = true;
    return 0;
}

int coalition_add_stations(struct coalition *c, const struct model *m, const struct rangeset *set,
                           struct hagg_err *err)
{
    return add_nodes(c, set, "stations", model_station(1), m->n_stations, err);
}

int coalition_add_relays(struct coalition *c, const struct model *m, const struct rangeset *set,
                         struct hagg_err *err)
{
    return add_nodes(c, set, "relays", model_relay(m, 1), m->n_relays, err);
}

int coalition_set_clients(struct coalition *c, const struct model *m, const struct rangeset *set,
                          enum coalition_client state, struct hagg_err *err)
{
    uint64_t n = 0;

    for (size_t k = 0; k < m->n_profiles; k++)
        for (size_t i = 0; i < m->profiles[k].n_clients; i++) {
            uint32_t number = m->profiles[k].clients[i];

            if (rangeset_overlap(set, number, number) == 0)
                continue;
            c->clients[m->profiles[k].first + i] = (uint8_t)state;
            n++;
        }
    if (n < rangeset_count(set))
        return err_set(err, HAGG_E_USAGE, "--colluders names clients that are not in the plan");
    return 0;
}

/* The numbers of the clients in this state, as a set. */
static int find_clients(const struct coalition *c, const struct model *m,
                        enum coalition_client state, struct rangeset *set, struct hagg_err *err)
{
    for (size_t k = 0; k < m->n_profiles; k++)
        for (size_t i = 0; i < m->profiles[k].n_clients; i++)
            if (c->clients[m->profiles[k].first + i] == state &&
                rangeset_append(set, m->profiles[k].clients[i], m->profiles[k].clients[i], err))
                return -1;
    rangeset_settle(set);
    return 0;
}

int coalition_translate(struct coalition *to, const struct model *to_model,
                        const struct coalition *from, const struct model *from_model,
                        struct hagg_err *err)
{
    int status = coalition_new(to, to_model, err);

    if (status)
        return -1;
    to->total = from->total;
    memcpy(to->nodes, from->nodes, model_n_nodes(to_model) * sizeof *to->nodes);
    for (enum coalition_client state = COALITION_MEMBER; state <= COALITION_MISSING && status == 0;
         state++) {
        struct rangeset set = { 0 };

        status = find_clients(from, from_model, state, &set, err);
        if (status == 0)
            status = coalition_set_clients(to, to_model, &set, state, err);
        rangeset_free(&set);
    }
    if (status)
        coalition_free(to);
    return status;
}

size_t coalition_count(const struct coalition *c, const struct model *m, size_t profile,
                       enum coalition_client state)
{
    const uint8_t *clients = c->clients + m->profiles[profile].first;
    size_t n = 0;

    for (size_t i = 0; i < m->profiles[profile].n_clients; i++)
        n += clients[i] == state;
    return n;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

uint32_t *coalition_list(const struct coalition *c, const struct model *m,
                         enum coalition_client state, size_t *n)
{
    uint32_t *numbers = calloc(m->n_clients + 1, sizeof *numbers);

    *n = 0;
    for (size_t profile = 0; numbers && profile < m->n_profiles; profile++)
        for (size_t i = 0; i < m->profiles[profile].n_clients; i++)
            if (c->clients[m->profiles[profile].first + i] == state)
                numbers[(*n)++] = m->profiles[profile].clients[i];
    if (numbers)
        qsort(numbers, *n, sizeof *numbers, compare_numbers);
    return numbers;
}
