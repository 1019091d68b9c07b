#include "aggregate/selection.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"
#include "protocol/protocol.h"

/* A round in which some nodes are present. */
struct presence {
    const struct rangeset *present;
    struct rangeset missing;
    struct protocol *round; /* NULL without a plan */
};

const struct selection_symbols selection_all = { 1, 0, 1 };

struct selection {
    const struct plan *plan;
    struct presence now, before; /* before has no nodes if nothing was sent */
};

static bool has(const struct presence *p, uint32_t number)
{
    return rangeset_overlap(p->present, number, number) > 0;
}

static void presence_free(struct presence *p)
{
    protocol_free(p->round);
    rangeset_free(&p->missing);
}

static int presence_new(struct presence *p, const struct aggregate_options *o,
                        const struct rangeset *present, struct hagg_err *err)
{
    size_t tier = o->relay > 0;
    struct protocol_presence who = { .clients = o->clients, .prefixes = true, .stand_by = true };
    uint32_t n;

    p->present = present;
    if (!o->plan || !present)
        return 0;
    n = tier == 0 ? o->plan->topology.n_stations : o->plan->topology.n_relays;
    if (present->n > 0 && present->ranges[present->n - 1].last > n)
        return err_set(err, HAGG_E_USAGE, "%s: has no %s %u", o->plan->name, plan_tier_name(tier),
                       present->ranges[present->n - 1].last);
    for (uint32_t i = 1; i <= n; i++)
        if (rangeset_overlap(present, i, i) == 0 && rangeset_add(&p->missing, i, i, err))
            return -1;
    who.missing[tier] = &p->missing;
    p->round = protocol_open(o->plan, &who, err);
    return p->round ? 0 : -1;
}

/* With protocol aligned: checks that the total can be decoded from the sums of these nodes. */
static int check_enough(const struct presence *p, const struct plan *plan, const char *option,
                        const char *advice, struct hagg_err *err)
{
    const struct plan_aligned *a = plan ? plan->aligned : NULL;
    uint32_t n = 0;

    for (size_t i = 0; p->round && a && i < a->stations.n; i++)
        n += has(p, a->stations.numbers[i]);
    if (!p->round || !a || n >= a->sharing.k)
        return 0;
    return err_set(err, HAGG_E_TOO_FEW,
                   "%s names only %u of the stations in use, but the sums of %u are needed: %s",
                   option, n, a->sharing.k, advice);
}

struct selection *selection_new(const struct aggregate_options *options, struct hagg_err *err)
{
    struct selection *s = calloc(1, sizeof *s);

    if (!s) {
        err_errno(err, "cannot set up an aggregation");
        return NULL;
    }
    s->plan = options->plan;
    if (presence_new(&s->now, options, options->present, err) == 0 &&
        presence_new(&s->before, options, options->after, err) == 0 &&
        check_enough(&s->now, s->plan, "--present", "wait for more of them", err) == 0 &&
        check_enough(&s->before, s->plan, "--after", "omit it, because nothing was sent then",
                     err) == 0)
        return s;
    selection_free(s);
    return NULL;
}

void selection_free(struct selection *s)
{
    if (!s)
        return;
    presence_free(&s->now);
    presence_free(&s->before);
    free(s);
}

/* Returns how many of the holders are present. */
static uint32_t count_present(const struct presence *p, const struct header_tier *holders)
{
    uint32_t n = 0;

    for (size_t i = 0; i < holders->n_numbers; i++)
        n += has(p, holders->numbers[i]);
    return n;
}

/* Determines the prefix that these nodes, of an option, require. */
static int find_prefix(const struct presence *p, const char *option, const struct header *h,
                       const struct scheme_prefixes *prefixes, struct hagg_scheme_prefix *prefix,
                       struct hagg_err *err)
{
    uint32_t n = count_present(p, &h->route[0]);
    const struct hagg_scheme_prefix *found = scheme_prefix_for(prefixes, n);

    if (!found)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s names only %u of the holders of a share, but %u are needed: wait for "
                       "more of them",
                       option, n, prefixes->all[prefixes->n - 1].holders);
    *prefix = *found;
    if (p->round && !protocol_sum_prefix(p->round, h, prefix))
        return err_set(err, HAGG_E_MISMATCH, "a share is not in the plan");
    return 0;
}

/* Finds the prefixes of the scheme. */
static int list_prefixes(const struct header_scheme *of, struct scheme_prefixes *prefixes,
                         struct hagg_err *err)
{
    struct scheme *scheme = scheme_open(of->name, err);
    int status = scheme ? scheme_prefixes(scheme, of->n, of->k, of->z, NULL, prefixes, err) : -1;

    scheme_free(scheme);
    return status;
}

int selection_choose(const struct selection *s, const struct header *h,
                     struct selection_symbols *symbols, struct hagg_err *err)
{
    struct hagg_scheme_prefix now, before = { 0 };
    struct scheme_prefixes prefixes;
    uint32_t holder;

    *symbols = selection_all;
    if (!s || h->kind != HEADER_SHARE || (s->plan && plan_transforms(s->plan, h)))
        return 0;
    if (h->symbols.end > 0)
        return err_set(err, HAGG_E_MISMATCH,
                       "has some symbols of a share only, to which --present does not apply: pass "
                       "them on as they are");
    if (list_prefixes(&h->scheme, &prefixes, err) ||
        find_prefix(&s->now, "--present", h, &prefixes, &now, err))
        return -1;
    holder = h->route[0].numbers[h->scheme.index];
    if (s->before.present && has(&s->before, holder) &&
        find_prefix(&s->before, "--after", h, &prefixes, &before, err))
        return -1;
    *symbols = (struct selection_symbols){
        .n_symbols = prefixes.all[prefixes.n - 1].symbols,
        .first = before.symbols,
        .end = now.symbols,
    };
    return 0;
}

enum selection_sum selection_of_sum(const struct selection *s, uint32_t station)
{
    if (!s)
        return SELECTION_SEND;
    if (protocol_stands_by(s->now.round, station))
        return SELECTION_STANDS_BY;
    return s->before.round && has(&s->before, station) &&
                   !protocol_stands_by(s->before.round, station)
               ? SELECTION_SENT_BEFORE
               : SELECTION_SEND;
}

size_t selection_keep(const struct selection_symbols *symbols, void *elems, size_t n, size_t size)
{
    size_t n_columns = n / symbols->n_symbols, each = symbols->end - symbols->first;
    unsigned char *to = elems;

    if (each == symbols->n_symbols)
        return n;
    for (size_t i = 0; i < n_columns; i++)
        memmove(to + i * each * size, to + (i * symbols->n_symbols + symbols->first) * size,
                each * size);
    return n_columns * each;
}
