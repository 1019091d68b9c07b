/*
 * topology_fuzz.c - any bytes as a topology. The printed form of an accepted topology must be
 * accepted as the same topology, with the same printed form and digest, and every client must be
 * found in it.
 */
#include <stdlib.h>
#include <string.h>

#include "topology/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int held)
{
    if (!held)
        abort();
}

/* Parses a copy without extra bytes, so that a read beyond its end is detected. */
static int parse(struct topology *t, const void *text, size_t n)
{
    char *copy = malloc(n);
    struct hagg_err err = { 0 };
    int status;

    need(copy || n == 0);
    if (n > 0)
        memcpy(copy, text, n);
    status = topology_parse(t, "f", copy, n, &err);
    /* HAGG_E_PRIVACY: two totals of one round could be decoded */
    need(status ? (err.status == HAGG_E_MALFORMED || err.status == HAGG_E_PRIVACY) &&
                      strncmp(err.text, "f:", 2) == 0
                : err.status == HAGG_OK);
    free(copy);
    return status;
}

static void check_ascending(const struct topology_list *list, uint32_t max)
{
    for (size_t i = 0; i < list->n; i++)
        need(list->numbers[i] > (i > 0 ? list->numbers[i - 1] : 0) && list->numbers[i] <= max);
}

/* Checks the properties that users of a topology rely on. */
static void check_sound(const struct topology *t)
{
    need(t->n_clients > 0 && t->n_groups > 0 && t->n_groups <= t->n_clients);
    need(t->n_stations > 0 && t->minimum > 0);
    need((uint64_t)t->minimum + t->drop_clients <= t->n_clients);
    for (size_t i = 0; i < t->n_clients; i++) {
        need(t->clients[i].group < t->n_groups);
        need(t->clients[i].number > (i > 0 ? t->clients[i - 1].number : 0));
        need(topology_client(t, t->clients[i].number) == &t->clients[i]);
    }
    for (size_t i = 0; i < t->n_groups; i++) {
        const struct topology_group *g = &t->groups[i];

        need(g->via.n > t->collude_stations + t->drop_stations);
        need(g->shares.n <= g->via.n && g->keys.n <= g->via.n);
        check_ascending(&g->via, t->n_stations);
    }
    for (uint32_t u = 0; t->station_via && u < t->n_stations; u++) {
        need(t->station_via[u].n > 0);
        check_ascending(&t->station_via[u], t->n_relays);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text first = { 0 }, second = { 0 };
    uint8_t digests[2][HEADER_PLAN_BYTES];
    struct hagg_err err = { 0 };
    struct topology t, again;

    if (parse(&t, data, size))
        return 0;
    check_sound(&t);
    topology_print(&t, &first);
    need(text_ok(&first) && parse(&again, first.bytes, first.len) == 0);
    check_sound(&again);
    topology_print(&again, &second);
    need(text_ok(&second) && strcmp(first.bytes, second.bytes) == 0);
    need(again.n_clients == t.n_clients && again.n_groups == t.n_groups);
    need(topology_digest(&t, digests[0], &err) == 0 &&
         topology_digest(&again, digests[1], &err) == 0);
    need(memcmp(digests[0], digests[1], sizeof digests[0]) == 0);
    topology_free(&t);
    topology_free(&again);
    text_free(&first);
    text_free(&second);
    return 0;
}
