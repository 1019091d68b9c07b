#include "planner/summary_field.h"

#include "plan/plan_field.h"
#include "vector/residues.h"

/* Sizes of elements are powers of two. */
static const char *saving(size_t before, size_t after)
{
    return before == 2 * after ? "halve" : before == 4 * after ? "quarter" : "need an eighth of";
}

/* Prints the most bits or levels that the field of the plan holds, if the plan has fewer. */
static void print_most(const struct plan *p, struct text *text)
{
    const struct header_quant *q = &p->topology.quant;
    int64_t most = residues_most(p->field, p->topology.n_clients);
    uint64_t levels = (uint64_t)most < LIMIT_LEVELS ? (uint64_t)most + 1 : LIMIT_LEVELS;

    if (q->bits > 0 && q->bits < plan_most_bits(p))
        text_printf(text, "; up to bits=%u at the same cost", plan_most_bits(p));
    if (q->levels > 0 && q->levels < levels && q->rounding != HEADER_SIGN)
        text_printf(text, "; up to levels=%llu at the same cost", (unsigned long long)levels);
}

/* Prints what differs from the topology, and returns true if anything does. */
static bool print_less(const struct plan_field_other *o, const struct topology *t,
                       struct text *text)
{
    uint64_t length = (uint64_t)(o->integers.hi - o->integers.lo) + 1;
    bool fewer_samples = o->most_samples < t->most_samples, fewer = true;

    if (o->quant.bits < t->quant.bits)
        text_printf(text, "bits=%u", o->quant.bits);
    else if (o->quant.levels < t->quant.levels)
        text_printf(text, "levels=%llu", (unsigned long long)o->quant.levels);
    else if (o->integers.hi < t->integers.hi)
        text_printf(text, "a range of %llu integers", (unsigned long long)length);
    else
        fewer = false;
    if (fewer_samples)
        text_printf(text, "%ssamples most=%llu", fewer ? " and " : "",
                    (unsigned long long)o->most_samples);
    return fewer || fewer_samples;
}

int summary_field_print(const struct plan *p, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t size = field_elem_size(p->field);
    struct plan_field_other others[PLAN_FIELD_OTHERS];
    int n;

    if (!header_has_quant(&t->quant) && !topology_integers_given(&t->integers))
        return 0;
    n = plan_field_others(t, size, others, err);
    if (n < 0)
        return -1;
    text_printf(text, "\nfield %s: %zu byte%s an element", t->field, size, size == 1 ? "" : "s");
    print_most(p, text);
    for (int i = 0; i < n; i++) {
        bool less;

        text_printf(text, "; ");
        less = print_less(&others[i], t, text);
        text_printf(text, "%s%s%s and %s the bytes", less ? " would fit " : "", others[i].field,
                    less ? "" : " would hold the sums", saving(size, others[i].elem_size));
    }
    return 0;
}
