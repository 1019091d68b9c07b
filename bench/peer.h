/*
 * peer.h - the matrix product, computed by other libraries, for comparison with the field plugins.
 *
 * A peer gets its operands in its own form before the clock starts and keeps its result in that
 * form; only the product is timed.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A square matrix of side x side elements times a block of side vectors. */
struct peer_product {
    uint64_t modulus; /* not used by a peer for bytes */
    size_t elem_size;
    size_t side;
    size_t n_elems; /* of one vector */
    const unsigned char *matrix;
    const unsigned char *vectors; /* one after the other */
};

struct peer {
    const char *name;
    int has_two_forms; /* the vectors of the block may be rows or, transposed, columns */

    /* Converts the operands to the peer's form. NULL: no memory. */
    void *(*start)(const struct peer_product *p, int transposed);
    void (*multiply)(void *state);
    uint64_t (*result)(const void *state, size_t vector, size_t i);
    void (*finish)(void *state);
};

extern const struct peer peer_flint;          /* nmod_mat_mul */
extern const struct peer peer_ntl;            /* mul of mat_zz_p; moduli below 2^60 */
extern const struct peer peer_fflas;          /* fgemm over Modular<double>, below 2^26.5 */
extern const struct peer peer_fflas_balanced; /* fgemm over ModularBalanced<double> */
extern const struct peer peer_isal;           /* ec_encode_data on the whole block */

#ifdef __cplusplus
}
#endif

#endif
