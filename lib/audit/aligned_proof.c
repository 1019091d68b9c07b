#include "audit/aligned_proof.h"

#include <stdlib.h>
#include <string.h>

#include "audit/hiding.h"
#include "base/splitmix.h"
#include "plan/plan_aligned.h"
#include "topology/topology_tolerate.h"

/* Answers: 1 if a premise holds, 0 if not, -1 on failure. */

static const unsigned char zero[8];

static bool is_zero(const struct matrix *m, size_t row, size_t col)
{
    return memcmp(matrix_at(m, row, col), zero, m->elem_size) == 0;
}

static bool is_one(const struct matrix *m, size_t row, size_t col)
{
    return hagg_load(matrix_at(m, row, col), 0, m->elem_size) == 1;
}

/* The points of stations ascend and are larger than those of segments, so all are different. */
static bool has_points(const struct plan_aligned *a)
{
    size_t size = field_elem_size(a->sharing.field);
    uint64_t last = a->sharing.n_segments - UINT64_C(1);

    for (uint32_t i = 0; i < a->sharing.n; i++) {
        uint64_t point = hagg_load(a->sharing.points, i, size);

        if (point <= last || point >= a->sharing.field->info.order)
            return false;
        last = point;
    }
    return true;
}

/* Numbers of stations and dealers. */
static bool has_numbers(const struct plan *p)
{
    const struct topology *t = &p->topology;
    const struct plan_aligned *a = p->aligned;
    uint64_t colluding = topology_colluding_dealers(t), spares = topology_spares(t, 0);
    uint64_t n_bare = 0;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        n_bare += a->bare[i];
    /* one total per round; no station learns anything alone */
    if (a->sharing.z == 0 || a->sharing.n <= topology_tolerate_most(t) + 2 * spares)
        return false;
    if (t->dealers.n == 0)
        return a->classes.n == 1;
    return a->chunks >= 1 && t->dealers.n >= a->chunks + colluding + spares &&
           t->dealers.n <= a->sharing.field->info.order && n_bare <= (t->full ? 0 : a->sharing.z);
}

/* Multiplies columns `of` of a matrix by another matrix, and adds the product to a third. */
static void multiply_add(const struct field *f, struct matrix *sum, const struct matrix *a,
                         const uint32_t *of, uint32_t n, const struct matrix *b)
{
    for (size_t i = 0; i < sum->rows; i++)
        for (uint32_t u = 0; u < n; u++)
            if (!is_zero(a, i, of[u]))
                field_scale_add(f, matrix_at(sum, i, 0), matrix_at(a, i, of[u]), matrix_at(b, u, 0),
                                b->cols);
}

/* Decoding a block gives its parts, whatever the random vectors are, and surplus values agree. */
static int decodes(const struct combine *c, const struct sharing *block, const uint32_t *holders,
                   struct hagg_err *err)
{
    struct matrix product;
    int holds = 1;

    if (matrix_new(&product, block->field, c->matrix.rows, block->matrix.cols, err))
        return -1;
    multiply_add(block->field, &product, &c->matrix, holders, block->n, &block->matrix);
    for (size_t i = 0; i < product.rows; i++)
        for (size_t j = 0; j < product.cols; j++)
            if (!(i == j && i < c->n_parts ? is_one(&product, i, j) : is_zero(&product, i, j)))
                holds = 0;
    matrix_free(&product);
    return holds;
}

/* The blocks of all classes with `parts` parts, the first of which is class `model`. */
struct checker {
    const struct plan *plan;
    const struct model *m;
    struct progress *progress;
    const struct aligned_basis *basis;
    uint32_t *holders; /* scratch */
    uint32_t parts;
    size_t model;
    uint64_t one_in; /* one in so many matrices is checked, at random; 1: all */
    uint64_t random;
};

static int check_class(const struct checker *k, const struct combine *c, size_t class,
                       uint32_t first, uint32_t end, struct hagg_err *err)
{
    const struct plan_aligned *a = k->plan->aligned;
    uint32_t n_holders = plan_aligned_holders(a, class, k->holders);
    const struct aligned sharing = plan_aligned_class(a, class);
    struct sharing block;
    int holds;

    if (aligned_block(&sharing, k->plan->scheme, k->holders, n_holders, first, end, NULL, &block,
                      err))
        return -1;
    holds = hiding_by_points(&block) ? decodes(c, &block, k->holders, err) : 0;
    sharing_free(&block);
    return holds;
}

/* Checks the blocks that begin with a segment. By the formula of the scheme, the matrix of another
 * class differs in non-zero factors of rows and columns only: docs/audit.md. So if there are many,
 * each class is checked with its first and its last block, all blocks for one class, and others at
 * random. */
static int check_block(struct checker *k, uint32_t first, struct hagg_err *err)
{
    const struct plan_aligned *a = k->plan->aligned;
    uint32_t n = a->sharing.n_segments, end = n - first > k->parts ? first + k->parts : n;
    struct combine c;
    int holds = 1;

    if (model_check_time(k->m, err) || aligned_combine(&c, k->basis, first, end, err))
        return -1;
    progress_add(k->progress, end - first);
    for (size_t class = k->model; class < a->classes.n && holds == 1; class ++)
        if (a->parts[class] == k->parts && (splitmix_next(&k->random) % k->one_in == 0 ||
                                            class == k->model || first == 0 || end == n))
            holds = check_class(k, &c, class, first, end, err);
    combine_free(&c);
    return holds;
}

/* Number of matrices up to which all are checked, and how many are checked at random otherwise. */
#define ALL_BLOCKS  50000u
#define SOME_BLOCKS 5000u

static int check_blocks(struct checker k, struct hagg_err *err)
{
    const struct plan_aligned *a = k.plan->aligned;
    uint64_t n_blocks = 0;
    int holds = 1;

    for (size_t class = 0; class < a->classes.n; class ++)
        n_blocks += (a->sharing.n_segments + a->parts[class] - 1) / a->parts[class];
    k.one_in = n_blocks <= ALL_BLOCKS ? 1 : n_blocks / SOME_BLOCKS;
    for (k.model = 0; k.model < a->classes.n && holds == 1; k.model++) {
        size_t before = 0;

        k.parts = a->parts[k.model];
        /* each part count once */
        while (a->parts[before] != k.parts)
            before++;
        if (before == k.model)
            progress_expect(k.progress, a->sharing.n_segments);
        for (uint32_t first = 0; before == k.model && first < a->sharing.n_segments && holds == 1;
             first += k.parts)
            holds = check_block(&k, first, err);
    }
    return holds;
}

/* Checks that a step draws or computes exactly the values that begin, from enough others. */
static bool is_step(const struct plan_aligned *a, const struct masks_step *step, uint32_t end)
{
    uint32_t drawn = 0, computed = 0, from = 0;

    if (step->n_from + (end - step->first) != a->sharing.k)
        return false;
    for (uint32_t i = 0; i < a->sharing.n; i++) {
        bool begins = !a->bare[i] && blocks_begins(&a->blocks[i], step->first);
        bool is_drawn = drawn < step->n_drawn && step->drawn[drawn] == i;
        bool is_computed = computed < step->n_computed && step->computed[computed] == i;
        bool is_from = from < step->n_from && step->from[from] == i;

        if (begins != (is_drawn || is_computed) || is_computed == is_from)
            return false;
        drawn += is_drawn;
        computed += is_computed;
        from += is_from;
    }
    return drawn == step->n_drawn && computed == step->n_computed && from == step->n_from;
}

/* The values of a step decode to zero, whatever those are from which they are computed. */
static int check_step(const struct plan *p, const struct aligned_basis *basis,
                      const struct masks_step *step, uint32_t end, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    struct matrix product = { 0 };
    struct combine c;
    int holds = 1;

    if (!is_step(a, step, end))
        return 0;
    if (aligned_combine(&c, basis, step->first, end, err))
        return -1;
    if (matrix_new(&product, a->sharing.field, c.matrix.rows, step->n_from, err))
        holds = -1;
    for (size_t i = 0; i < product.rows; i++)
        for (uint32_t j = 0; j < step->n_from; j++)
            memcpy(matrix_at(&product, i, j), matrix_at(&c.matrix, i, step->from[j]),
                   product.elem_size);
    if (holds == 1)
        multiply_add(a->sharing.field, &product, &c.matrix, step->computed, step->n_computed,
                     &step->matrix);
    for (size_t i = 0; i < product.rows; i++)
        for (size_t j = 0; j < product.cols; j++)
            if (!is_zero(&product, i, j))
                holds = 0;
    matrix_free(&product);
    combine_free(&c);
    return holds;
}

static int check_masks(const struct checker *k, struct hagg_err *err)
{
    const struct plan *p = k->plan;
    const struct plan_aligned *a = p->aligned;
    struct masks masks;
    int holds = 1;

    if (p->topology.dealers.n == 0)
        return 1;
    if (masks_new(&masks, &a->sharing, a->blocks, a->bare, err))
        return -1;
    for (size_t i = 0; i < masks.n_steps && holds == 1; i++) {
        uint32_t end = i + 1 < masks.n_steps ? masks.steps[i + 1].first : a->sharing.n_segments;

        holds = model_check_time(k->m, err) || masks_fill(&masks, i, err)
                    ? -1
                    : check_step(p, k->basis, &masks.steps[i], end, err);
        progress_add(k->progress, end - masks.steps[i].first);
        matrix_free(&masks.steps[i].matrix);
    }
    masks_free(&masks);
    return holds;
}

int aligned_proof(const struct plan *p, const struct model *m, struct progress *progress,
                  struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    struct aligned_basis basis = { 0 };
    struct checker k = { .plan = p, .m = m, .progress = progress, .basis = &basis };
    uint32_t *holders;
    bool *none;
    int holds;

    if (!has_points(a) || !has_numbers(p))
        return 0;
    progress_expect(progress, p->topology.dealers.n > 0 ? a->sharing.n_segments : 0);
    k.holders = holders = calloc(a->sharing.n + (size_t)1, sizeof *holders);
    none = calloc(a->sharing.n + (size_t)1, sizeof *none);
    holds = !holders || !none ? err_errno(err, "%s", p->name)
            : aligned_basis_new(&basis, a->sharing.field, a->sharing.points, a->sharing.n,
                                a->sharing.k, none, err)
                ? -1
                : check_blocks(k, err);
    if (holds == 1)
        holds = check_masks(&k, err);
    aligned_basis_free(&basis);
    free(holders);
    free(none);
    return holds;
}
