#include "peer.h"

#include <vector>

#include <fflas-ffpack/fflas-ffpack-config.h>

#include <givaro/modular-balanced.h>
#include <givaro/modular.h>

#include <fflas-ffpack/fflas/fflas.h>

#include <hagg/plugin.h>

namespace
{

template <class Ring> struct state {
    Ring ring;
    size_t side, n, modulus;
    bool transposed;
    std::vector<double> matrix, vectors, product;

    state(const peer_product *p, bool t)
        : ring(static_cast<double>(p->modulus)), side(p->side), n(p->n_elems), modulus(p->modulus),
          transposed(t), matrix(side * side), vectors(side * n), product(side * n)
    {
        fill(matrix, p->matrix, side, p->elem_size);
        fill(vectors, p->vectors, n, p->elem_size);
    }

    size_t at(size_t row, size_t col, size_t cols) const
    {
        return transposed ? col * side + row : row * cols + col;
    }

    void fill(std::vector<double> &to, const unsigned char *elems, size_t cols, size_t elem_size)
    {
        for (size_t r = 0; r < side; r++)
            for (size_t c = 0; c < cols; c++)
                ring.init(to[at(r, c, cols)],
                          static_cast<uint64_t>(hagg_load(elems, r * cols + c, elem_size)));
    }
};

template <class Ring> void *start(const peer_product *p, int transposed)
{
    return new state<Ring>(p, transposed);
}

template <class Ring> void multiply(void *arg)
{
    using namespace FFLAS;
    state<Ring> *s = static_cast<state<Ring> *>(arg);

    if (s->transposed)
        fgemm(s->ring, FflasNoTrans, FflasNoTrans, s->n, s->side, s->side, s->ring.one,
              s->vectors.data(), s->side, s->matrix.data(), s->side, s->ring.zero,
              s->product.data(), s->side);
    else
        fgemm(s->ring, FflasNoTrans, FflasNoTrans, s->side, s->n, s->side, s->ring.one,
              s->matrix.data(), s->side, s->vectors.data(), s->n, s->ring.zero, s->product.data(),
              s->n);
}

template <class Ring> uint64_t result(const void *arg, size_t vector, size_t i)
{
    const state<Ring> *s = static_cast<const state<Ring> *>(arg);
    const double x = s->product[s->at(vector, i, s->n)];

    /* elements of a balanced ring may be negative */
    return static_cast<uint64_t>(x < 0 ? x + static_cast<double>(s->modulus) : x);
}

template <class Ring> void finish(void *arg)
{
    delete static_cast<state<Ring> *>(arg);
}

template <class Ring> constexpr peer make(const char *name)
{
    return { name, 1, start<Ring>, multiply<Ring>, result<Ring>, finish<Ring> };
}

} // namespace

extern "C" const peer peer_fflas = make<Givaro::Modular<double>>("FFLAS");
extern "C" const peer peer_fflas_balanced = make<Givaro::ModularBalanced<double>>("FFLAS bal.");
