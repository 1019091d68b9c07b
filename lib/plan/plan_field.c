#include "plan/plan_field.h"

#include <stdio.h>
#include <string.h>

#include "sharing/field.h"
#include "vector/quantize.h"
#include "vector/residues.h"

/* The fields of field auto, by the size of their elements. */
static const char *const fields[] = { "prime:p=251", "prime:p=65521", "m31", "m61", "goldilocks" };

#define N_FIELDS (sizeof fields / sizeof *fields)

/* For integers of which nothing is known, elements have at least so many bytes. */
#define WIDE_BYTES 4

/* Returns true if the topology leaves open how large numbers are. */
static bool is_open(const struct topology *t)
{
    return (!header_has_quant(&t->quant) && !topology_integers_given(&t->integers)) ||
           (t->samples && t->most_samples == 0);
}

/* Returns the fewest elements that have points for every protocol: for the stations or the relays
 * and, with protocol aligned, for at least half as many segments as a sharing has parts. Then no
 * share has more than twice the elements that it would have in a larger field: docs/aligned.md. */
static uint64_t points_needed(const struct topology *t)
{
    uint64_t hidden = (uint64_t)t->collude_stations + t->drop_stations, segments = 1, points;

    for (size_t i = 0; i < t->n_groups; i++)
        if (t->groups[i].via.n > hidden + 2 * segments)
            segments = (t->groups[i].via.n - hidden + 1) / 2;
    if (t->segments_line > 0 && t->segments > segments)
        segments = t->segments;
    points = t->n_stations + segments;
    return points > t->n_relays ? points : t->n_relays + UINT64_C(1);
}

/* Returns true if the field has the points and holds the sums. */
static bool holds(const struct field *f, const struct topology *t)
{
    struct topology_integers b = { -1, 1 };

    if (f->info.order < points_needed(t) || (is_open(t) && field_elem_size(f) < WIDE_BYTES))
        return false;
    if (header_has_quant(&t->quant))
        quantize_range(&t->quant, &b.lo, &b.hi);
    else if (topology_integers_given(&t->integers))
        b = t->integers;
    return residues_fit(f, b.lo, b.hi, t->n_clients) &&
           residues_fit(f, 0, (int64_t)t->most_samples, t->n_clients);
}

int plan_field_settle(struct topology *t, struct hagg_err *err)
{
    bool found = false;

    for (size_t i = 0; i < N_FIELDS && !found && strcmp(t->field, TOPOLOGY_FIELD_AUTO) == 0; i++) {
        struct field *f = field_open(fields[i], err);

        if (!f)
            return -1;
        found = holds(f, t) || i == N_FIELDS - 1;
        if (found)
            snprintf(t->field, sizeof t->field, "%s", fields[i]);
        field_free(f);
    }
    return 0;
}

/* Reduces bits, levels, the range of integers and the sample count to the most that can fit. */
static void reduce(struct topology *t, const struct field *f)
{
    int64_t most = residues_most(f, t->n_clients), lo, hi;

    for (; t->quant.bits > 2; t->quant.bits--) {
        quantize_range(&t->quant, &lo, &hi);
        if (hi - lo <= most)
            break;
    }
    if (t->quant.levels > 2 && t->quant.levels - 1 > (uint64_t)most)
        t->quant.levels = most > 0 ? (uint64_t)most + 1 : 2;
    if (topology_integers_given(&t->integers) && t->integers.hi - most > t->integers.lo && most > 0)
        t->integers.hi = t->integers.lo + most;
    if (t->most_samples > (uint64_t)most && most > 0)
        t->most_samples = (uint64_t)most;
}

int plan_field_others(const struct topology *t, size_t elem_size,
                      struct plan_field_other others[PLAN_FIELD_OTHERS], struct hagg_err *err)
{
    int n = 0;

    _Static_assert(N_FIELDS <= PLAN_FIELD_OTHERS + 1, "the largest field is shorter than none");
    for (size_t i = N_FIELDS; i-- > 0;) {
        struct field *f = field_open(fields[i], err);
        struct topology other = *t; /* its lists are borrowed */

        if (!f)
            return -1;
        reduce(&other, f);
        if (field_elem_size(f) < elem_size && holds(f, &other))
            others[n++] = (struct plan_field_other){ fields[i], field_elem_size(f), other.quant,
                                                     other.integers, other.most_samples };
        field_free(f);
    }
    return n;
}
