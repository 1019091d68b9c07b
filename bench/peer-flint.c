#include "peer.h"

#include <stdlib.h>

#include <flint/nmod_mat.h>

#include <hagg/plugin.h>

struct state {
    nmod_mat_t left, right, product;
    int transposed;
};

static void fill(nmod_mat_t m, const unsigned char *elems, size_t elem_size, int transposed)
{
    size_t rows = (size_t)(transposed ? m->c : m->r), cols = (size_t)(transposed ? m->r : m->c);

    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            *(transposed ? nmod_mat_entry_ptr(m, c, r) : nmod_mat_entry_ptr(m, r, c)) =
                hagg_load(elems, r * cols + c, elem_size);
}

static void *start(const struct peer_product *p, int transposed)
{
    struct state *s = calloc(1, sizeof *s);
    slong side = (slong)p->side, n = (slong)p->n_elems;

    if (!s)
        return NULL;
    s->transposed = transposed;
    nmod_mat_init(s->left, transposed ? n : side, side, p->modulus);
    nmod_mat_init(s->right, side, transposed ? side : n, p->modulus);
    nmod_mat_init(s->product, s->left->r, s->right->c, p->modulus);
    fill(transposed ? s->right : s->left, p->matrix, p->elem_size, transposed);
    fill(transposed ? s->left : s->right, p->vectors, p->elem_size, transposed);
    return s;
}

static void multiply(void *state)
{
    struct state *s = state;

    nmod_mat_mul(s->product, s->left, s->right);
}

static uint64_t result(const void *state, size_t vector, size_t i)
{
    const struct state *s = state;

    return s->transposed ? nmod_mat_get_entry(s->product, i, vector)
                         : nmod_mat_get_entry(s->product, vector, i);
}

static void finish(void *state)
{
    struct state *s = state;

    nmod_mat_clear(s->left);
    nmod_mat_clear(s->right);
    nmod_mat_clear(s->product);
    free(s);
}

const struct peer peer_flint = { "FLINT", 1, start, multiply, result, finish };
