#include "vector/residues.h"

#include "check.h"
#include "reference.h"

static uint64_t state = 5;

static uint64_t element_of(int64_t value, uint64_t order)
{
    __int128 rest = (__int128)value % (__int128)order;

    return (uint64_t)(rest < 0 ? rest + (__int128)order : rest);
}

/* Returns true if no two of the integers have the same element: there are too few. */
static bool are_apart(int64_t lo, int64_t hi, uint64_t order)
{
    bool seen[256] = { false };

    for (int64_t value = lo; value <= hi; value++) {
        uint64_t e = element_of(value, order);

        if (seen[e])
            return false;
        seen[e] = true;
    }
    return true;
}

/* Every element of a small field, for every range. */
static void knows_every_element(const struct reference *ref)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open(ref->spec, &err);
    int64_t far = (int64_t)ref->order + 2;
    size_t wrong = 0;

    for (int64_t lo = -far; lo <= far; lo += ref->order > 7 ? 11 : 1)
        for (int64_t hi = lo; hi <= lo + far; hi++) {
            bool fits = are_apart(lo, hi, ref->order);

            wrong += residues_fit(f, lo, hi, 1) != fits;
            for (int64_t value = lo; value <= hi && fits; value++) {
                int64_t in = value, out;
                unsigned char elem;

                residues_from_int(f, &elem, &in, 1, lo, hi);
                wrong += elem != element_of(value, ref->order);
                residues_to_int(f, &out, &elem, 1, lo, hi);
                wrong += out != value;
            }
            for (unsigned e = 0; e < ref->order; e++) {
                unsigned char elem = (unsigned char)e;
                bool is_inside = false;
                int64_t out, plain;

                residues_to_int(f, &out, &elem, 1, lo, hi);
                field_to_int(f, &plain, &elem, 1);
                wrong += !fits && out != plain;
                for (int64_t value = lo; value <= hi; value++)
                    is_inside |= element_of(value, ref->order) == e;
                wrong += element_of(out, ref->order) != e;
                wrong += fits && (out >= lo && out <= hi) != is_inside;
            }
        }
    CHECK(wrong == 0);
    field_free(f);
}

/* Sums of n integers, of small fields by trial. */
static void knows_which_sums_fit(const struct reference *ref)
{
    struct hagg_err err = { 0 };
    struct field *f = field_open(ref->spec, &err);

    for (int64_t n = 1; n < 20; n++) {
        int64_t most = -1, best;

        for (int64_t lo = -9; lo <= 9; lo++)
            for (int64_t hi = lo; hi <= lo + 20; hi++)
                CHECK(residues_fit(f, lo, hi, (uint64_t)n) ==
                      are_apart(n * lo, n * hi, ref->order));
        while (are_apart(0, n * (most + 1), ref->order))
            most++;
        best = residues_most(f, (uint64_t)n);
        CHECK(best == most);
    }
    field_free(f);
}

/* At the limit of large fields, from 0 and from other integers. */
static void reaches_the_limit(const char *spec, int64_t most, int64_t lo)
{
    enum { N = 1000 };
    struct hagg_err err = { 0 };
    struct field *f = field_open(spec, &err);
    int64_t in[N], same[N], out[N], hi = lo + most;
    unsigned char elems[N * 8];
    size_t wrong = 0, size = field_elem_size(f);

    CHECK(residues_most(f, 1) == most && residues_most(f, 3) == most / 3);
    CHECK(residues_fit(f, lo, hi, 1));
    for (size_t i = 0; i < N; i++)
        in[i] = same[i] = i == 0   ? lo
                          : i == 1 ? hi
                                   : lo + (int64_t)(reference_next(&state) % ((uint64_t)most + 1));
    residues_from_int(f, elems, in, N, lo, hi);
    for (size_t i = 0; i < N; i++)
        wrong += hagg_load(elems, i, size) != element_of(same[i], f->info.order);
    residues_to_int(f, out, elems, N, lo, hi);
    for (size_t i = 0; i < N; i++)
        wrong += out[i] != same[i];
    CHECK(wrong == 0);
    if (f->info.order <= INT64_MAX)
        CHECK(!residues_fit(f, lo, hi + 1, 1) && !residues_fit(f, lo - 1, hi, 1));
    CHECK(residues_fit(f, 0, most / 3, 3) && !residues_fit(f, 0, most / 3 + 1, 3));
    CHECK(!residues_fit(f, INT64_MIN, INT64_MAX, 1) && !residues_fit(f, 0, 4, UINT64_MAX / 2));
    field_free(f);
}

/* Sums must also be integers of 64 bits, and in a large field integers that it represents. */
static void needs_integers(void)
{
    const int64_t quarter = INT64_C(1) << 61;
    struct hagg_err err = { 0 };
    struct field *m61 = field_open("m61", &err), *goldilocks = field_open("goldilocks", &err);

    CHECK(residues_fit(m61, quarter, quarter, 3) && !residues_fit(m61, quarter, quarter, 4));
    CHECK(residues_fit(m61, -quarter, -quarter, 3) && !residues_fit(m61, -quarter, -quarter, 5));
    for (int64_t over = 0; over < 2; over++) {
        CHECK(residues_fit(goldilocks, goldilocks->info.int_min - over, 0, 1) == (over == 0));
        CHECK(residues_fit(goldilocks, 0, goldilocks->info.int_max + over, 1) == (over == 0));
    }
    field_free(m61);
    field_free(goldilocks);
}

static void multiplies(void)
{
    int64_t lo = -3, hi = 5;
    struct hagg_err err = { 0 };
    struct field *f = field_open("gf256", &err);

    residues_sum(&lo, &hi, 7);
    CHECK(lo == -21 && hi == 35);
    residues_sum(&lo, &hi, UINT64_MAX);
    CHECK(lo == INT64_MIN && hi == INT64_MAX);
    residues_sum(&lo, &hi, 2);
    CHECK(lo == INT64_MIN && hi == INT64_MAX);
    lo = 0;
    residues_sum(&lo, &hi, UINT64_MAX);
    CHECK(lo == 0);
    CHECK(!residues_are_integers(f) && !residues_fit(f, 0, 1, 1) && residues_most(f, 1) == 0);
    field_free(f);
}

int main(void)
{
    for (size_t i = 0; i < N_REFERENCES; i++)
        if (references[i].order < 256) {
            knows_every_element(&references[i]);
            knows_which_sums_fit(&references[i]);
        }
    for (int64_t lo = -1; lo <= 1; lo++) {
        reaches_the_limit("prime:p=65521", 65520, lo * 1000000);
        reaches_the_limit("m31", 2147483646, lo * 2);
        reaches_the_limit("m61", (INT64_C(1) << 61) - 2, lo * (INT64_C(1) << 62));
        reaches_the_limit("prime:p=4611686018427387847", 4611686018427387846, lo * 12345);
    }
    reaches_the_limit("goldilocks", 0x7fffffff80000000, 0);
    needs_integers();
    multiplies();
    return check_end();
}
