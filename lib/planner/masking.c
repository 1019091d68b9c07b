#include "masking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fraction.h"
#include "plan_cost.h"
#include "plan_masks.h"

/* So small that the best sets are soon found again for every station that might do nothing. */
#define FEW_KINDS    16
#define FEW_STATIONS 32

int masking_meet(const struct instance *in, struct cover *c, struct hagg_err *err)
{
    uint32_t n;

    *c = (struct cover){
        .n_patterns = 1,
        .patterns = malloc(in->n_words * sizeof *c->patterns),
        .of = calloc(in->n_kinds, sizeof *c->of),
    };
    if (!c->patterns || !c->of) {
        cover_free(c);
        return err_errno(err, "no memory to plan");
    }
    memcpy(c->patterns, instance_reach(in, 0), in->n_words * sizeof *c->patterns);
    for (uint32_t kind = 1; kind < in->n_kinds; kind++)
        set_meet(c->patterns, c->patterns, instance_reach(in, kind), in->n_words);
    n = set_count(c->patterns, in->n_words);
    if (in->size[n] == 0) {
        cover_free(c);
        return 0;
    }
    c->cost = c->bound = ((double)in->n_clients + 1) * in->rate[n];
    return 1;
}

/* What the masks of so many stations cost. */
static int masks_cost(const struct plan *p, uint32_t n, double *cost, struct hagg_err *err)
{
    double n_stations = p->topology.n_stations;
    struct hagg_scheme_shape shape;
    uint32_t z;

    *cost = n;
    if (!p->topology.full)
        return 0;
    if (plan_masks_shape(p, &z, &shape, err))
        return -1;
    *cost = (n * (n_stations - 1) + n_stations) * shape.symbols / shape.parts;
    return 0;
}

/* The clients' reaches without one station. */
static struct topology_group *groups_without(const struct topology *t, uint32_t station,
                                             struct hagg_err *err)
{
    struct topology_group *groups = calloc(t->n_groups, sizeof *groups);

    for (size_t g = 0; g < t->n_groups && groups; g++) {
        const struct topology_list *via = &t->groups[g].via;
        struct topology_list *left = &groups[g].via;

        left->numbers = malloc((via->n + 1) * sizeof *left->numbers);
        if (!left->numbers) {
            topology_free_groups(groups, t->n_groups);
            groups = NULL;
            break;
        }
        for (size_t i = 0; i < via->n; i++)
            if (via->numbers[i] != station)
                left->numbers[left->n++] = via->numbers[i];
    }
    if (!groups)
        err_errno(err, "no memory to plan");
    return groups;
}

/* No choice that leaves the station out costs less. */
static int bound_without(const struct plan *p, uint32_t station, struct effort *effort,
                         double *bound, struct hagg_err *err)
{
    struct plan other = *p;
    struct hagg_err why = { 0 };
    struct instance in;
    struct cover cover;
    int status = 0;

    other.topology.groups = groups_without(&p->topology, station, err);
    if (!other.topology.groups)
        return -1;
    *bound = INFINITY; /* somebody reaches too few others */
    if (instance_new(&in, &other, &why) == 0) {
        status = cover_find(&in, effort, &cover, err);
        if (status == 0) {
            *bound = cover.bound;
            cover_free(&cover);
        }
        instance_free(&in);
    } else if (why.status != HAGG_E_MALFORMED) {
        *err = why;
        status = -1;
    }
    topology_free_groups(other.topology.groups, p->topology.n_groups);
    return status;
}

int masking_bound(const struct plan *p, const struct instance *in, double cover_bound,
                  struct effort *effort, double *bound, struct hagg_err *err)
{
    uint32_t n_stations = p->topology.n_stations, least = 1;
    double of_all, of_few, without = cover_bound;
    struct cover meet;
    int met;

    /* two patterns that differ have a station more than the smallest, and one needs no masks */
    while (least < n_stations && in->size[least] == 0)
        least++;
    if (least < n_stations)
        least++;
    if (masks_cost(p, n_stations, &of_all, err) || masks_cost(p, least, &of_few, err))
        return -1;
    if (in->n_kinds <= FEW_KINDS && n_stations <= FEW_STATIONS) {
        without = INFINITY;
        for (uint32_t s = 1; s <= n_stations; s++) {
            double now;

            if (bound_without(p, s, effort, &now, err))
                return -1;
            without = fmin(without, now);
        }
    }
    /* all stations mask, or one does not */
    *bound = fmin(cover_bound + of_all, without + of_few);
    met = masking_meet(in, &meet, err);
    if (met > 0) {
        *bound = fmin(*bound, meet.cost);
        cover_free(&meet);
    }
    return met < 0 ? -1 : 0;
}

int masking_compare(const struct plan *with_keys, const struct plan *with_masks, bool *masks,
                    char *why, size_t size, struct hagg_err *err)
{
    struct plan_cost of_keys, of_masks;
    struct text keys_text = { 0 }, masks_text = { 0 };

    if (plan_cost_new(&of_keys, with_keys, false, err))
        return -1;
    if (plan_cost_new(&of_masks, with_masks, false, err)) {
        plan_cost_free(&of_keys);
        return -1;
    }
    fraction_print(of_keys.total, &keys_text);
    fraction_print(of_masks.total, &masks_text);
    *masks = mpq_cmp(of_masks.total, of_keys.total) < 0;
    if (*masks)
        snprintf(why, size, "station masks: %s against %s with client keys",
                 text_ok(&masks_text) ? masks_text.bytes : "",
                 text_ok(&keys_text) ? keys_text.bytes : "");
    else
        snprintf(why, size, "client keys: %s against %s with station masks",
                 text_ok(&keys_text) ? keys_text.bytes : "",
                 text_ok(&masks_text) ? masks_text.bytes : "");
    text_free(&keys_text);
    text_free(&masks_text);
    plan_cost_free(&of_keys);
    plan_cost_free(&of_masks);
    return 0;
}
