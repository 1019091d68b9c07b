/* The parameters of a field, its description and its context. */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "guarded.h"
#include "number.h"
#include "reason.h"
#include "report.h"
#include "subject.h"

static void expect_refusal(const struct subject *s, const struct hagg_param *params,
                           size_t n_params, const char *what)
{
    struct hagg_field_info info = { 0 };
    struct reason reason;
    void *ctx = subject_new_ctx(s, 0);

    reason_init(&reason);
    if (s->field->init(ctx, params, n_params, &info, reason.why) == 0)
        report_wrong("%s is accepted", what);
    else
        reason_given(&reason, what);
    reason_free(&reason);
    free(ctx);
}

static bool is_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* A parameter that is missing, unknown, given twice or spelt in a second way. */
static void check_parameters(struct subject *s)
{
    static const char *const prefixes[] = { "0", "+", " " };
    struct hagg_param params[SUBJECT_MAX_PARAMS + 1];
    char what[128], value[64];

    for (size_t i = 0; i < s->n_params; i++) {
        size_t n = 0;

        for (size_t j = 0; j < s->n_params; j++)
            if (j != i)
                params[n++] = s->params[j];
        snprintf(what, sizeof what, "init without the parameter %.32s", s->params[i].key);
        expect_refusal(s, params, n, what);

        memcpy(params, s->params, s->n_params * sizeof *params);
        params[s->n_params] = s->params[i];
        snprintf(what, sizeof what, "init with the parameter %.32s twice", s->params[i].key);
        expect_refusal(s, params, s->n_params + 1, what);

        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            if (!is_digits(s->params[i].value))
                break;
            snprintf(value, sizeof value, "%s%.40s", prefixes[p], s->params[i].value);
            memcpy(params, s->params, s->n_params * sizeof *params);
            params[i].value = value;
            snprintf(what, sizeof what, "init with %.32s=%s", params[i].key, value);
            expect_refusal(s, params, s->n_params, what);
        }
    }
    memcpy(params, s->params, s->n_params * sizeof *params);
    params[s->n_params] = (struct hagg_param){ .key = "zzz-unknown", .value = "1" };
    expect_refusal(s, params, s->n_params + 1, "init with the unknown parameter zzz-unknown=1");
}

static void check_init(struct subject *s)
{
    subject_init_field(s);
}

static void check_info(struct subject *s)
{
    const struct hagg_field_info *info = &s->info;
    unsigned long long order = info->order, characteristic = info->characteristic;

    if (info->elem_size != 1 && info->elem_size != 2 && info->elem_size != 4 &&
        info->elem_size != 8) {
        report_wrong("elem_size is %u, not 1, 2, 4 or 8", info->elem_size);
        return;
    }
    if (order < 2 || order - 1 > subject_largest_word(s))
        report_wrong("%llu elements do not fit %u bytes", order, info->elem_size);
    else if (!number_is_prime(characteristic))
        report_wrong("the characteristic %llu is not prime", characteristic);
    else if (!number_is_power(order, characteristic))
        report_wrong("the order %llu is not a power of the characteristic %llu", order,
                     characteristic);
    else if (info->int_min > 0 || info->int_max < 1)
        report_wrong("from_int would not accept 0 and 1: its range is %lld .. %lld",
                     (long long)info->int_min, (long long)info->int_max);
    else if ((uint64_t)info->int_max - (uint64_t)info->int_min != order - 1)
        report_wrong("the integers %lld .. %lld are not as many as the %llu elements",
                     (long long)info->int_min, (long long)info->int_max, order);
}

static bool same_info(const struct hagg_field_info *a, const struct hagg_field_info *b)
{
    return a->order == b->order && a->characteristic == b->characteristic &&
           a->int_min == b->int_min && a->int_max == b->int_max && a->elem_size == b->elem_size;
}

/* init must not depend on the previous content of the context, nor write beyond it. */
static void check_context_bytes(struct subject *s)
{
    size_t ctx_size = s->field->ctx_size;
    struct hagg_field_info info = { 0 };
    char why[HAGG_WHY_SIZE];
    struct guarded ctx = { 0 };

    guarded_place(&ctx, ctx_size, 16 - ctx_size % 16);
    if (s->field->init(ctx.data, s->params, s->n_params, &info, why) != 0)
        report_wrong("init refuses the second time what it accepted the first");
    else if (!same_info(&info, &s->info))
        report_wrong("init describes the field differently the second time");
    else if (!guarded_intact(&ctx))
        report_wrong("init writes beyond the %zu bytes of its context", ctx_size);
    guarded_free(&ctx);
}

/* A moved context must work as before: it must not contain a pointer into itself. */
static void check_moved_context(struct subject *s)
{
    enum { N = 40 };
    struct subject moved = *s;
    struct prng g = { .state = 1 };
    void *first = subject_new_ctx(s, 0);
    unsigned char *a = subject_vector(s, N), *b = subject_vector(s, N), *out = subject_vector(s, N);
    unsigned char *expected = subject_vector(s, N);
    char why[HAGG_WHY_SIZE];

    subject_random(s, &g, a, N);
    subject_random(s, &g, b, N);
    s->field->add(s->ctx, expected, a, b, N);
    s->field->scale_add(s->ctx, expected, a, b, N);

    moved.ctx = subject_new_ctx(s, 0);
    s->field->init(first, s->params, s->n_params, &moved.info, why);
    memcpy(moved.ctx, first, s->field->ctx_size);
    memset(first, 0xff, s->field->ctx_size);
    moved.field->add(moved.ctx, out, a, b, N);
    moved.field->scale_add(moved.ctx, out, a, b, N);
    if (memcmp(out, expected, N * s->info.elem_size) != 0)
        report_wrong("a context that was moved in memory gives other results");
    free(a);
    free(b);
    free(out);
    free(expected);
    free(first);
    subject_free(&moved);
}

bool setup_run(struct subject *s)
{
    report_check("init", check_init, s);
    if (report_found())
        return false;
    report_check("info", check_info, s);
    if (report_found())
        return false;
    report_check("parameters", check_parameters, s);
    report_check("context bytes", check_context_bytes, s);
    report_check("context moved", check_moved_context, s);
    return true;
}
