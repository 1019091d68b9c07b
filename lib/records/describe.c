#include "records/describe.h"

#include <stdio.h>

static void put_range(struct text *t, const char *space, uint32_t first, uint32_t last)
{
    if (first == last)
        text_printf(t, "%s%u", space, first);
    else
        text_printf(t, "%s%u-%u", space, first, last);
}

void describe_ranges(struct text *t, const struct header_range *ranges, size_t n)
{
    if (n == 0)
        text_printf(t, "-");
    for (size_t i = 0; i < n; i++)
        put_range(t, i > 0 ? " " : "", ranges[i].first, ranges[i].last);
}

void describe_digest(char *out, const uint8_t *digest, size_t n)
{
    for (size_t i = 0; i < n; i += 2)
        out += sprintf(out, "%s%02x%02x", i > 0 ? " " : "", digest[i], digest[i + 1]);
}

void describe_levels(struct text *t, const struct header_quant *q)
{
    if (q->rounding == HEADER_SIGN)
        text_printf(t, "signs");
    else if (q->bits > 0)
        text_printf(t, "%u bits", q->bits);
    else
        text_printf(t, "%llu levels", (unsigned long long)q->levels);
}

void describe_quant_json(struct json *j, const char *name, const struct header_quant *q)
{
    json_open(j, name, '{');
    if (q->bits > 0)
        json_uint(j, "bits", q->bits);
    else
        json_uint(j, "levels", q->levels);
    json_double(j, "clip", q->clip);
    json_string(j, "rounding", header_rounding_name(q->rounding));
    json_close(j, '}');
}

void describe_scheme(struct text *t, const struct header *h)
{
    const struct header_scheme *s = &h->scheme;

    if (header_is_sharing(h))
        text_printf(t, "%s %u,%u,%u", s->name, s->n, s->k, s->z);
    else
        text_printf(t, "-");
    if (h->symbols.end > 0)
        text_printf(t, " symbols %u-%u", h->symbols.first, h->symbols.end - 1);
}

/* Prints consecutive numbers as ranges, and keeps the order. */
static void put_tier(struct text *t, const struct header_tier *tier)
{
    size_t i = 0;

    text_printf(t, "%s", tier->name);
    while (i < tier->n_numbers) {
        size_t end = i + 1;

        while (end < tier->n_numbers && tier->numbers[end] == tier->numbers[i] + (end - i))
            end++;
        put_range(t, " ", tier->numbers[i], tier->numbers[end - 1]);
        i = end;
    }
}

void describe_route(struct text *t, const struct header *h)
{
    for (size_t i = 0; i < h->n_route; i++) {
        text_printf(t, "%s", i > 0 ? " > " : "");
        put_tier(t, &h->route[i]);
    }
}

void describe_holder(struct text *t, const struct header *h)
{
    if (header_is_sharing(h))
        text_printf(t, "%s %u", h->route[0].name, h->route[0].numbers[h->scheme.index]);
    else if (!header_has_vector(h) || h->kind == HEADER_SUMMAND)
        text_printf(t, "%s %u", h->from.tier, h->from.number);
    else
        text_printf(t, "-");
}

void describe_node_json(struct json *j, const char *name, const struct header_node *node)
{
    if (!node->tier[0])
        return;
    json_open(j, name, '[');
    json_string(j, NULL, node->tier);
    json_uint(j, NULL, node->number);
    json_close(j, ']');
}

void describe_ranges_json(struct json *j, const char *name, const struct header_range *ranges,
                          size_t n)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < n; i++) {
        json_open(j, NULL, '[');
        json_uint(j, NULL, ranges[i].first);
        json_uint(j, NULL, ranges[i].last);
        json_close(j, ']');
    }
    json_close(j, ']');
}
