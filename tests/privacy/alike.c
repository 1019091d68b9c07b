#include "alike.h"

#include <stdlib.h>
#include <string.h>

#include "outcome.h"

static int compare_numbers(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Lists all views that are possible with these inputs, as numbers, sorted. */
static void list_views(const struct instance *in, const struct sight *s, unsigned fixed,
                       size_t inputs, size_t *views)
{
    struct view_outcome o = { 0 };
    size_t n = 0;

    outcome_set_inputs(in, inputs, &o);
    do {
        size_t number = 0;

        for (size_t k = 0; k < s->n; k++) {
            unsigned digit = 0;

            for (size_t i = 0; i < in->n_clients; i++)
                digit += sight_term(&s->sums[k], i, instance_cell(in, i, o.inputs[i], o.points[i]));
            number = number * in->p + digit % in->p;
        }
        views[n++] = number;
    } while (outcome_next_points(in, fixed, &o));
    qsort(views, n, sizeof *views, compare_numbers);
}

static void compare(const struct instance *in, const struct sight *s,
                    const struct sight_observer *who, size_t *const views[2], size_t n_views,
                    struct alike *a)
{
    const struct observer observer = { .clients = who->clients, .federator = who->federator };
    size_t n_inputs = outcome_count_inputs(in);

    for (size_t first = 0; first < n_inputs; first++) {
        list_views(in, s, who->clients, first, views[0]);
        for (size_t i = first + 1; i < n_inputs; i++) {
            if (outcome_class(in, &observer, i) != outcome_class(in, &observer, first))
                continue;
            list_views(in, s, who->clients, i, views[1]);
            if (memcmp(views[0], views[1], n_views * sizeof *views[0]))
                a->n_other++;
            else
                a->n_same++;
        }
    }
}

int alike_count(const struct instance *in, const struct sight_observer *who, struct alike *a)
{
    static struct sight s;
    size_t *views[2], n_views = 1, most = SIZE_MAX;

    *a = (struct alike){ 0 };
    sight_collect(in, who, &s);
    /* ensures that different views have different numbers */
    for (size_t k = 0; k < s.n; k++)
        most /= in->p;
    if (most == 0)
        return 1;
    for (size_t i = 0; i < in->n_clients; i++)
        n_views *= who->clients >> i & 1 ? 1 : in->clients[i].n_points;
    for (size_t i = 0; i < 2; i++)
        views[i] = calloc(n_views, sizeof *views[i]);
    if (views[0] && views[1])
        compare(in, &s, who, views, n_views, a);
    most = views[0] && views[1];
    free(views[0]);
    free(views[1]);
    return most ? 0 : -1;
}
