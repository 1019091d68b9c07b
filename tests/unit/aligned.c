/* Blocks, sums, decoding and masks of aligned sharing. The known answers are from
 * tests/oracle/aligned.py, which multiplies and interpolates polynomials. */
#include "sharing/aligned.h"

#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "sharing/masks.h"

enum { MAX_HOLDERS = 8, MAX_CLIENTS = 5, MAX_SEGMENTS = 8, MAX_VALUES = 64 };

static const struct reference *ref;
static struct field *field;
static struct scheme *scheme;
static uint64_t state = 20;

/* A network and its clients. Holders are indices; holder i has number i + 1 and is in use. */
struct network {
    struct aligned a;
    uint32_t t;
    unsigned char points[8 * MAX_HOLDERS];
    uint32_t n_clients;
    uint32_t holders[MAX_CLIENTS][MAX_HOLDERS], n_holders[MAX_CLIENTS], parts[MAX_CLIENTS];
    uint32_t counts[MAX_HOLDERS][MAX_CLIENTS];
    struct blocks blocks[MAX_HOLDERS];
    uint32_t first[MAX_HOLDERS + 1]; /* index of the first value of each holder, and the end */
};

static uint32_t below(uint32_t n)
{
    return (uint32_t)(reference_next(&state) % n);
}

static void settle(struct network *w)
{
    w->first[0] = 0;
    for (uint32_t u = 0; u < w->a.n; u++) {
        size_t n = 0;

        for (uint32_t i = 0; i < w->n_clients; i++)
            for (uint32_t j = 0; j < w->n_holders[i]; j++)
                if (w->holders[i][j] == u)
                    w->counts[u][n++] = w->parts[i];
        w->blocks[u] = (struct blocks){ w->a.n_segments, w->counts[u], n };
        w->first[u + 1] = w->first[u] + blocks_before(&w->blocks[u], w->a.n_segments);
        hagg_store(w->points, u, field_elem_size(field), aligned_point(w->a.n_segments, u + 1));
    }
    w->a.field = field;
    w->a.points = w->points;
    w->a.k = w->a.n - w->t;
}

/* Returns false if the network is not possible or some holder is not in use. */
static bool draw_network(struct network *w)
{
    bool used[MAX_HOLDERS] = { false };
    uint32_t n_used = 0;

    *w = (struct network){ .n_clients = 1 + below(MAX_CLIENTS), .t = below(3) };
    w->a.n = 2 + below(MAX_HOLDERS - 1);
    w->a.z = below(3);
    w->a.n_segments = 1 + below(MAX_SEGMENTS);
    if (w->a.n <= w->a.z + w->t || w->a.n_segments + w->a.n > ref->order)
        return false;
    for (uint32_t i = 0; i < w->n_clients; i++) {
        uint32_t want = w->a.z + w->t + 1 + below(w->a.n - w->a.z - w->t), left = want;

        for (uint32_t u = 0; u < w->a.n; u++)
            if (below(w->a.n - u) < left) {
                w->holders[i][want - left--] = u;
                used[u] = true;
            }
        w->n_holders[i] = want;
        w->parts[i] = want - w->a.z - w->t;
    }
    for (uint32_t u = 0; u < w->a.n; u++)
        n_used += used[u];
    settle(w);
    return n_used == w->a.n;
}

static uint64_t entry(const struct matrix *m, size_t row, size_t col)
{
    return hagg_load(matrix_at(m, row, col), 0, m->elem_size);
}

/* Adds a client's values to the sums of its holders in all their intervals. randoms gives the
 * drawn elements, block by block. */
static void add_client(const struct network *w, uint32_t i, const uint64_t *vector,
                       const uint64_t *randoms, uint64_t *sums)
{
    uint32_t v = w->parts[i];
    struct hagg_err err = { 0 };

    for (uint32_t first = 0, block = 0; first < w->a.n_segments; first += v, block++) {
        uint32_t end = first + v < w->a.n_segments ? first + v : w->a.n_segments;
        struct sharing s;

        if (!CHECK(aligned_block(&w->a, scheme, w->holders[i], w->n_holders[i], first, end, NULL,
                                 &s, &err) == 0))
            return;
        CHECK(s.n == w->n_holders[i] && s.shape.parts == end - first && s.shape.randoms == w->a.z);
        for (uint32_t j = 0; j < s.n; j++) {
            uint32_t u = w->holders[i][j];
            uint64_t value = 0;

            for (uint32_t c = first; c < end; c++)
                value = reference_add(
                    ref, value, reference_mul(ref, entry(&s.matrix, j, c - first), vector[c]));
            for (uint32_t m = 0; m < w->a.z; m++)
                value = reference_add(ref, value,
                                      reference_mul(ref, entry(&s.matrix, j, end - first + m),
                                                    randoms[block * w->a.z + m]));
            for (uint32_t cut = first; cut < end; cut = blocks_next(&w->blocks[u], cut)) {
                uint64_t *sum = &sums[w->first[u] + blocks_before(&w->blocks[u], cut)];

                *sum = reference_add(ref, *sum, value);
            }
        }
        sharing_free(&s);
    }
}

/* Returns the value of the holder in its interval that contains the segment. */
static size_t place_of(const struct network *w, uint32_t holder, uint32_t segment)
{
    return w->first[holder] + blocks_before(&w->blocks[holder], segment + 1) - 1;
}

static uint64_t row_times(const struct network *w, const struct matrix *m, size_t row,
                          uint32_t segment, const uint64_t *sums)
{
    uint64_t total = 0;

    for (uint32_t u = 0; u < w->a.n; u++)
        total = reference_add(ref, total,
                              reference_mul(ref, entry(m, row, u), sums[place_of(w, u, segment)]));
    return total;
}

/* Decodes every segment with these holders left out; total is what must be found. A value that is
 * used and wrong must show. */
static void decodes(const struct network *w, const bool *left_out, uint32_t n_left_out,
                    uint64_t *sums, const uint64_t *total)
{
    struct aligned_basis basis;
    struct hagg_err err = { 0 };
    size_t wrong = 0;

    if (!CHECK(aligned_basis_new(&basis, field, w->points, w->a.n, w->a.k, left_out, &err) == 0))
        return;
    for (uint32_t segment = 0; segment < w->a.n_segments; segment++) {
        struct combine c;

        if (!CHECK(aligned_combine(&c, &basis, segment, segment + 1, &err) == 0))
            return;
        CHECK(c.n_parts == 1 && c.n_surplus == w->t - n_left_out);
        wrong += row_times(w, &c.matrix, 0, segment, sums) != total[segment];
        for (size_t r = 0; r < c.n_surplus; r++)
            wrong += row_times(w, &c.matrix, 1 + r, segment, sums) != 0;
        for (uint32_t u = 0; u < w->a.n && c.n_surplus > 0; u++) {
            uint64_t *value = &sums[place_of(w, u, segment)], right = *value;
            bool shows = false;

            *value = reference_add(ref, right, 1);
            for (size_t r = 0; r < c.n_surplus; r++)
                shows = shows || row_times(w, &c.matrix, 1 + r, segment, sums) != 0;
            wrong += shows == left_out[u];
            *value = right;
        }
        combine_free(&c);
    }
    CHECK(wrong == 0);
    aligned_basis_free(&basis);
}

static void decodes_from_any(const struct network *w, uint64_t *sums, const uint64_t *total)
{
    for (unsigned set = 0; set < 1u << w->a.n; set++) {
        bool left_out[MAX_HOLDERS];
        uint32_t n = (uint32_t)__builtin_popcount(set);

        for (uint32_t u = 0; u < w->a.n; u++)
            left_out[u] = set >> u & 1;
        if (n <= w->t)
            decodes(w, left_out, n, sums, total);
    }
}

/* All clients add up, and any k holders decode the total. */
static void sums_decode(const struct network *w)
{
    uint64_t sums[MAX_HOLDERS * MAX_SEGMENTS] = { 0 }, total[MAX_SEGMENTS] = { 0 };

    for (uint32_t i = 0; i < w->n_clients; i++) {
        uint64_t vector[MAX_SEGMENTS], randoms[MAX_SEGMENTS * 2];

        for (uint32_t c = 0; c < w->a.n_segments; c++) {
            vector[c] = reference_elem(ref, &state);
            total[c] = reference_add(ref, total[c], vector[c]);
        }
        for (size_t j = 0; j < sizeof randoms / sizeof *randoms; j++)
            randoms[j] = reference_elem(ref, &state);
        add_client(w, i, vector, randoms, sums);
    }
    decodes_from_any(w, sums, total);
}

/* Any z holders of a client see uniform values: the columns of the random vectors have full rank in
 * any z rows. */
static void blocks_hide(const struct network *w)
{
    struct hagg_err err = { 0 };

    for (uint32_t i = 0; i < w->n_clients && w->a.z > 0; i++) {
        uint32_t end = w->parts[i] < w->a.n_segments ? w->parts[i] : w->a.n_segments;
        struct sharing s;

        CHECK(aligned_block(&w->a, scheme, w->holders[i], w->n_holders[i], 0, end, NULL, &s,
                            &err) == 0);
        for (unsigned set = 0; set < 1u << s.n; set++) {
            struct matrix rows;
            size_t n = 0, rank = 0;

            if ((uint32_t)__builtin_popcount(set) != w->a.z)
                continue;
            CHECK(matrix_new(&rows, field, w->a.z, w->a.z, &err) == 0);
            for (uint32_t u = 0; u < s.n; u++)
                if (set >> u & 1)
                    memcpy(matrix_at(&rows, n++, 0), matrix_at(&s.matrix, u, s.shape.parts),
                           w->a.z * rows.elem_size);
            CHECK(matrix_rank(&rank, field, &rows, &err) == 0);
            CHECK(rank == w->a.z);
            matrix_free(&rows);
        }
        sharing_free(&s);
    }
}

/* Returns the dimension of all masks: the number of values minus the rank of the conditions. */
static size_t mask_dimension(const struct network *w, const bool *bare)
{
    static const bool none[MAX_HOLDERS];
    struct aligned_basis basis;
    struct hagg_err err = { 0 };
    struct matrix conditions;
    size_t row = 0, rank = 0;

    CHECK(aligned_basis_new(&basis, field, w->points, w->a.n, w->a.k, none, &err) == 0);
    CHECK(matrix_new(&conditions, field, w->a.n_segments * (w->t + 1u) + w->first[w->a.n],
                     w->first[w->a.n], &err) == 0);
    for (uint32_t segment = 0; segment < w->a.n_segments; segment++) {
        struct combine c;

        CHECK(aligned_combine(&c, &basis, segment, segment + 1, &err) == 0);
        for (size_t r = 0; r < c.matrix.rows; r++, row++)
            for (uint32_t u = 0; u < w->a.n; u++)
                memcpy(matrix_at(&conditions, row, place_of(w, u, segment)),
                       matrix_at(&c.matrix, r, u), conditions.elem_size);
        combine_free(&c);
    }
    for (uint32_t u = 0; u < w->a.n; u++)
        for (uint32_t j = w->first[u]; j < w->first[u + 1] && bare[u]; j++)
            hagg_store(matrix_at(&conditions, row++, j), 0, conditions.elem_size, 1);
    CHECK(matrix_rank(&rank, field, &conditions, &err) == 0);
    matrix_free(&conditions);
    aligned_basis_free(&basis);
    return w->first[w->a.n] - rank;
}

/* Masks decode to zero, and there are as many draws as the masks have dimensions. Each draw is a
 * value of the mask, so a mask is uniform. */
static void masks_are_uniform(const struct network *w, uint32_t n_bare)
{
    uint64_t sums[MAX_HOLDERS * MAX_SEGMENTS] = { 0 }, total[MAX_SEGMENTS] = { 0 };
    bool bare[MAX_HOLDERS] = { false };
    uint32_t row[MAX_HOLDERS] = { 0 }, n_draws = 0;
    struct hagg_err err = { 0 };
    struct masks m;

    for (uint32_t left = n_bare, u = 0; u < w->a.n; u++)
        if (below(w->a.n - u) < left) {
            bare[u] = true;
            left--;
        }
    if (!CHECK(masks_new(&m, &w->a, w->blocks, bare, &err) == 0))
        return;
    for (size_t i = 0; i < m.n_steps; i++) {
        const struct masks_step *step = &m.steps[i];

        CHECK(masks_fill(&m, i, &err) == 0 && masks_fill(&m, i, &err) == 0);
        for (uint32_t j = 0; j < step->n_drawn; j++, n_draws++)
            sums[w->first[step->drawn[j]] + row[step->drawn[j]]++] = reference_elem(ref, &state);
        for (uint32_t j = 0; j < step->n_computed; j++) {
            uint32_t u = step->computed[j];
            uint64_t *value = &sums[w->first[u] + row[u]++];

            for (uint32_t x = 0; x < step->n_from; x++)
                *value =
                    reference_add(ref, *value,
                                  reference_mul(ref, entry(&step->matrix, j, x),
                                                sums[place_of(w, step->from[x], step->first)]));
        }
    }
    for (uint32_t u = 0; u < w->a.n; u++)
        CHECK(bare[u] || row[u] == w->first[u + 1] - w->first[u]);
    CHECK(n_draws == m.n_draws);
    CHECK(n_draws == mask_dimension(w, bare));
    decodes_from_any(w, sums, total);
    masks_free(&m);
}

static void any_network(size_t n_networks)
{
    struct network w;
    size_t n = 0;

    for (size_t tries = 0; tries < 50 * n_networks && n < n_networks; tries++) {
        if (!draw_network(&w))
            continue;
        n++;
        sums_decode(&w);
        blocks_hide(&w);
        masks_are_uniform(&w, 0);
        masks_are_uniform(&w, w.a.z);
    }
    CHECK(n == n_networks);
}

/* tests/oracle/aligned.py */
static void known_answers(void)
{
    static const uint64_t expected[] = { 21, 24, 27, 34, 37, 41, 45, 66, 49,
                                         41, 21, 22, 23, 93, 31, 52, 80, 35 };
    static const struct network known = {
        .a = { .n = 5, .z = 2, .n_segments = 4 },
        .n_clients = 3,
        .n_holders = { 4, 5, 3 },
        .holders = { { 0, 1, 2, 4 }, { 0, 1, 2, 3, 4 }, { 1, 3, 4 } },
        .parts = { 2, 3, 1 },
    };
    struct network w = known;
    uint64_t sums[MAX_HOLDERS * MAX_SEGMENTS] = { 0 };

    settle(&w);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t vector[4], randoms[8];

        for (uint32_t c = 0; c < 4; c++) {
            vector[c] = 10 * (i + 1) + c;
            randoms[2 * c] = 7 * (i + 1) + 3 * c;
            randoms[2 * c + 1] = 5 + i + 1 + c;
        }
        add_client(&w, i, vector, randoms, sums);
    }
    CHECK(w.first[5] == sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CHECK(sums[i] == expected[i]);
}

static void intervals(void)
{
    static const uint32_t counts[] = { 2, 3 };
    static const uint32_t expected[] = { 0, 2, 3, 4, 6 };
    const struct blocks b = { 7, counts, 2 };

    CHECK(blocks_before(&b, 7) == 5);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(blocks_before(&b, expected[i]) == i);
        CHECK(blocks_next(&b, expected[i]) == (i < 4 ? expected[i + 1] : 7));
    }
    CHECK(blocks_next(&b, 1) == 2);
    CHECK(blocks_segment_length(7, 21) == 3 && blocks_segment_length(7, 22) == 4);
    CHECK(blocks_segment_length(7, 0) == 0);
}

static void refuses(void)
{
    static const bool none[2];
    struct scheme *ramp;
    unsigned char points[2 * 8] = { 0 };
    const struct aligned a = { field, 1, 2, 2, 1, points };
    const uint32_t holders[] = { 0, 1 };
    struct aligned_basis basis;
    struct hagg_err err = { 0 };
    struct sharing s;

    CHECK(aligned_block(&a, scheme, holders, 2, 0, 1, NULL, &s, &err) == -1);
    CHECK_STR(err.text, "scheme 'aligned': two points are equal");
    CHECK(aligned_basis_new(&basis, field, points, 2, 2, none, &err) == -1);
    CHECK_STR(err.text, "two points are equal");
    CHECK(aligned_basis_new(&basis, field, points, 2, 3, none, &err) == -1);
    CHECK_STR(err.text, "only 2 of the sums are left, but 3 are needed");
    ramp = scheme_open("ramp", &err);
    CHECK(ramp != NULL && !scheme_aligns(ramp) && scheme_aligns(scheme));
    CHECK(aligned_block(&a, ramp, holders, 2, 0, 1, NULL, &s, &err) == -1);
    CHECK_STR(err.text, "scheme 'ramp' cannot be used with protocol aligned");
    scheme_free(ramp);
}

static void use_field(const struct reference *of)
{
    struct hagg_err err = { 0 };

    field_free(field);
    ref = of;
    field = field_open(of->spec, &err);
    CHECK(field != NULL);
}

int main(void)
{
    static const struct reference p101 = { "prime:p=101", 101 }, p11 = { "prime:p=11", 11 };
    struct hagg_err err = { 0 };

    scheme = scheme_open("aligned", &err);
    if (!CHECK(scheme != NULL))
        return check_end();
    intervals();
    use_field(&p101);
    known_answers();
    refuses();
    any_network(60);
    use_field(&p11); /* as small as possible for some networks */
    any_network(40);
    for (size_t i = 2; i < N_REFERENCES; i++) {
        use_field(&references[i]);
        any_network(10);
    }
    field_free(field);
    scheme_free(scheme);
    return check_end();
}
