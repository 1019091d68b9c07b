#include "plan_patterns.h"

#include <stdlib.h>
#include <string.h>

static int compare(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    if (n_a != n_b)
        return n_a < n_b ? -1 : 1;
    return memcmp(a, b, n_a * sizeof *a);
}

static int compare_lists(const void *a, const void *b)
{
    const struct topology_list *x = *(const struct topology_list *const *)a;
    const struct topology_list *y = *(const struct topology_list *const *)b;

    return compare(x->numbers, x->n, y->numbers, y->n);
}

static const struct topology_list *list_of(const struct topology_group *g, enum plan_what what)
{
    return what == PLAN_SHARES ? plan_shares_of(g) : what == PLAN_KEYS ? plan_keys_of(g) : &g->via;
}

int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *patterns = (struct plan_patterns){
        .lists = calloc(t->n_groups, sizeof *patterns->lists),
        .of_group = calloc(t->n_groups, sizeof *patterns->of_group),
    };
    if (!patterns->lists || !patterns->of_group) {
        plan_patterns_free(patterns);
        return err_errno(err, "%s", p->name);
    }
    for (size_t g = 0; g < t->n_groups; g++)
        patterns->lists[g] = list_of(&t->groups[g], what);
    qsort(patterns->lists, t->n_groups, sizeof *patterns->lists, compare_lists);
    for (size_t g = 0; g < t->n_groups; g++)
        if (patterns->n == 0 ||
            compare_lists(&patterns->lists[patterns->n - 1], &patterns->lists[g]) != 0)
            patterns->lists[patterns->n++] = patterns->lists[g];
    for (size_t g = 0; g < t->n_groups; g++) {
        const struct topology_list *list = list_of(&t->groups[g], what);

        patterns->of_group[g] = (uint32_t)plan_patterns_find(patterns, list->numbers, list->n);
    }
    return 0;
}

size_t plan_patterns_find(const struct plan_patterns *patterns, const uint32_t *numbers, size_t n)
{
    size_t low = 0, high = patterns->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct topology_list *list = patterns->lists[middle];
        int order = compare(numbers, n, list->numbers, list->n);

        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return patterns->n;
}

void plan_patterns_free(struct plan_patterns *patterns)
{
    free(patterns->lists);
    free(patterns->of_group);
    *patterns = (struct plan_patterns){ 0 };
}
