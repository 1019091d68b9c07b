#include "planner/cover/reachers.h"

#include <stdlib.h>
#include <string.h>

int reachers_new(struct reachers *r, const struct instance *in, struct hagg_err *err)
{
    *r = (struct reachers){ .in = in, .n_words = (in->n_reach_classes + 63) / 64 };
    r->rows = calloc(in->n_stations * r->n_words, sizeof *r->rows);
    r->meet = malloc(r->n_words * sizeof *r->meet);
    if (!r->rows || !r->meet) {
        reachers_free(r);
        return err_errno(err, "no memory for the clients that reach a station");
    }
    for (uint32_t k = 0; k < in->n_reach_classes; k++)
        for (size_t w = 0; w < in->n_words; w++)
            for (uint64_t left = instance_reach(in, k)[w]; left; left &= left - 1) {
                size_t s = 64 * w + (size_t)__builtin_ctzll(left);
                r->rows[s * r->n_words + k / 64] |= UINT64_C(1) << k % 64;
            }
    return 0;
}

void reachers_free(struct reachers *r)
{
    free(r->rows);
    free(r->meet);
    *r = (struct reachers){ 0 };
}

/* Two rows at a time, so that the intersection is stored and loaded half as often. */
static void meet_rows(struct reachers *r, const uint64_t *a, const uint64_t *b, bool first)
{
    uint64_t *meet = r->meet;

    if (first)
        for (size_t i = 0; i < r->n_words; i++)
            meet[i] = a[i] & b[i];
    else
        for (size_t i = 0; i < r->n_words; i++)
            meet[i] &= a[i] & b[i];
}

uint32_t reachers_of(struct reachers *r, const uint64_t *set, uint32_t *reach_classes)
{
    const uint64_t *kept = NULL;
    uint32_t n = 0, n_rows = 0;
    bool first = true;

    for (size_t w = 0; w < r->in->n_words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) {
            const uint64_t *row = r->rows + (64 * w + (size_t)__builtin_ctzll(left)) * r->n_words;
            n_rows++;
            if (!kept) {
                kept = row;
                continue;
            }
            meet_rows(r, kept, row, first);
            first = false;
            kept = NULL;
        }
    if (kept)
        meet_rows(r, kept, kept, first);
    for (size_t i = 0; i < r->n_words; i++)
        for (uint64_t left = r->meet[i]; left; left &= left - 1)
            reach_classes[n++] = (uint32_t)(64 * i + (size_t)__builtin_ctzll(left));
    r->work += n_rows * r->n_words / 2 + (2 + r->in->n_words) * (uint64_t)n + 4 * r->in->n_words;
    return n;
}

uint32_t reachers_after(const struct reachers *r, uint32_t station, uint32_t from)
{
    const uint64_t *row = r->rows + station * r->n_words;
    size_t i = from / 64;
    uint64_t left = row[i] & UINT64_MAX << from % 64;

    while (!left) {
        i = (i + 1) % r->n_words;
        left = row[i];
    }
    return (uint32_t)(64 * i + (size_t)__builtin_ctzll(left));
}
