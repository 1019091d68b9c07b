#include "audit/findings.h"

#include <stdlib.h>

#include "base/array.h"

/* Ranges of numbers that are listed; beyond this only how many numbers there are. */
#define RANGES_NAMED 12

static const char *const tier_names[FINDINGS_TIERS] = { "client", "station", "relay", "client" };

static int no_memory(struct hagg_err *err)
{
    return err_errno(err, "no memory for the findings");
}

static int add_nodes(struct rangeset *set, const bool *marks, uint32_t n, struct hagg_err *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (marks[i] && rangeset_add(set, i + 1, i + 1, err))
            return -1;
    return 0;
}

static int add_clients(struct rangeset *set, const struct coalition *c, const struct model *m,
                       enum coalition_client state, struct hagg_err *err)
{
    size_t n;
    uint32_t *numbers = coalition_list(c, m, state, &n);
    int status = numbers ? 0 : no_memory(err);

    for (size_t i = 0; status == 0 && i < n; i++)
        status = rangeset_append(set, numbers[i], numbers[i], err);
    rangeset_settle(set);
    free(numbers);
    return status;
}

int findings_who_new(struct findings_who *w, const struct coalition *c, const struct model *m,
                     struct hagg_err *err)
{
    *w = (struct findings_who){ .federator = c->nodes[MODEL_FEDERATOR] };
    if (add_clients(&w->tiers[FINDINGS_CLIENTS], c, m, COALITION_MEMBER, err) ||
        add_clients(&w->tiers[FINDINGS_MISSING], c, m, COALITION_MISSING, err) ||
        add_nodes(&w->tiers[FINDINGS_STATIONS], c->nodes + model_station(1), m->n_stations, err) ||
        add_nodes(&w->tiers[FINDINGS_RELAYS], c->nodes + model_relay(m, 1), m->n_relays, err))
        return -1;
    return 0;
}

void findings_who_free(struct findings_who *w)
{
    for (size_t i = 0; i < FINDINGS_TIERS; i++)
        rangeset_free(&w->tiers[i]);
}

uint64_t findings_who_count(const struct findings_who *w)
{
    uint64_t n = w->federator;

    for (size_t i = 0; i < FINDINGS_MISSING; i++)
        n += rangeset_count(&w->tiers[i]);
    return n;
}

/* The separator before item i of n: "a, b and c". */
static void put_separator(size_t i, size_t n, struct text *text)
{
    if (i > 0)
        text_printf(text, i + 1 == n ? " and " : ", ");
}

void findings_put_numbers(const struct rangeset *set, struct text *text)
{
    size_t n_ranges = set->n > RANGES_NAMED ? RANGES_NAMED : set->n, n = set->n > n_ranges, at = 0;
    uint64_t left = rangeset_count(set);

    /* a range of two numbers is two items */
    for (size_t i = 0; i < n_ranges; i++)
        n += set->ranges[i].last == set->ranges[i].first + 1 ? 2 : 1;
    for (size_t i = 0; i < n_ranges; i++) {
        const struct header_range *range = &set->ranges[i];

        put_separator(at++, n, text);
        text_printf(text, "%u", range->first);
        if (range->last == range->first + 1) {
            put_separator(at++, n, text);
            text_printf(text, "%u", range->last);
        } else if (range->last > range->first)
            text_printf(text, "-%u", range->last);
        left -= range->last - range->first + 1u;
    }
    if (left > 0) {
        put_separator(at, n, text);
        text_printf(text, "%llu more", (unsigned long long)left);
    }
}

/* "clients 1 and 3" */
static void put_members(const char *name, const struct rangeset *set, struct text *text)
{
    text_printf(text, "%s%s ", name, rangeset_count(set) > 1 ? "s" : "");
    findings_put_numbers(set, text);
}

static void put_missing(const struct findings_who *w, struct text *text)
{
    if (w->tiers[FINDINGS_MISSING].n == 0)
        return;
    text_printf(text, ", with ");
    put_members(tier_names[FINDINGS_MISSING], &w->tiers[FINDINGS_MISSING], text);
    text_printf(text, " missing,");
}

void findings_put_who(const struct findings_who *w, struct text *text)
{
    bool pair = findings_who_count(w) == 2; /* needs no comma */
    size_t n = w->federator, at = 0;

    for (size_t i = 0; i < FINDINGS_MISSING; i++)
        n += w->tiers[i].n > 0;
    for (size_t i = 0; i < FINDINGS_MISSING; i++) {
        if (w->tiers[i].n == 0)
            continue;
        text_printf(text, "%s", at == 0 ? "" : at + 1 < n ? ", " : pair ? " and " : ", and ");
        put_members(tier_names[i], &w->tiers[i], text);
        at++;
    }
    if (w->federator)
        text_printf(text, "%sthe federator", at == 0 ? "" : pair ? " and " : ", and ");
    if (n == 0)
        text_printf(text, "an observer");
    put_missing(w, text);
}

void findings_lowest(size_t *a, size_t *b)
{
    size_t x = *a, y = *b;

    while (y > 0) {
        size_t rest = x % y;

        x = y;
        y = rest;
    }
    *a /= x;
    *b /= x;
}

/* "a third", "two thirds", "5/12"; a and b have no common factor, and a < b */
static void put_fraction(size_t a, size_t b, struct text *text)
{
    static const char *const parts[] = { "half",    "third",  "quarter", "fifth", "sixth",
                                         "seventh", "eighth", "ninth",   "tenth" };
    static const char *const numbers[] = { "a",   "two",   "three", "four", "five",
                                           "six", "seven", "eight", "nine" };

    if (b > 10)
        text_printf(text, "%zu/%zu", a, b);
    else
        text_printf(text, "%s %s%s", a == 1 && b == 8 ? "an" : numbers[a - 1], parts[b - 2],
                    a > 1 ? "s" : "");
}

void findings_put_part(const struct learnt *l, const struct learnt_part *part, struct text *text)
{
    size_t a = part->rank, b = l->cut;
    bool one = rangeset_count(&part->clients) == 1;

    findings_lowest(&a, &b);
    if (part->kind == LEARNT_EACH) {
        put_members("client", &part->clients, text);
        text_printf(text, ": ");
        if (a >= b) {
            text_printf(text, one ? "its whole vector" : "their whole vectors");
        } else {
            put_fraction(a, b, text);
            text_printf(text, one ? " of its vector" : " of each vector");
        }
        if (l->only_one)
            text_printf(text, ", because the total is of this client alone");
        return;
    }
    if (part->kind == LEARNT_SUM) {
        if (a < b) {
            put_fraction(a, b, text);
            text_printf(text, " of ");
        }
        text_printf(text, "the sum of the vectors of ");
        put_members("client", &part->clients, text);
        return;
    }
    text_printf(text,
                a > b ? "combinations of the vectors of " : "a combination of the vectors of ");
    put_members("client", &part->clients, text);
    if (a < b) {
        text_printf(text, ", ");
        put_fraction(a, b, text);
        text_printf(text, " of their length");
    } else if (a > b) {
        text_printf(text, b == 1 ? ", %zu times their length" : ", %zu/%zu times their length", a,
                    b);
    }
}

static bool is_as_much(const struct learnt *x, const struct learnt *y)
{
    bool same = x->n_parts == y->n_parts && x->only_one == y->only_one;

    for (size_t i = 0; same && i < x->n_parts; i++)
        same = x->parts[i].kind == y->parts[i].kind &&
               x->parts[i].rank * y->cut == y->parts[i].rank * x->cut &&
               rangeset_count(&x->parts[i].clients) == rangeset_count(&y->parts[i].clients);
    return same;
}

static bool is_same_kind(const struct findings_who *x, const struct findings_who *y)
{
    bool same = x->federator == y->federator;

    for (size_t i = 0; same && i < FINDINGS_TIERS; i++)
        same = rangeset_count(&x->tiers[i]) == rangeset_count(&y->tiers[i]);
    return same;
}

static int add_to_group(struct findings *f, const struct audit_result *r, size_t leak,
                        struct hagg_err *err)
{
    struct findings_group *g;
    size_t at = 0;

    for (; at < f->n_groups; at++) {
        size_t first = f->groups[at].leaks[0];

        if (is_same_kind(&f->who[first], &f->who[leak]) &&
            is_as_much(&r->leaks[first].learnt, &r->leaks[leak].learnt))
            break;
    }
    if (ARRAY_RESERVE(f->groups, at + 1, f->max_groups))
        return no_memory(err);
    g = &f->groups[at];
    if (at == f->n_groups) {
        *g = (struct findings_group){ 0 };
        f->n_groups++;
    }
    if (ARRAY_RESERVE(g->leaks, g->n + 1, g->capacity))
        return no_memory(err);
    g->leaks[g->n++] = leak;
    return 0;
}

int findings_new(struct findings *f, const struct audit_result *r, const struct model *m,
                 struct hagg_err *err)
{
    *f = (struct findings){ .who = calloc(r->n_leaks + 1, sizeof *f->who) };
    if (!f->who)
        return no_memory(err);
    for (size_t i = 0; i < r->n_leaks; i++) {
        f->n_leaks = i + 1;
        if (findings_who_new(&f->who[i], &r->leaks[i].who, m, err) || add_to_group(f, r, i, err))
            return -1;
    }
    return 0;
}

void findings_free(struct findings *f)
{
    for (size_t i = 0; i < f->n_leaks; i++)
        findings_who_free(&f->who[i]);
    for (size_t i = 0; i < f->n_groups; i++)
        free(f->groups[i].leaks);
    free(f->who);
    free(f->groups);
    *f = (struct findings){ 0 };
}
