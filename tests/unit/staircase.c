/* Scheme staircase through lib/sharing: every (n, k, z) with up to 7 holders, every choice of one
 * or two numbers of missing holders, every supported number of present holders, and every set of
 * these decodes from prefixes. tests/oracle/staircase_shares.py compares the shares with an oracle.
 */
#include <stdio.h>

#include "split.h"

#define MAX_HOLDERS 7

struct staircase {
    struct scheme *scheme;
    struct scheme_prefixes prefixes;
    struct sharing s;
    unsigned char *parts, *rows;
};

static void begin(struct staircase *t, const char *name, uint32_t n, uint32_t k, uint32_t z)
{
    struct random *random = seeded((unsigned char)(n * 16 + k));
    struct hagg_err err = { 0 };
    struct collector c = { .sink = { take }, .part_length = 1 };

    t->scheme = scheme_open(name, &err);
    CHECK_STR(err.text, "");
    CHECK(scheme_prefixes(t->scheme, n, k, z, NULL, &t->prefixes, &err) == 0);
    CHECK(sharing_new(&t->s, field, t->scheme, n, k, z, NULL, NULL, &err) == 0);
    t->parts = random_parts(t->s.shape.parts);
    c.n_rows = t->s.matrix.rows;
    c.rows = t->rows = calloc(c.n_rows, field_elem_size(field));
    CHECK(sharing_split(&t->s, t->parts, 1, NULL, random, NULL, &c.sink, &err) == 0);
    random_free(random);
}

static void end(struct staircase *t)
{
    sharing_free(&t->s);
    scheme_free(t->scheme);
    free(t->parts);
    free(t->rows);
}

/* All symbols of the first z holders are drawn, so a holder whose share is drawn can have a seed.
 */
static void draws_whole_shares(const struct staircase *t)
{
    const struct sharing *s = &t->s;
    size_t wrong = 0;

    CHECK(s->shape.randoms == s->z * s->shape.symbols);
    CHECK((s->drawn != NULL) == (s->z > 0));
    for (uint32_t i = 0; i < s->shape.randoms; i++)
        wrong += s->drawn[i] != i;
    CHECK(wrong == 0);
}

/* Returns the number of parts that these holders do not decode from their prefixes. */
static size_t wrong_from(const struct staircase *t, const struct hagg_scheme_prefix *prefix,
                         const uint32_t *holders)
{
    size_t size = field_elem_size(field), wrong = 0, n_symbols = prefix->symbols;
    struct sharing_part part = { t->s.n, t->s.k, t->s.z, prefix, holders, prefix->holders, NULL };
    struct hagg_err err = { 0 };
    struct matrix inverse;
    struct sharing s;

    if (!CHECK(sharing_new_part(&s, field, t->scheme, &part, &err) == 0))
        return t->s.shape.parts;
    if (!CHECK(sharing_inverse(&s, NULL, &inverse, &err) == 0)) {
        sharing_free(&s);
        return t->s.shape.parts;
    }
    for (size_t r = 0; r < t->s.shape.parts; r++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < prefix->holders * n_symbols; i++) {
            size_t row = holders[i / n_symbols] * t->s.shape.symbols + i % n_symbols;

            sum = reference_add(ref, sum,
                                reference_mul(ref, hagg_load(matrix_at(&inverse, r, i), 0, size),
                                              hagg_load(t->rows, row, size)));
        }
        wrong += sum != hagg_load(t->parts, r, size);
    }
    matrix_free(&inverse);
    sharing_free(&s);
    return wrong;
}

static void every_set_decodes(const struct staircase *t)
{
    size_t wrong = 0;

    for (uint32_t p = 0; p < t->prefixes.n; p++) {
        const struct hagg_scheme_prefix *prefix = &t->prefixes.all[p];

        for (unsigned set = 0; set < 1u << t->s.n; set++) {
            uint32_t holders[MAX_HOLDERS], n = 0;

            for (uint32_t u = 0; u < t->s.n; u++)
                if (set >> u & 1)
                    holders[n++] = u;
            if (n == prefix->holders)
                wrong += wrong_from(t, prefix, holders);
        }
    }
    CHECK(wrong == 0);
}

/* Numbers of missing holders: one, or a second one that is larger. */
static size_t every_choice(uint32_t n, uint32_t k, uint32_t z)
{
    size_t count = 0;

    for (uint32_t first = 0; first < n - k; first++)
        for (uint32_t second = first; second < n - k; second++) {
            struct staircase t;
            char name[64];

            if (first == 0 && second == 0)
                snprintf(name, sizeof name, "staircase");
            else if (second == first)
                snprintf(name, sizeof name, "staircase:missing=%u", first);
            else
                snprintf(name, sizeof name, "staircase:missing=%u.%u", first, second);
            begin(&t, name, n, k, z);
            CHECK(t.prefixes.n == (first == second ? 2u : 3u));
            draws_whole_shares(&t);
            every_set_decodes(&t);
            end(&t);
            count++;
        }
    return count;
}

/* n = 20, k = 6, z = 3: 17 symbols, and 20 holders send 3 of them, 20/17 times the vector. */
static void known_answer(void)
{
    uint32_t all[20], six[] = { 19, 0, 7, 3, 12, 5 };
    struct staircase t;

    for (uint32_t u = 0; u < 20; u++)
        all[u] = u;
    begin(&t, "staircase", 20, 6, 3);
    CHECK(t.s.shape.symbols == 17 && t.s.shape.parts == 51);
    CHECK(t.prefixes.n == 2 && t.prefixes.all[0].holders == 20);
    CHECK(t.prefixes.all[0].symbols == 3 && t.prefixes.all[1].symbols == 17);
    CHECK(wrong_from(&t, &t.prefixes.all[0], all) == 0);
    CHECK(wrong_from(&t, &t.prefixes.all[1], six) == 0);
    end(&t);
}

int main(int argc, char **argv)
{
    uint32_t largest = argc > 1 && strcmp(argv[1], "quick") == 0 ? 4 : MAX_HOLDERS;
    struct hagg_err err = { 0 };
    size_t count = 0;

    ref = &references[6]; /* m31 */
    field = field_open(ref->spec, &err);
    CHECK_STR(err.text, "");
    for (uint32_t n = 2; n <= largest; n++)
        for (uint32_t k = 1; k < n; k++)
            for (uint32_t z = 0; z < k; z++)
                count += every_choice(n, k, z);
    CHECK(count == (largest == MAX_HOLDERS ? 252u : 21u));
    known_answer();
    field_free(field);
    return check_end();
}
