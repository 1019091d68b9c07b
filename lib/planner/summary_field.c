#include "planner/summary_field.h"

#include "plan/plan_field.h"

/* Sizes of elements are powers of two. */
static const char *saving(size_t before, size_t after)
{
    return before == 2 * after ? "halve" : before == 4 * after ? "quarter" : "need an eighth of";
}

int summary_field_print(const struct plan *p, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t size = field_elem_size(p->field);
    struct plan_field_other others[PLAN_FIELD_OTHERS];
    uint32_t most = t->quant.bits > 0 ? plan_most_bits(p) : 0;
    int n;

    if (!header_has_quant(&t->quant) && !topology_integers_given(&t->integers))
        return 0;
    n = plan_field_others(t, size, others, err);
    if (n < 0)
        return -1;
    text_printf(text, "\nfield %s: %zu byte%s an element", t->field, size, size == 1 ? "" : "s");
    if (t->quant.bits < most)
        text_printf(text, "; up to bits=%u at the same cost", most);
    for (int i = 0; i < n; i++) {
        text_printf(text, "; ");
        if (others[i].bits < t->quant.bits)
            text_printf(text, "bits=%u would fit ", others[i].bits);
        text_printf(text, "%s%s %s the bytes", others[i].field,
                    others[i].bits < t->quant.bits ? " and" : " would hold the sums and",
                    saving(size, others[i].elem_size));
    }
    return 0;
}
