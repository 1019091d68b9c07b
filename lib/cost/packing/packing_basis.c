#include "cost/packing/packing_basis.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix.h"

/* Smaller numbers are rounding errors. */
#define TINY      1e-14
#define PIVOT_MIN 1e-9

/* The limits of the nodes are increased by different amounts of this size, so that the method does
 * not cycle. */
#define PERTURBATION 1e-6

int packing_basis_new(struct packing_basis *b, uint32_t n, struct hagg_err *err)
{
    uint64_t state = n;

    *b = (struct packing_basis){
        .n = n,
        .columns = calloc(n + (size_t)1, sizeof *b->columns),
        .inverse = calloc((size_t)n * n + 1, sizeof *b->inverse),
        .weights = calloc(n + (size_t)1, sizeof *b->weights),
        .prices = calloc(n + (size_t)1, sizeof *b->prices),
        .direction = calloc(n + (size_t)1, sizeof *b->direction),
    };
    if (!b->columns || !b->inverse || !b->weights || !b->prices || !b->direction) {
        packing_basis_free(b);
        return err_errno(err, "no memory for the sharper bound");
    }
    for (uint32_t i = 0; i < n; i++) {
        b->columns[i].slack = i;
        b->inverse[(size_t)i * n + i] = 1;
        b->weights[i] = 1 + PERTURBATION * splitmix_below(&state, 1u << 20) / (1u << 20);
    }
    return 0;
}

void packing_basis_free(struct packing_basis *b)
{
    for (uint32_t i = 0; b->columns && i < b->n; i++)
        free(b->columns[i].nodes);
    free(b->columns);
    free(b->inverse);
    free(b->weights);
    free(b->prices);
    free(b->direction);
    *b = (struct packing_basis){ 0 };
}

/* Sets direction to the inverse times the column. */
static void find_direction(struct packing_basis *b, const struct packing_column *column)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const double *row = b->inverse + (size_t)i * b->n;
        double sum = column->n == 0 ? row[column->slack] : 0;

        for (uint32_t j = 0; j < column->n; j++)
            sum += row[column->nodes[j]];
        b->direction[i] = sum;
    }
    b->n_operations += (double)b->n * (column->n + 1);
}

/* The column that leaves: the first whose weight becomes 0. Returns b->n if there is none. */
static uint32_t find_leaving(const struct packing_basis *b)
{
    uint32_t best = b->n;
    double least = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        double step = b->direction[i] > PIVOT_MIN ? b->weights[i] / b->direction[i] : -1;

        if (step >= 0 && (best == b->n || step < least)) {
            best = i;
            least = step;
        }
    }
    return best;
}

static void subtract(double *row, const double *from, double factor, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++)
        row[j] -= factor * from[j];
}

bool packing_basis_enter(struct packing_basis *b, struct packing_column column, double gain)
{
    uint32_t leaving;
    double *pivot_row, step;

    find_direction(b, &column);
    leaving = find_leaving(b);
    if (leaving == b->n) {
        free(column.nodes);
        return false;
    }
    free(b->columns[leaving].nodes);
    b->columns[leaving] = column;
    pivot_row = b->inverse + (size_t)leaving * b->n;
    step = b->weights[leaving] / b->direction[leaving];
    for (uint32_t j = 0; j < b->n; j++)
        pivot_row[j] /= b->direction[leaving];
    for (uint32_t i = 0; i < b->n; i++)
        if (i != leaving && fabs(b->direction[i]) > TINY) {
            subtract(b->inverse + (size_t)i * b->n, pivot_row, b->direction[i], b->n);
            b->weights[i] = fmax(0, b->weights[i] - b->direction[i] * step);
            b->n_operations += b->n;
        }
    b->weights[leaving] = step;
    subtract(b->prices, pivot_row, -gain, b->n);
    return true;
}

void packing_basis_settle(struct packing_basis *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const double *row = b->inverse + (size_t)i * b->n;
        double sum = 0;

        for (uint32_t j = 0; j < b->n; j++)
            sum += row[j];
        b->weights[i] = fmax(0, sum);
    }
}
