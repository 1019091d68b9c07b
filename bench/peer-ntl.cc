#include "peer.h"

#include <NTL/mat_lzz_p.h>

#include <hagg/plugin.h>

namespace
{

struct state {
    NTL::mat_zz_p left, right, product;
    bool transposed;
};

void fill(NTL::mat_zz_p &m, const unsigned char *elems, size_t elem_size, bool transposed)
{
    const long rows = transposed ? m.NumCols() : m.NumRows();
    const long cols = transposed ? m.NumRows() : m.NumCols();

    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            NTL::zz_p &to = transposed ? m[c][r] : m[r][c];

            to = static_cast<long>(hagg_load(elems, static_cast<size_t>(r * cols + c), elem_size));
        }
}

void *start(const peer_product *p, int transposed)
{
    const long side = static_cast<long>(p->side), n = static_cast<long>(p->n_elems);

    NTL::zz_p::init(static_cast<long>(p->modulus));
    state *s = new state;
    s->transposed = transposed;
    s->left.SetDims(transposed ? n : side, side);
    s->right.SetDims(side, transposed ? side : n);
    s->product.SetDims(s->left.NumRows(), s->right.NumCols());
    fill(transposed ? s->right : s->left, p->matrix, p->elem_size, transposed);
    fill(transposed ? s->left : s->right, p->vectors, p->elem_size, transposed);
    return s;
}

void multiply(void *arg)
{
    state *s = static_cast<state *>(arg);

    NTL::mul(s->product, s->left, s->right);
}

uint64_t result(const void *arg, size_t vector, size_t i)
{
    const state *s = static_cast<const state *>(arg);
    const long v = static_cast<long>(vector), at = static_cast<long>(i);

    return static_cast<uint64_t>(NTL::rep(s->transposed ? s->product[at][v] : s->product[v][at]));
}

void finish(void *arg)
{
    delete static_cast<state *>(arg);
}

} // namespace

extern "C" const peer peer_ntl = { "NTL", 1, start, multiply, result, finish };
