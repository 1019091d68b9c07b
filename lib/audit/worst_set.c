#include "audit/worst_set.h"

#include <stdlib.h>
#include <string.h>

/* Steps after which the search is given up: less than a second. A step looks at one class. */
#define MAX_STEPS UINT64_C(50000000)

/* A class that still counts: it has chosen stations, or stations that can be chosen. */
struct live {
    uint32_t class;
    uint32_t count; /* of its stations that are chosen */
    uint32_t next;  /* place of its first station that can still be chosen */
};

struct search {
    const struct worst_set_class *classes;
    uint32_t n, size;
    struct live **levels; /* by number of chosen stations */
    uint32_t *set, *chosen;
    uint64_t most;  /* of the sets that were reached; chosen is the first that has it */
    uint64_t given; /* upper bound for the sets that were given up */
    uint64_t steps;
};

/* Chooses one more station. Writes the classes that still count then, and returns an upper bound
 * for all sets that begin like this. */
static uint64_t choose(struct search *s, uint32_t level, size_t n_live, uint32_t station,
                       size_t *n_left)
{
    const struct live *from = s->levels[level];
    struct live *to = s->levels[level + 1];
    uint32_t rest = s->size - level - 1;
    uint64_t bound = 0;

    *n_left = 0;
    s->steps += n_live;
    for (size_t i = 0; i < n_live; i++) {
        const struct worst_set_class *c = &s->classes[from[i].class];
        struct live l = from[i];
        uint64_t weight;
        uint32_t left;

        while (l.next < c->n_stations && c->stations[l.next] < station)
            l.next++;
        if (l.next < c->n_stations && c->stations[l.next] == station) {
            l.next++;
            l.count++;
        }
        left = c->n_stations - l.next;
        weight = c->weights[l.count + (left < rest ? left : rest)];
        bound += weight;
        if (weight > 0)
            to[(*n_left)++] = l;
    }
    return bound;
}

static void extend(struct search *s, uint32_t level, size_t n_live, uint32_t from)
{
    for (uint32_t u = from; u + (s->size - level) <= s->n + 1; u++) {
        size_t n_left;
        uint64_t bound = choose(s, level, n_live, u, &n_left);

        s->set[level] = u;
        if (bound <= s->most)
            continue;
        if (level + 1 == s->size) {
            s->most = bound;
            memcpy(s->chosen, s->set, s->size * sizeof *s->set);
        } else if (s->steps < MAX_STEPS)
            extend(s, level + 1, n_left, u + 1);
        else if (bound > s->given)
            s->given = bound;
    }
}

int worst_set_find(const struct worst_set_class *classes, size_t n_classes, uint32_t n,
                   uint32_t size, uint32_t *chosen, uint64_t *most, bool *exact,
                   struct hagg_err *err)
{
    struct search s = { .classes = classes, .n = n, .size = size, .chosen = chosen };
    bool ready;

    s.set = calloc(size + (size_t)1, sizeof *s.set);
    s.levels = calloc(size + (size_t)1, sizeof *s.levels);
    ready = s.set && s.levels;
    for (uint32_t i = 0; ready && i <= size; i++) {
        s.levels[i] = calloc(n_classes + 1, sizeof **s.levels);
        ready = s.levels[i] != NULL;
    }
    for (uint32_t i = 0; ready && i < size; i++)
        chosen[i] = i + 1;
    for (size_t i = 0; ready && i < n_classes; i++)
        s.levels[0][i].class = (uint32_t)i;
    if (ready)
        extend(&s, 0, n_classes, 1);
    *exact = s.given <= s.most;
    *most = *exact ? s.most : s.given;
    for (uint32_t i = 0; s.levels && i <= size; i++)
        free(s.levels[i]);
    free(s.levels);
    free(s.set);
    return ready ? 0 : err_errno(err, "no memory to search for a coalition");
}
