#include "topology/topology_quantize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So that neither the smallest step nor the sum over all clients leaves the normal range of
 * doubles, where the bounds of quantize_error hold. */
#define LEAST_CLIP 1e-200
#define MOST_CLIP  1e200

static int parse_clip(struct words *w, const char *word, const char *value, double *clip)
{
    char *end;

    /* strtod alone would accept white space, hexadecimal numbers, "inf" and "nan" */
    if (!*value || strspn(value, "0123456789.eE+-") != strlen(value))
        return words_fail(w, word, "is not a number");
    *clip = strtod(value, &end);
    if (*end || !(*clip >= LEAST_CLIP && *clip <= MOST_CLIP))
        return words_fail(w, word, "clip must be a number from 1e-200 to 1e200");
    return 0;
}

static int parse_rounding(struct words *w, const char *word, const char *value,
                          enum header_rounding *rounding)
{
    if (strcmp(value, "nearest") && strcmp(value, "stochastic"))
        return words_fail(w, word, "must be nearest or stochastic");
    *rounding = strcmp(value, "nearest") ? HEADER_STOCHASTIC : HEADER_NEAREST;
    return 0;
}

/* The words, in this order. */
enum { BITS, LEVELS, CLIP, ROUNDING, TERNARY, SIGN };

static int parse_pair(struct words *w, const struct pair *pair, int name, struct header_quant *q,
                      bool *bits_max)
{
    uint64_t bits;

    switch (name) {
    case BITS:
        if (strcmp(pair->value, "max") == 0)
            *bits_max = true;
        else if (words_number(w, pair->text, pair->value, 2, LIMIT_BITS, &bits))
            return -1;
        else
            q->bits = (uint32_t)bits;
        return 0;
    case LEVELS:
        return words_number(w, pair->text, pair->value, 2, LIMIT_LEVELS, &q->levels);
    case CLIP:
        return parse_clip(w, pair->text, pair->value, &q->clip);
    case ROUNDING:
        return parse_rounding(w, pair->text, pair->value, &q->rounding);
    default:
        return 0;
    }
}

/* Checks the words together; seen has a bit for each. Replaces ternary and sign by levels. */
static int settle(struct words *w, struct header_quant *q, unsigned seen)
{
    unsigned kinds = seen & (1u << BITS | 1u << LEVELS | 1u << TERNARY | 1u << SIGN);

    if (kinds == 0)
        return words_fail(w, w->word[0], "needs bits=.., levels=.., ternary or sign");
    if (!(seen & 1u << CLIP))
        return words_fail(w, w->word[0], "needs clip=..");
    if (kinds & (kinds - 1))
        return words_fail(w, w->word[0], "must have only one of bits=, levels=, ternary and sign");
    if (seen & 1u << SIGN && seen & 1u << ROUNDING)
        return words_fail(w, w->word[0], "sign has no rounding: remove rounding=");
    if (seen & 1u << TERNARY)
        q->levels = 3;
    if (seen & 1u << TERNARY && !(seen & 1u << ROUNDING))
        q->rounding = HEADER_STOCHASTIC;
    if (seen & 1u << SIGN) {
        q->levels = 2;
        q->rounding = HEADER_SIGN;
    }
    return 0;
}

int topology_quantize_line(struct words *w, struct header_quant *q, bool *bits_max)
{
    static const char *const names[] = { "bits=",   "levels=", "clip=", "rounding=",
                                         "ternary", "sign",    NULL };
    unsigned seen = 0;

    for (size_t at = 1; w->word[at]; at++) {
        struct pair pair = pairs_of(w->word[at]);
        int i = words_pair(w, &pair, names);

        if (i < 0)
            return -1;
        if (seen & 1u << i)
            return words_fail(w, pair.text, "appears twice");
        seen |= 1u << i;
        if (parse_pair(w, &pair, i, q, bits_max))
            return -1;
    }
    return settle(w, q, seen);
}

int topology_quantize(struct header_quant *quant, const char *text, struct hagg_err *err)
{
    struct words w = { .name = "--quantize", .line = 1, .err = err };
    bool bits_max = false;
    char *line, *comma;
    int status;

    if (asprintf(&line, "quantize %s", text) < 0)
        return words_no_memory(&w);
    while ((comma = strchr(line, ',')))
        *comma = ' ';
    *quant = (struct header_quant){ 0 };
    status = words_split(&w, line) || topology_quantize_line(&w, quant, &bits_max) ? -1 : 0;
    if (status == 0 && bits_max)
        status =
            err_set(err, HAGG_E_USAGE,
                    "--quantize: bits=max needs a plan, which sets how many vectors are summed: "
                    "use a number of bits");
    words_free(&w);
    free(line);
    if (status)
        err->status = HAGG_E_USAGE;
    return status;
}
