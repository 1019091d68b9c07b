#include "aggregate/contributors.h"

#include <search.h>
#include <stdlib.h>

#include "base/rangeset.h"

/* A range of clients from one input. */
struct contributors_span {
    struct header_range range;
    size_t source;
    struct contributors_span *next;
};

/* Orders spans that do not overlap. */
static int compare_spans(const void *a, const void *b)
{
    const struct contributors_span *x = a, *y = b;

    return (x->range.first > y->range.first) - (x->range.first < y->range.first);
}

/* A search for the first span that ends at number or later. */
struct search {
    uint32_t number;
    const struct contributors_span **found;
};

static int descend(const void *search, const void *span)
{
    const struct search *s = search;
    const struct contributors_span *at = span;

    if (at->range.last < s->number)
        return 1;
    *s->found = at;
    return -1;
}

/* Records of one input often arrive in the order of their clients: then the last range is extended,
 * so that the memory does not grow with the clients. */
static bool extend(struct contributors *c, struct header_range range, size_t source)
{
    struct contributors_span *last = c->spans;

    if (!last || last->source != source || range.first == 0 || last->range.last != range.first - 1)
        return false;
    last->range.last = range.last;
    c->n_clients += (uint64_t)range.last - range.first + 1;
    return true;
}

static const struct contributors_span *find(const struct contributors *c, uint32_t number)
{
    const struct contributors_span *found = NULL;

    tfind(&(struct search){ number, &found }, &c->tree, descend);
    return found;
}

int contributors_add(struct contributors *c, struct header_range range, size_t source,
                     uint32_t *client, size_t *earlier, struct hagg_err *err)
{
    const struct contributors_span *found = find(c, range.first);
    struct contributors_span *span;

    if (found && found->range.first <= range.last) {
        *client = found->range.first > range.first ? found->range.first : range.first;
        *earlier = found->source;
        return 0;
    }
    if (extend(c, range, source))
        return 1;
    if (c->n == CONTRIBUTORS_MAX)
        return err_set(err, HAGG_E_MALFORMED,
                       "the records of one sum have more than %u ranges of clients: use fewer "
                       "records, or use a plan",
                       CONTRIBUTORS_MAX);
    span = malloc(sizeof *span);
    if (span)
        *span = (struct contributors_span){ range, source, c->spans };
    if (!span || !tsearch(span, &c->tree, compare_spans)) {
        free(span);
        return err_errno(err, "no memory for a set of clients");
    }
    c->spans = span;
    c->n++;
    c->n_clients += (uint64_t)range.last - range.first + 1;
    return 1;
}

bool contributors_has(const struct contributors *c, uint32_t number)
{
    const struct contributors_span *found = find(c, number);

    return found && found->range.first <= number;
}

int contributors_ranges(const struct contributors *c, struct header_range **ranges, size_t *n,
                        struct hagg_err *err)
{
    struct rangeset set = { .capacity = c->n + 1 };

    *n = 0;
    *ranges = set.ranges = calloc(set.capacity, sizeof *set.ranges);
    if (!set.ranges)
        return err_errno(err, "no memory for a set of clients");
    for (const struct contributors_span *s = c->spans; s; s = s->next)
        set.ranges[set.n++] = s->range;
    rangeset_settle(&set);
    *n = set.n;
    return 0;
}

static void ignore(void *node)
{
    (void)node;
}

void contributors_free(struct contributors *c)
{
    tdestroy(c->tree, ignore);
    while (c->spans) {
        struct contributors_span *next = c->spans->next;

        free(c->spans);
        c->spans = next;
    }
    *c = (struct contributors){ 0 };
}
