#include "planner/joint/smallest.h"

#include <stdlib.h>
#include <string.h>

/* A set of a reach class. */
struct entry {
    uint32_t reach_class, set;
    const uint64_t *stations;
};

/* The number of k-subsets of n stations, or more than most. */
static size_t count_subsets(size_t n, size_t k, size_t most)
{
    size_t count = 1;

    for (size_t i = 0; i < k && count <= most; i++)
        count = count * (n - i) / (i + 1);
    return count;
}

static uint32_t fewest_stations(const struct instance *in)
{
    uint32_t m = 0;

    while (m < in->n_stations && in->size[m] == 0)
        m++;
    return m;
}

/* Writes the k-subsets of the reach, and returns their number. */
static size_t list_subsets(const struct instance *in, uint32_t reach_class, uint32_t k,
                           uint32_t *members, uint64_t *sets)
{
    const uint64_t *reach = instance_reach(in, reach_class);
    uint32_t *index = members + in->n_stations, n = 0;
    size_t count = 0;

    for (uint32_t u = 1; u <= in->n_stations; u++)
        if (set_has(reach, u))
            members[n++] = u;
    for (uint32_t i = 0; i < k; i++)
        index[i] = i;
    for (;;) {
        uint64_t *set = sets + count++ * in->n_words;
        uint32_t at = k;

        for (uint32_t i = 0; i < k; i++)
            set_put(set, members[index[i]]);
        while (at > 0 && index[at - 1] == n - k + at - 1)
            at--;
        if (at == 0)
            return count;
        index[at - 1]++;
        for (; at < k; at++)
            index[at] = index[at - 1] + 1;
    }
}

static int by_stations(const void *a, const void *b, void *n_words)
{
    const struct entry *x = a, *y = b;
    int order = memcmp(x->stations, y->stations, *(const size_t *)n_words * sizeof *x->stations);

    return order ? order : (x->reach_class > y->reach_class) - (x->reach_class < y->reach_class);
}

/* Numbers the sets that two or more clients reach, and keeps only their entries. */
static size_t number_sets(struct smallest *s, const struct instance *in, struct entry *entries,
                          size_t n)
{
    size_t kept = 0;

    for (size_t i = 0, end; i < n; i = end) {
        uint64_t n_clients = 0;

        for (end = i; end < n && set_equal(entries[end].stations, entries[i].stations, in->n_words);
             end++)
            n_clients += in->weight[entries[end].reach_class];
        for (size_t k = i; k < end && n_clients > 1; k++) {
            entries[kept] = entries[k];
            entries[kept++].set = s->n;
        }
        s->n += n_clients > 1;
    }
    return kept;
}

/* Sorts the entries by reach class. Returns false if a reach class has none. */
static bool fill_lists(struct smallest *s, const struct instance *in, const struct entry *entries,
                       size_t n)
{
    bool all = true;

    for (size_t i = 0; i < n; i++)
        s->begins[entries[i].reach_class + 1]++;
    for (uint32_t c = 0; c < in->n_reach_classes; c++) {
        all = all && s->begins[c + 1] > 0;
        s->begins[c + 1] += s->begins[c];
    }
    for (size_t i = n; i-- > 0;)
        s->lists[--s->begins[entries[i].reach_class + 1]] = entries[i].set;
    /* each begin is now where its own list starts, one place too far */
    memmove(s->begins, s->begins + 1, in->n_reach_classes * sizeof *s->begins);
    s->begins[in->n_reach_classes] = (uint32_t)n;
    return all;
}

int smallest_new(struct smallest *s, const struct instance *in, size_t most, struct hagg_err *err)
{
    uint32_t k = fewest_stations(in);
    size_t n = 0, at = 0, n_words = in->n_words;
    struct entry *entries = NULL;
    uint32_t *members = NULL;
    uint64_t *sets = NULL;
    int status = -1;

    *s = (struct smallest){ 0 };
    for (uint32_t c = 0; c < in->n_reach_classes && n <= most; c++)
        n += count_subsets(set_count(instance_reach(in, c), n_words), k, most);
    if (n > most)
        return 0;
    sets = calloc(n * n_words + 1, sizeof *sets);
    entries = calloc(n + 1, sizeof *entries);
    members = calloc(2 * (size_t)in->n_stations + 1, sizeof *members);
    s->begins = calloc(in->n_reach_classes + (size_t)2, sizeof *s->begins);
    s->lists = calloc(n + 1, sizeof *s->lists);
    if (!sets || !entries || !members || !s->begins || !s->lists) {
        err_errno(err, "no memory to plan for full collusion");
        goto out;
    }
    for (uint32_t c = 0; c < in->n_reach_classes; c++) {
        size_t end = at + list_subsets(in, c, k, members, sets + at * n_words);

        for (; at < end; at++)
            entries[at] = (struct entry){ c, 0, sets + at * n_words };
    }
    qsort_r(entries, n, sizeof *entries, by_stations, &n_words);
    status = fill_lists(s, in, entries, number_sets(s, in, entries, n));
out:
    if (status < 1)
        smallest_free(s);
    free(sets);
    free(entries);
    free(members);
    return status;
}

void smallest_free(struct smallest *s)
{
    free(s->begins);
    free(s->lists);
    *s = (struct smallest){ 0 };
}
