/* Compares the answers of collusion.c with linear algebra, which does not use a graph. */
#include "plan/collusion.h"

#include "check.h"
#include "collusion_instance.h"

enum { P = 7, ROWS = 2 * GROUPS + 1, COLUMNS = 2 * SMALL };

/* Brings rows begin .. n - 1 to echelon form in columns from .. to - 1. Returns the index of the
 * first row without a pivot there. */
static unsigned eliminate(unsigned a[ROWS][COLUMNS], unsigned begin, unsigned n, unsigned from,
                          unsigned to)
{
    for (unsigned c = from; c < to && begin < n; c++) {
        unsigned pivot = begin, inverse = 1;

        while (pivot < n && a[pivot][c] == 0)
            pivot++;
        if (pivot == n)
            continue;
        for (unsigned j = 0; j < COLUMNS; j++) {
            unsigned kept = a[pivot][j];

            a[pivot][j] = a[begin][j];
            a[begin][j] = kept;
        }
        while (inverse * a[begin][c] % P != 1)
            inverse++;
        for (unsigned i = begin + 1; i < n; i++) {
            unsigned factor = a[i][c] * inverse % P;

            for (unsigned j = 0; factor && j < COLUMNS; j++)
                a[i][j] = (a[i][j] + (P - factor) * a[begin][j]) % P;
        }
        begin++;
    }
    return begin;
}

/* The rows are the federator's sums, with keys in the first n columns and vectors in the next n,
 * without the contributions of the colluders. After the keys are eliminated, the rows without a key
 * are what the colluders learn. */
static bool learns_more_than_the_sum(const struct instance *in, unsigned colluders)
{
    unsigned a[ROWS][COLUMNS] = { { 0 } }, n = in->n_y + in->n_x, learnt;

    for (uint32_t i = 0; i < in->n; i++) {
        if (colluders >> i & 1)
            continue;
        a[in->edges[i].y][i] = a[in->edges[i].y][in->n + i] = 1;
        a[in->n_y + in->edges[i].x][i] = 1;
        a[n][in->n + i] = 1; /* the total, which is allowed */
    }
    learnt = eliminate(a, 0, n, 0, in->n);
    for (unsigned j = 0; j < COLUMNS; j++) {
        unsigned kept = a[learnt][j];

        a[learnt][j] = a[n][j];
        a[n][j] = kept;
    }
    return eliminate(a, learnt, n + 1, in->n, 2 * in->n) - learnt > 1;
}

/* Returns the smallest number of colluders that learn more, or most + 1. */
static uint32_t fewest_that_learn(const struct instance *in, uint32_t most)
{
    for (uint32_t z = 0; z <= most; z++)
        for (unsigned set = 0; set < 1u << in->n; set++)
            if ((uint32_t)__builtin_popcount(set) == z && learns_more_than_the_sum(in, set))
                return z;
    return most + 1;
}

static void agrees_with_linear_algebra(void)
{
    enum { MOST = 3 };
    unsigned seen[MOST + 2] = { 0 };

    for (int round = 0; round < 4000; round++) {
        struct collusion_cut cut;
        struct instance in;
        uint32_t fewest;

        draw(&in, SMALL, 2 + below(3));
        fewest = fewest_that_learn(&in, MOST);
        seen[fewest]++;
        CHECK(strength(&in, COLLUSION_EXACT, MOST) == (int64_t)fewest - 1);
        for (uint32_t z = 0; z <= MOST; z++) {
            CHECK(private(&in, z, COLLUSION_EXACT, &cut) == (z < fewest));
            if (z >= fewest)
                check_cut(&in, z, &cut);
            collusion_cut_free(&cut);
        }
    }
    for (int i = 0; i <= MOST + 1; i++)
        CHECK(seen[i] > 100);
}

int main(void)
{
    agrees_with_linear_algebra();
    return check_end();
}
