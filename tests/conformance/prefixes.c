/*
 * A scheme with parameters, or whose shares have prefixes. That holders learn nothing from whole
 * shares is checked for every scheme; then they learn nothing from prefixes.
 */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>

#include "reason.h"
#include "report.h"
#include "sharing.h"
#include "subject.h"

static void expect_refusal(const struct subject *s, const struct form *f,
                           const struct hagg_param *params, size_t n_params, const char *what)
{
    struct sharing sh;
    struct reason reason;

    reason_init(&reason);
    if (s->scheme->shape_with(params, n_params, f->n, f->k, f->z, &sh.shape, sh.prefixes,
                              &sh.n_prefixes, reason.why) == 0)
        report_wrong(FORM_TEXT " with %s is accepted", f->n, f->k, f->z, what);
    else
        reason_given(&reason, what);
    reason_free(&reason);
}

/* A parameter that is unknown, given twice or spelt in a second way. */
static bool try_parameters(const struct subject *s, const struct form *f)
{
    struct hagg_param params[SUBJECT_MAX_PARAMS + 1];
    size_t n = s->n_scheme_params;
    char what[128], value[80];
    struct sharing sh;

    if (!sharing_shape(s, f, &sh))
        return !report_found();
    memcpy(params, s->scheme_params, n * sizeof *params);
    params[n] = (struct hagg_param){ .key = "zzz-unknown", .value = "1" };
    expect_refusal(s, f, params, n + 1, "the unknown parameter zzz-unknown=1");
    for (size_t i = 0; i < n; i++) {
        params[n] = s->scheme_params[i];
        snprintf(what, sizeof what, "the parameter %.32s twice", params[i].key);
        expect_refusal(s, f, params, n + 1, what);
        snprintf(value, sizeof value, "0%.64s", s->scheme_params[i].value);
        params[i].value = value;
        snprintf(what, sizeof what, "%.32s=%s", params[i].key, value);
        if (value[1] >= '0' && value[1] <= '9')
            expect_refusal(s, f, params, n, what);
        params[i] = s->scheme_params[i];
    }
    return !report_found();
}

static void check_parameters(struct subject *s)
{
    sharing_every_form(s, try_parameters);
}

/* The scheme without parameters, for a host that knows none. */
static bool try_plain(const struct subject *s, const struct form *f)
{
    struct subject with = *s, without = *s;
    struct hagg_scheme older = *s->scheme;
    struct sharing a, b;
    bool has_a, has_b;

    with.n_scheme_params = 0;
    older.shape_with = NULL;
    older.matrix_with = NULL;
    without.scheme = &older;
    has_a = sharing_shape(&with, f, &a);
    has_b = sharing_shape(&without, f, &b);
    if (report_found())
        return false;
    if (has_a != has_b || (has_a && memcmp(&a.shape, &b.shape, sizeof a.shape) != 0))
        return report_wrong(FORM_TEXT ": shape and shape_with differ", f->n, f->k, f->z);
    if (!has_a)
        return true;
    sharing_init(&with, &a, f, SCATTERED);
    sharing_init(&without, &b, f, SCATTERED);
    if (!a.matrix != !b.matrix ||
        (a.matrix && memcmp(a.matrix, b.matrix, a.n_rows * a.n_cols * s->info.elem_size) != 0))
        report_wrong(FORM_TEXT ": matrix and matrix_with differ", f->n, f->k, f->z);
    free(a.matrix);
    free(b.matrix);
    return !report_found();
}

static void check_plain(struct subject *s)
{
    sharing_every_form(s, try_plain);
}

static bool is_possible(const struct sharing *sh, uint32_t i)
{
    const struct hagg_scheme_prefix *p = &sh->prefixes[i];
    const struct form *f = &sh->form;
    uint64_t n_values = (uint64_t)p->holders * p->symbols;

    if (p->holders <= f->k || p->holders > f->n)
        return report_wrong(FORM_TEXT ": prefix %u is for %u holders, not for k + 1 to n", f->n,
                            f->k, f->z, i, p->holders);
    if (p->symbols < 1 || p->symbols >= sh->shape.symbols)
        return report_wrong(FORM_TEXT ": prefix %u has %u of the %u symbols of a share", f->n, f->k,
                            f->z, i, p->symbols, sh->shape.symbols);
    if (i > 0 && (p->symbols <= p[-1].symbols || p->holders >= p[-1].holders))
        return report_wrong(FORM_TEXT ": prefix %u does not have more symbols, for fewer holders, "
                                      "than the one before",
                            f->n, f->k, f->z, i);
    if (n_values < sh->shape.parts || n_values - sh->shape.parts > sh->shape.randoms)
        return report_wrong(FORM_TEXT ": prefix %u has %llu symbols in all, which cannot determine "
                                      "%u parts and some of %u random vectors",
                            f->n, f->k, f->z, i, (unsigned long long)n_values, sh->shape.parts,
                            sh->shape.randoms);
    return true;
}

static bool try_numbers(const struct subject *s, const struct form *f)
{
    struct sharing sh;

    if (!sharing_shape(s, f, &sh))
        return !report_found();
    if (sh.n_prefixes > HAGG_SCHEME_PREFIXES)
        return report_wrong(FORM_TEXT ": n_prefixes is %u, more than %d", f->n, f->k, f->z,
                            sh.n_prefixes, HAGG_SCHEME_PREFIXES);
    for (uint32_t i = 0; i < sh.n_prefixes; i++)
        if (!is_possible(&sh, i))
            return false;
    return true;
}

static void check_numbers(struct subject *s)
{
    sharing_every_form(s, try_numbers);
}

/* A prefix depends only on so many random vectors that it determines them. */
static bool uses_first_columns(const struct subject *s, const struct sharing *sh)
{
    for (uint32_t i = 0; i < sh->n_prefixes; i++) {
        const struct hagg_scheme_prefix *p = &sh->prefixes[i];
        size_t n_used = (size_t)p->holders * p->symbols;

        for (size_t row = 0; row < sh->n_rows; row++)
            for (size_t c = n_used; row % sh->shape.symbols < p->symbols && c < sh->n_cols; c++)
                if (subject_get(s, sh->matrix, row * sh->n_cols + c) != 0)
                    return report_wrong(
                        FORM_TEXT " with %s: symbol %zu of holder %zu depends on random vector "
                                  "%zu, but prefix %u may depend on the first %zu only",
                        sh->form.n, sh->form.k, sh->form.z, sharing_points_name(sh),
                        row % sh->shape.symbols, row / sh->shape.symbols, c - sh->shape.parts, i,
                        n_used - sh->shape.parts);
    }
    return true;
}

static bool try_columns(const struct subject *s, const struct form *f)
{
    return sharing_with_points(s, f, FIRST, SCATTERED, uses_first_columns);
}

static void check_columns(struct subject *s)
{
    sharing_every_form(s, try_columns);
}

/* As many symbols as there are unknowns, so they decode exactly if the rank is full. */
static bool determines(const struct subject *s, const struct sharing *sh, uint64_t set,
                       size_t prefix)
{
    const struct hagg_scheme_prefix *p = &sh->prefixes[prefix];

    return sharing_rank(s, sh, set, p->symbols, 0) == (size_t)p->holders * p->symbols;
}

static bool prefixes_decode(const struct subject *s, const struct sharing *sh)
{
    char holders[SHARING_LIST_SIZE] = "";

    for (uint32_t i = 0; i < sh->n_prefixes; i++) {
        uint64_t set = sharing_find_set(s, sh, sh->prefixes[i].holders, determines, i);

        if (set) {
            sharing_list(set, holders);
            return report_wrong(FORM_TEXT
                                " with %s: holders %s cannot decode from the first %u symbols "
                                "of each of their shares",
                                sh->form.n, sh->form.k, sh->form.z, sharing_points_name(sh),
                                holders, sh->prefixes[i].symbols);
        }
    }
    return true;
}

static bool try_decoding(const struct subject *s, const struct form *f)
{
    return sharing_with_points(s, f, FIRST, SCATTERED, prefixes_decode);
}

static void check_decoding(struct subject *s)
{
    sharing_every_form(s, try_decoding);
}

void prefixes_run(struct subject *s)
{
    report_check("parameters", check_parameters, s);
    report_check("without parameters", check_plain, s);
    report_check("prefixes", check_numbers, s);
    if (report_found())
        return;
    report_check("prefix columns", check_columns, s);
    report_check("prefix decoding", check_decoding, s);
}
