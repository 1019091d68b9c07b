#include "vector/residues.h"

bool residues_are_integers(const struct field *f)
{
    return f->info.characteristic == f->info.order;
}

static int64_t times(int64_t value, uint64_t n)
{
    int64_t product;

    if (n <= INT64_MAX && !__builtin_mul_overflow(value, (int64_t)n, &product))
        return product;
    return value == 0 ? 0 : value < 0 ? INT64_MIN : INT64_MAX;
}

void residues_sum(int64_t *lo, int64_t *hi, uint64_t n)
{
    *lo = times(*lo, n);
    *hi = times(*hi, n);
}

bool residues_fit(const struct field *f, int64_t lo, int64_t hi, uint64_t n)
{
    uint64_t span;

    if (!residues_are_integers(f) ||
        __builtin_mul_overflow((uint64_t)hi - (uint64_t)lo, n, &span) || span >= f->info.order)
        return false;
    residues_sum(&lo, &hi, n);
    if (f->info.order <= INT64_MAX)
        return lo > INT64_MIN && hi < INT64_MAX;
    return lo >= f->info.int_min && hi <= f->info.int_max;
}

int64_t residues_most(const struct field *f, uint64_t n)
{
    uint64_t most = f->info.order <= INT64_MAX ? f->info.order - 1 : (uint64_t)f->info.int_max;

    return residues_are_integers(f) ? (int64_t)(most / n) : 0;
}

/* Returns the element for an integer. */
static uint64_t residue(int64_t value, uint64_t order)
{
    uint64_t rest = (value < 0 ? 0 - (uint64_t)value : (uint64_t)value) % order;

    return value < 0 && rest > 0 ? order - rest : rest;
}

/* Returns true if field_from_int and field_to_int must be corrected for integers from lo to hi. */
static bool is_shifted(const struct field *f, int64_t lo, int64_t hi)
{
    return (lo < f->info.int_min || hi > f->info.int_max) && residues_fit(f, lo, hi, 1);
}

/* Only lo, which is public, is divided. */
void residues_from_int(const struct field *f, void *out, int64_t *ints, size_t n, int64_t lo,
                       int64_t hi)
{
    uint64_t order = f->info.order, shift = residue(lo, order);
    uint64_t most = (uint64_t)f->info.int_max;
    size_t n_shifted = is_shifted(f, lo, hi) ? n : 0;

    for (size_t i = 0; i < n_shifted; i++) {
        uint64_t sum = (uint64_t)ints[i] - (uint64_t)lo + shift; /* below 2 * order < 2^64 */

        sum -= sum >= order ? order : 0;
        ints[i] = (int64_t)(sum - (sum > most ? order : 0));
    }
    field_from_int(f, out, ints, n);
}

void residues_to_int(const struct field *f, int64_t *out, const void *in, size_t n, int64_t lo,
                     int64_t hi)
{
    uint64_t order = f->info.order, shift = residue(lo, order);
    size_t n_shifted = is_shifted(f, lo, hi) ? n : 0;

    field_to_int(f, out, in, n);
    for (size_t i = 0; i < n_shifted; i++) {
        uint64_t up = (uint64_t)out[i] + (out[i] < 0 ? order : 0);

        up -= shift;
        up += (int64_t)up < 0 ? order : 0;
        out[i] = (int64_t)(up + (uint64_t)lo);
    }
}
