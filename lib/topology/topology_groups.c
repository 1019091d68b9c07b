#include <stdlib.h>
#include <string.h>

#include "topology/topology_resolve.h"

static void discard(struct topology_list *list)
{
    free(list->numbers);
    *list = (struct topology_list){ 0 };
}

void topology_discard_choices(struct topology *t)
{
    for (size_t i = 0; i < t->n_groups; i++) {
        struct topology_group *g = &t->groups[i];

        discard(&g->shares);
        discard(&g->keys);
        discard(&g->relays);
        discard(&g->key_relays);
    }
    discard(&t->dealers);
    t->segments = 0;
    t->aligned_line = t->segments_line = t->dealers_line = 0;
}

static int compare_lists(const struct topology_list *a, const struct topology_list *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    return a->n > 0 ? memcmp(a->numbers, b->numbers, a->n * sizeof *a->numbers) : 0;
}

static int compare_groups(const struct topology_group *a, const struct topology_group *b)
{
    int order = compare_lists(&a->via, &b->via);

    order = order ? order : compare_lists(&a->shares, &b->shares);
    order = order ? order : compare_lists(&a->keys, &b->keys);
    order = order ? order : compare_lists(&a->relays, &b->relays);
    order = order ? order : compare_lists(&a->key_relays, &b->key_relays);
    order = order ? order : compare_lists(&a->reach, &b->reach);
    return order ? order : a->computational - b->computational;
}

static int compare_group_pointers(const void *a, const void *b)
{
    return compare_groups(*(struct topology_group *const *)a, *(struct topology_group *const *)b);
}

int topology_merge_groups(struct topology *t)
{
    struct topology_group **sorted = calloc(t->n_groups, sizeof *sorted);
    struct topology_group *kept = calloc(t->n_groups, sizeof *kept);
    uint32_t *first = calloc(t->n_groups, sizeof *first); /* by group: the one that it equals */
    uint32_t *place = calloc(t->n_groups, sizeof *place); /* by group: 1 + its index in kept */
    size_t n_kept = 0;
    int status = 0;

    if (!sorted || !kept || !first || !place) {
        status = -1;
        free(kept);
        goto out;
    }
    for (size_t i = 0; i < t->n_groups; i++)
        sorted[i] = &t->groups[i];
    qsort(sorted, t->n_groups, sizeof *sorted, compare_group_pointers);
    for (size_t i = 0; i < t->n_groups; i++) {
        size_t self = (size_t)(sorted[i] - t->groups);
        bool same = i > 0 && compare_groups(sorted[i - 1], sorted[i]) == 0;

        first[self] = same ? first[sorted[i - 1] - t->groups] : (uint32_t)self;
    }
    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t group = first[t->clients[i].group];

        if (place[group] == 0) {
            kept[n_kept++] = t->groups[group];
            place[group] = (uint32_t)n_kept;
        }
        t->clients[i].group = place[group] - 1;
    }
    for (size_t i = 0; i < t->n_groups; i++)
        if (first[i] != i)
            topology_clear_group(&t->groups[i]);
    free(t->groups);
    t->groups = kept;
    t->n_groups = n_kept;
out:
    free(sorted);
    free(first);
    free(place);
    return status;
}
