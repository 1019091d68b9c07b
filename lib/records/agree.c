#include "records/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/describe.h"
#include "base/text.h"

static void put_u64(struct text *t, bool has, uint64_t value)
{
    if (has)
        text_printf(t, "%llu", (unsigned long long)value);
    else
        text_printf(t, "none");
}

static void put_shape(struct text *t, const struct header *h)
{
    text_printf(t, "(");
    for (size_t i = 0; i < h->n_shape; i++)
        text_printf(t, "%s%llu", i > 0 ? ", " : "", (unsigned long long)h->shape[i]);
    text_printf(t, "%s)", h->has_shape ? "" : "not said");
}

static void put_quant(struct text *t, const struct header *h)
{
    if (h->quant.bits > 0)
        text_printf(t, "%u bits, clip %.17g, %s", h->quant.bits, h->quant.clip,
                    header_rounding_name(h->quant.rounding));
    else
        text_printf(t, "none");
}

/* What a record says of its aggregation, item by item. */
static void put_item(struct text *t, unsigned item, const struct header *h)
{
    switch (item) {
    case 0:
        put_u64(t, h->has_round, h->round);
        break;
    case 1:
        text_printf(t, "%s", h->field);
        break;
    case 2:
        if (h->has_plan)
            text_hex(t, h->plan, sizeof h->plan);
        else
            text_printf(t, "none");
        break;
    case 3:
        put_u64(t, true, h->length);
        break;
    case 4:
        put_shape(t, h);
        break;
    case 5:
        text_printf(t, "%s", h->type[0] ? h->type : "field elements");
        break;
    case 6:
        put_quant(t, h);
        break;
    default:
        text_printf(t, "%s", h->samples ? "yes" : "no");
        break;
    }
}

int agree_on_round(const struct header *a, const char *a_name, const struct header *b,
                   const char *b_name, struct hagg_err *err)
{
    static const char *const items[] = { "round", "field", "plan",         "length",
                                         "shape", "type",  "quantisation", "sample count" };
    struct text of_a = { 0 }, of_b = { 0 };
    int status = 0;

    for (unsigned i = 0; i < sizeof items / sizeof *items && status == 0; i++) {
        /* a key does not say what the vector it pads looks like */
        if (i >= 4 && i <= 6 && (a->secret == HEADER_KEY || b->secret == HEADER_KEY))
            continue;
        text_reset(&of_a);
        text_reset(&of_b);
        put_item(&of_a, i, a);
        put_item(&of_b, i, b);
        if (!text_ok(&of_a) || !text_ok(&of_b))
            status = err_errno(err, "%s", b_name);
        else if (strcmp(of_a.bytes, of_b.bytes))
            status = err_set(err, HAGG_E_MISMATCH, "%s: %s is %s, but %s has %s", b_name, items[i],
                             of_b.bytes, a_name, of_a.bytes);
    }
    text_free(&of_a);
    text_free(&of_b);
    return status;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_tiers(const struct header_tier *a, const struct header_tier *b)
{
    int order = strcmp(a->name, b->name);

    order = order ? order : compare_u64(a->n_numbers, b->n_numbers);
    for (size_t i = 0; i < a->n_numbers && order == 0; i++)
        order = compare_u64(a->numbers[i], b->numbers[i]);
    return order;
}

static int compare_schemes(const struct header_scheme *a, const struct header_scheme *b)
{
    int order = strcmp(a->name, b->name);

    order = order ? order : compare_u64(a->n, b->n);
    order = order ? order : compare_u64(a->k, b->k);
    return order ? order : compare_u64(a->z, b->z);
}

static int compare_places(const struct header_scheme *a, const struct header_scheme *b)
{
    int order = compare_u64(a->index, b->index);

    order = order ? order : compare_u64(a->has_point, b->has_point);
    return order ? order : compare_u64(a->point, b->point);
}

static int compare_layouts(const struct header *a, const struct header *b)
{
    int order = compare_u64(a->n_layout, b->n_layout);

    for (size_t i = 0; i < a->n_layout && order == 0; i++)
        order = compare_u64(a->layout[i], b->layout[i]);
    return order;
}

int agree_compare_pattern(const struct header *a, const struct header *b)
{
    int order = compare_u64(a->kind, b->kind);

    order = order ? order : compare_u64(a->secret, b->secret);
    order = order ? order : compare_schemes(&a->scheme, &b->scheme);
    order = order ? order : compare_layouts(a, b);
    order = order ? order : compare_schemes(&a->source, &b->source);
    order = order ? order : compare_places(&a->source, &b->source);
    order = order ? order : compare_u64(a->has_carrier, b->has_carrier);
    order = order ? order : compare_u64(a->carrier, b->carrier);
    order = order ? order : compare_u64(a->n_route, b->n_route);
    for (size_t i = 0; i < a->n_route && order == 0; i++)
        order = compare_tiers(&a->route[i], &b->route[i]);
    return order;
}

int agree_compare(const struct header *a, const struct header *b)
{
    int order = agree_compare_pattern(a, b);

    return order ? order : compare_places(&a->scheme, &b->scheme);
}

int agree_copy(struct header *to, const struct header *from, struct hagg_err *err)
{
    uint8_t *bytes;
    size_t n, used;
    int status;

    /* the encoding holds everything a header has */
    if (header_encode(from, &bytes, &n, err))
        return -1;
    status = header_decode(to, bytes, n, &used, err) == 1 ? 0 : -1;
    free(bytes);
    return status;
}
