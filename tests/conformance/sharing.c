/*
 * A scheme over a field. Holders decode if their rows determine the parts, and learn nothing if
 * their shares are possible with every secret. Both are conditions on ranks, so the result is
 * exact.
 */
#include "checks.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "guarded.h"
#include "rank.h"
#include "reason.h"
#include "report.h"
#include "sharing.h"
#include "subject.h"

/* Every (n, k, z) up to SMALL_N, with every set of holders; then a few larger ones, with random
 * sets, unless their matrix has too many entries. */
#define SMALL_N     6
#define SOME_SETS   40
#define MAX_ENTRIES 100000

static const struct form large_forms[] = {
    { 13, 13, 3 }, { 20, 13, 3 }, { 16, 9, 8 }, { 12, 12, 11 }, { 24, 20, 0 },
};

static const char *const points_names[] = { "points 1, 2, ..", "the last points",
                                            "scattered points", "a point that is zero",
                                            "two equal points" };

const char *sharing_points_name(const struct sharing *sh)
{
    return sh->shape.uses_points ? points_names[sh->points] : "no points";
}

/* Calls the plugin as a host does. */
static int ask_shape(const struct subject *s, struct sharing *sh, char *why)
{
    const struct form *f = &sh->form;

    if (subject_has_prefixes(s))
        return s->scheme->shape_with(s->scheme_params, s->n_scheme_params, f->n, f->k, f->z,
                                     &sh->shape, sh->prefixes, &sh->n_prefixes, why);
    sh->n_prefixes = 0;
    return s->scheme->shape(f->n, f->k, f->z, &sh->shape, why);
}

static bool same_shape(const struct sharing *a, const struct sharing *b)
{
    if (memcmp(&a->shape, &b->shape, sizeof a->shape) != 0 || a->n_prefixes != b->n_prefixes)
        return false;
    return a->n_prefixes > HAGG_SCHEME_PREFIXES ||
           memcmp(a->prefixes, b->prefixes, a->n_prefixes * sizeof *a->prefixes) == 0;
}

bool sharing_shape(const struct subject *s, const struct form *f, struct sharing *sh)
{
    struct sharing again;
    struct reason reason;
    char what[64];
    bool has;

    snprintf(what, sizeof what, FORM_TEXT, f->n, f->k, f->z);
    memset(sh, 0xee, sizeof *sh);
    memset(&again, 0x11, sizeof again);
    sh->form = again.form = *f;
    reason_init(&reason);
    has = ask_shape(s, sh, reason.why) == 0;
    if (!has)
        has = reason_given(&reason, what) && false;
    else if (ask_shape(s, &again, reason.why) != 0 || !same_shape(sh, &again))
        has = report_wrong("%s: the shape is another the second time", what);
    reason_free(&reason);
    return has;
}

static uint64_t n_entries_of(const struct sharing *sh)
{
    return ((uint64_t)sh->shape.parts + sh->shape.randoms) * sh->form.n * sh->shape.symbols;
}

static bool try_shape(const struct subject *s, const struct form *f)
{
    struct hagg_scheme_shape shape;
    struct sharing sh;
    char what[64];

    if (!sharing_shape(s, f, &sh))
        return !report_found();
    shape = sh.shape;
    snprintf(what, sizeof what, FORM_TEXT, f->n, f->k, f->z);
    if (shape.parts == 0 || shape.symbols == 0 || shape.uses_points > 1)
        return report_wrong("%s: %u parts, %u symbols, uses_points %u", what, shape.parts,
                            shape.symbols, shape.uses_points);
    if ((uint64_t)shape.parts > (uint64_t)(f->k - f->z) * shape.symbols)
        return report_wrong("%s: %u parts do not fit the symbols that k - z holders have", what,
                            shape.parts);
    if (n_entries_of(&sh) > MAX_ENTRIES && f->n <= SMALL_N)
        return report_wrong("%s: %u parts and %u random vectors are too many to try", what,
                            shape.parts, shape.randoms);
    return true;
}

/* False if the field has no such points. */
static bool make_points(const struct subject *s, const struct form *f, enum points kind,
                        unsigned char *out)
{
    uint64_t last = s->info.order - 1, step = last / f->n;

    if (kind != ONE_ZERO && kind != TWO_EQUAL && f->n > last)
        return false;
    if (kind == TWO_EQUAL && f->n == 1)
        return false;
    for (uint32_t u = 0; u < f->n; u++) {
        uint64_t point = u % last + 1;

        if (kind == LAST)
            point = last - u;
        if (kind == SCATTERED)
            point = 1 + (f->n - 1 - u) * step;
        subject_set(s, out, u, point);
    }
    if (kind == ONE_ZERO)
        subject_set(s, out, f->n / 2, 0);
    if (kind == TWO_EQUAL)
        subject_set(s, out, f->n - 1, subject_get(s, out, f->n / 2 - 1));
    return true;
}

/* Calls the plugin as a host does. */
static int ask_matrix(const struct subject *s, const struct form *f, const unsigned char *points,
                      void *matrix, char *why)
{
    if (subject_has_prefixes(s))
        return s->scheme->matrix_with(s->scheme_params, s->n_scheme_params, f->n, f->k, f->z,
                                      s->field, s->ctx, &s->info, points, matrix, why);
    return s->scheme->matrix(f->n, f->k, f->z, s->field, s->ctx, &s->info, points, matrix, why);
}

/* Makes the matrix twice, and checks the rules for every matrix. */
static void fill_matrix(const struct subject *s, struct sharing *sh, const unsigned char *points)
{
    size_t n_entries = sh->n_rows * sh->n_cols, len_bytes = n_entries * s->info.elem_size;
    const struct form *f = &sh->form;
    struct guarded first = { 0 }, second = { 0 };
    struct reason reason;
    char what[160];
    int status;

    snprintf(what, sizeof what, FORM_TEXT " with %s", f->n, f->k, f->z, sharing_points_name(sh));
    reason_init(&reason);
    guarded_place(&first, len_bytes, 1);
    guarded_place(&second, len_bytes, 0);
    memset(second.data, 0, len_bytes);
    status = ask_matrix(s, f, points, first.data, reason.why);
    if (!guarded_intact(&first))
        report_wrong("%s: writes outside the matrix", what);
    if (status != 0) {
        reason_given(&reason, what);
    } else {
        if (ask_matrix(s, f, points, second.data, reason.why) != 0 ||
            memcmp(first.data, second.data, len_bytes) != 0)
            report_wrong("%s: the matrix is another the second time", what);
        for (size_t i = 0; i < n_entries; i++)
            if (subject_get(s, first.data, i) >= s->info.order)
                report_wrong("%s: entry %zu is not canonical", what, i);
        sh->matrix = subject_vector(s, n_entries);
        memcpy(sh->matrix, first.data, len_bytes);
    }
    reason_free(&reason);
    guarded_free(&first);
    guarded_free(&second);
}

void sharing_init(const struct subject *s, struct sharing *sh, const struct form *f,
                  enum points kind)
{
    unsigned char *points = subject_vector(s, f->n);
    bool has = sharing_shape(s, f, sh);

    sh->points = kind;
    sh->matrix = NULL;
    if (has && n_entries_of(sh) <= MAX_ENTRIES) {
        sh->n_rows = (size_t)f->n * sh->shape.symbols;
        sh->n_cols = (size_t)sh->shape.parts + sh->shape.randoms;
        if (!sh->shape.uses_points) {
            if (kind == FIRST)
                fill_matrix(s, sh, NULL);
        } else if (make_points(s, f, kind, points)) {
            fill_matrix(s, sh, points);
        }
    }
    free(points);
}

size_t sharing_rank(const struct subject *s, const struct sharing *sh, uint64_t holders,
                    size_t n_symbols, size_t column)
{
    size_t symbols = sh->shape.symbols, width = sh->n_cols - column, n = 0, rank;
    uint64_t *rows = calloc(sh->n_rows * sh->n_cols + 1, sizeof *rows);

    if (!rows)
        err(1, "rows");
    for (size_t row = 0; row < sh->n_rows; row++) {
        if (!(holders >> (row / symbols) & 1) || row % symbols >= n_symbols)
            continue;
        for (size_t c = 0; c < width; c++)
            rows[n * width + c] = subject_get(s, sh->matrix, row * sh->n_cols + column + c);
        n++;
    }
    rank = rank_of(s, rows, n, width);
    free(rows);
    return rank;
}

/* Returns the number of symbols that the holders learn: 0, or all parts if they decode. */
static size_t known_parts(const struct subject *s, const struct sharing *sh, uint64_t holders)
{
    size_t symbols = sh->shape.symbols;

    return sharing_rank(s, sh, holders, symbols, 0) -
           sharing_rank(s, sh, holders, symbols, sh->shape.parts);
}

static bool next_set(uint64_t *set, const struct sharing *sh, uint32_t size, struct prng *g,
                     unsigned *count)
{
    uint32_t n = sh->form.n;

    (*count)++;
    if (n <= SMALL_N) {
        do
            ++*set;
        while (*set < (uint64_t)1 << n && (uint32_t)__builtin_popcountll(*set) != size);
        return *set < (uint64_t)1 << n;
    }
    *set = 0;
    while ((uint32_t)__builtin_popcountll(*set) < size)
        *set |= (uint64_t)1 << prng_below(g, n);
    return *count <= SOME_SETS / sh->shape.symbols + 1; /* large matrices take time */
}

void sharing_list(uint64_t set, char out[SHARING_LIST_SIZE])
{
    size_t len = 0;

    for (unsigned u = 0; u < 64 && len + 8 < SHARING_LIST_SIZE; u++)
        if (set >> u & 1)
            len += (size_t)snprintf(out + len, SHARING_LIST_SIZE - len, "%s%u", len ? " " : "", u);
}

uint64_t sharing_find_set(const struct subject *s, const struct sharing *sh, uint32_t size,
                          bool (*holds)(const struct subject *, const struct sharing *,
                                        uint64_t set, size_t arg),
                          size_t arg)
{
    struct prng g = { .state = 23 };
    unsigned count = 0;

    for (uint64_t set = 0; next_set(&set, sh, size, &g, &count);)
        if (!holds(s, sh, set, arg))
            return set;
    return 0;
}

static bool learns(const struct subject *s, const struct sharing *sh, uint64_t set, size_t wanted)
{
    return known_parts(s, sh, set) == wanted;
}

static bool every_set(const struct subject *s, const struct sharing *sh, uint32_t size,
                      size_t wanted, const char *complaint)
{
    uint64_t set = sharing_find_set(s, sh, size, learns, wanted);
    char holders[SHARING_LIST_SIZE] = "";

    if (!set)
        return true;
    sharing_list(set, holders);
    return report_wrong(FORM_TEXT " with %s: holders %s %s: they learn %zu of %u parts", sh->form.n,
                        sh->form.k, sh->form.z, sharing_points_name(sh), holders, complaint,
                        known_parts(s, sh, set), sh->shape.parts);
}

static bool decodes(const struct subject *s, const struct sharing *sh)
{
    return every_set(s, sh, sh->form.k, sh->shape.parts, "cannot decode");
}

static bool is_private(const struct subject *s, const struct sharing *sh)
{
    return sh->form.z == 0 || every_set(s, sh, sh->form.z, 0, "see something");
}

void sharing_every_form(const struct subject *s,
                        bool (*try)(const struct subject *, const struct form *))
{
    for (uint32_t n = 1; n <= SMALL_N; n++)
        for (uint32_t k = 1; k <= n; k++)
            for (uint32_t z = 0; z < k; z++)
                if (!try(s, &(struct form){ n, k, z }))
                    return;
    for (size_t i = 0; i < sizeof large_forms / sizeof *large_forms; i++)
        if (!try(s, &large_forms[i]))
            return;
}

bool sharing_with_points(const struct subject *s, const struct form *f, enum points from,
                         enum points to,
                         bool (*holds)(const struct subject *, const struct sharing *))
{
    for (enum points kind = from; kind <= to && !report_found(); kind++) {
        struct sharing sh;

        sharing_init(s, &sh, f, kind);
        if (sh.matrix && !report_found())
            holds(s, &sh);
        free(sh.matrix);
    }
    return !report_found();
}

static bool try_decoding(const struct subject *s, const struct form *f)
{
    return sharing_with_points(s, f, FIRST, SCATTERED, decodes);
}

static bool try_privacy(const struct subject *s, const struct form *f)
{
    return sharing_with_points(s, f, FIRST, SCATTERED, is_private);
}

/* True if every k holders decode and every z learn nothing. Zero or equal points need not be
 * refused by a scheme that they do not harm. */
static bool is_sound(const struct subject *s, const struct sharing *sh)
{
    return decodes(s, sh) && is_private(s, sh);
}

static bool try_bad_points(const struct subject *s, const struct form *f)
{
    return sharing_with_points(s, f, ONE_ZERO, TWO_EQUAL, is_sound);
}

static void check_shapes(struct subject *s)
{
    sharing_every_form(s, try_shape);
}

/* A scheme that refuses everything would pass all other checks. */
static void check_matrix(struct subject *s)
{
    unsigned n_made = 0;

    for (uint32_t n = 1; n <= SMALL_N; n++)
        for (uint32_t k = 1; k <= n; k++)
            for (uint32_t z = 0; z < k; z++) {
                struct sharing sh;

                sharing_init(s, &sh, &(struct form){ n, k, z }, FIRST);
                n_made += sh.matrix != NULL && n > 1;
                free(sh.matrix);
            }
    if (n_made == 0)
        report_wrong("no (n, k, z) with 2 to %d holders is accepted", SMALL_N);
}

static void check_decoding(struct subject *s)
{
    sharing_every_form(s, try_decoding);
}

static void check_privacy(struct subject *s)
{
    sharing_every_form(s, try_privacy);
}

static void check_bad_points(struct subject *s)
{
    sharing_every_form(s, try_bad_points);
}

void sharing_run(struct subject *s)
{
    report_check("shapes", check_shapes, s);
    if (report_found())
        return;
    report_check("matrix", check_matrix, s);
    report_check("decoding", check_decoding, s);
    report_check("privacy", check_privacy, s);
    report_check("bad points", check_bad_points, s);
    if (subject_has_prefixes(s))
        prefixes_run(s);
}
