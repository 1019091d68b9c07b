#include "audit/aligned_proof.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"

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

/* Numbers of stations, dealers and clients. */
static bool has_numbers(const struct plan *p)
{
    const struct topology *t = &p->topology;
    const struct plan_aligned *a = p->aligned;
    uint64_t colluding = topology_colluding_dealers(t), spares = topology_spares(t, 0);
    uint64_t n_bare = 0;

    for (uint32_t i = 0; i < a->sharing.n; i++)
        n_bare += a->bare[i];
    /* one total per round; at least two honest clients in it; no station learns anything alone */
    if (a->sharing.z == 0 || a->sharing.n <= a->sharing.z + 2 * spares ||
        t->n_clients < (uint64_t)t->collude_clients + t->drop_clients + 2)
        return false;
    if (t->dealers.n == 0)
        return a->classes.n == 1;
    return a->chunks >= 1 && t->dealers.n >= a->chunks + colluding + spares &&
           t->dealers.n <= a->sharing.field->info.order && n_bare <= (t->full ? 0 : a->sharing.z);
}

/* Writes a row of a block for every station in use; zero for those that the class does not use. */
static int extend(struct matrix *all, const struct sharing *block, const uint32_t *holders,
                  uint32_t n, struct hagg_err *err)
{
    size_t row_bytes = block->matrix.cols * block->matrix.elem_size;

    if (matrix_new(all, block->field, n, block->matrix.cols, err))
        return -1;
    for (uint32_t u = 0; u < block->n; u++)
        memcpy(matrix_at(all, holders[u], 0), matrix_at(&block->matrix, u, 0), row_bytes);
    return 0;
}

/* The random vectors have the factors w, w a, w a^2, .. at the station with point a, and w is not
 * zero. So any z stations see uniform values. */
static bool hides(const struct sharing *block)
{
    size_t first = block->shape.parts, size = block->matrix.elem_size;

    for (uint32_t u = 0; u < block->n; u++)
        for (uint32_t m = 0; m < block->shape.randoms; m++) {
            unsigned char next[8];

            if (m == 0 && is_zero(&block->matrix, u, first))
                return false;
            if (m == 0)
                continue;
            field_mul(block->field, next, matrix_at(&block->matrix, u, first + m - 1),
                      block->points + u * size);
            if (memcmp(next, matrix_at(&block->matrix, u, first + m), size))
                return false;
        }
    return true;
}

/* Decoding a block gives its parts, whatever the random vectors are, and surplus values agree. */
static int decodes(const struct combine *c, const struct sharing *block, const struct matrix *all,
                   struct hagg_err *err)
{
    struct matrix product;
    int holds = 1;

    if (matrix_multiply(&product, block->field, &c->matrix, all, err))
        return -1;
    for (size_t i = 0; i < product.rows; i++)
        for (size_t j = 0; j < product.cols; j++)
            if (!(i == j && i < c->n_parts ? is_one(&product, i, j) : is_zero(&product, i, j)))
                holds = 0;
    matrix_free(&product);
    return holds;
}

/* Checks the blocks of all classes that begin with a segment and have `parts` parts. */
static int check_block(const struct plan *p, const struct aligned_basis *basis, uint32_t parts,
                       uint32_t first, uint32_t *holders, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    uint32_t n = a->sharing.n_segments, end = n - first > parts ? first + parts : n;
    struct combine c;
    int holds = 1;

    if (aligned_combine(&c, basis, first, end, err))
        return -1;
    for (size_t class = 0; class < a->classes.n && holds == 1; class ++) {
        struct matrix all = { 0 };
        struct sharing block;
        uint32_t n_holders;

        if (a->parts[class] != parts)
            continue;
        n_holders = plan_aligned_holders(a, class, holders);
        if (aligned_block(&a->sharing, p->scheme, holders, n_holders, first, end, &block, err)) {
            holds = -1;
            break;
        }
        holds = !hides(&block) ? 0
                : extend(&all, &block, holders, a->sharing.n, err) != 0
                    ? -1
                    : decodes(&c, &block, &all, err);
        matrix_free(&all);
        sharing_free(&block);
    }
    combine_free(&c);
    return holds;
}

static int check_blocks(const struct plan *p, const struct aligned_basis *basis, uint32_t *holders,
                        struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    int holds = 1;

    for (size_t class = 0; class < a->classes.n && holds == 1; class ++) {
        uint32_t parts = a->parts[class];
        size_t before = 0;

        /* each part count once */
        while (a->parts[before] != parts)
            before++;
        for (uint32_t first = 0; before == class && first < a->sharing.n_segments && holds == 1;
             first += parts)
            holds = check_block(p, basis, parts, first, holders, err);
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
    struct matrix all = { 0 }, product = { 0 };
    struct combine c;
    int holds = 1;

    if (!is_step(a, step, end))
        return 0;
    if (aligned_combine(&c, basis, step->first, end, err))
        return -1;
    if (matrix_new(&all, a->sharing.field, a->sharing.n, step->n_from, err))
        holds = -1;
    for (uint32_t j = 0; holds == 1 && j < step->n_from; j++) {
        hagg_store(matrix_at(&all, step->from[j], j), 0, all.elem_size, 1);
        for (uint32_t i = 0; i < step->n_computed; i++)
            memcpy(matrix_at(&all, step->computed[i], j), matrix_at(&step->matrix, i, j),
                   all.elem_size);
    }
    if (holds == 1 && matrix_multiply(&product, a->sharing.field, &c.matrix, &all, err))
        holds = -1;
    for (size_t i = 0; holds == 1 && i < product.rows; i++)
        for (size_t j = 0; j < product.cols; j++)
            if (!is_zero(&product, i, j))
                holds = 0;
    matrix_free(&all);
    matrix_free(&product);
    combine_free(&c);
    return holds;
}

static int check_masks(const struct plan *p, const struct aligned_basis *basis,
                       struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    struct masks masks;
    int holds = 1;

    if (p->topology.dealers.n == 0)
        return 1;
    if (masks_new(&masks, &a->sharing, a->blocks, a->bare, err))
        return -1;
    for (size_t i = 0; i < masks.n_steps && holds == 1; i++) {
        uint32_t end = i + 1 < masks.n_steps ? masks.steps[i + 1].first : a->sharing.n_segments;

        holds = masks_fill(&masks, i, err) ? -1 : check_step(p, basis, &masks.steps[i], end, err);
        matrix_free(&masks.steps[i].matrix);
    }
    masks_free(&masks);
    return holds;
}

int aligned_proof(const struct plan *p, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    struct aligned_basis basis = { 0 };
    uint32_t *holders;
    bool *none;
    int holds;

    if (!has_points(a) || !has_numbers(p))
        return 0;
    holders = calloc(a->sharing.n + (size_t)1, sizeof *holders);
    none = calloc(a->sharing.n + (size_t)1, sizeof *none);
    holds = !holders || !none ? err_errno(err, "%s", p->name)
            : aligned_basis_new(&basis, a->sharing.field, a->sharing.points, a->sharing.n,
                                a->sharing.k, none, err)
                ? -1
                : check_blocks(p, &basis, holders, err);
    if (holds == 1)
        holds = check_masks(p, &basis, err);
    aligned_basis_free(&basis);
    free(holders);
    free(none);
    return holds;
}
