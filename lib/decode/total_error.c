#include "decode/total_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void total_error_set(struct total_report *report, const struct header_quant *q, double divisor)
{
    struct quantize_error *e = &report->error;

    if (!header_has_quant(q))
        return;
    quantize_error(q, report->n_clients > 0 ? report->n_clients : 1, e);
    report->up_to = q->rounding == HEADER_SIGN ? 2 * q->clip : 0;
    if (divisor > 0) {
        e->worst /= divisor;
        e->deviation /= divisor;
        e->bias /= divisor;
    }
}

/* Prints three digits, rounded up, so that "at most" is true. */
static void put_bound(struct text *t, double bound)
{
    double unit = pow(10, floor(log10(bound)) - 2);
    char digits[32];

    snprintf(digits, sizeof digits, "%.3g", bound);
    if (strtod(digits, NULL) < bound)
        snprintf(digits, sizeof digits, "%.3g", (floor(bound / unit) + 1) * unit);
    text_printf(t, "%s", digits);
}

void total_error_describe(struct text *t, const struct total_report *report)
{
    const struct quantize_error *e = &report->error;

    if (e->worst <= 0)
        return;
    text_printf(t, "the quantisation error is at most ");
    put_bound(t, e->worst);
    if (report->up_to > 0)
        text_printf(t, " if no absolute value exceeds %g, and not 0 on average", report->up_to);
    if (e->deviation <= 0)
        return;
    text_printf(t, "; it is 0 on average, with a standard deviation of at most ");
    put_bound(t, e->deviation);
}
