#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include <isa-l/erasure_code.h>

#define TABLE_BYTES 32

struct state {
    int len, side;
    unsigned char *bytes, *tables; /* the operands, then the products */
    unsigned char **vectors;       /* into bytes: first the operands, then the products */
};

static void finish(void *state)
{
    struct state *s = state;

    free(s->bytes);
    free(s->tables);
    free(s->vectors);
    free(s);
}

static void *start(const struct peer_product *p, int transposed)
{
    struct state *s = calloc(1, sizeof *s);
    size_t side = p->side, n = p->n_elems;

    (void)transposed;
    if (!s)
        return NULL;
    s->len = (int)n;
    s->side = (int)side;
    s->bytes = malloc(2 * side * n);
    s->tables = malloc(side * side * TABLE_BYTES);
    s->vectors = malloc(2 * side * sizeof *s->vectors);
    if (!s->bytes || !s->tables || !s->vectors) {
        finish(s);
        return NULL;
    }
    memcpy(s->bytes, p->vectors, side * n);
    for (size_t i = 0; i < 2 * side; i++)
        s->vectors[i] = s->bytes + i * n;
    /* ISA-L declares this pointer without const, but only reads from it */
    ec_init_tables(s->side, s->side, (unsigned char *)(uintptr_t)p->matrix, s->tables);
    return s;
}

static void multiply(void *state)
{
    struct state *s = state;

    ec_encode_data(s->len, s->side, s->side, s->tables, s->vectors, s->vectors + s->side);
}

static uint64_t result(const void *state, size_t vector, size_t i)
{
    const struct state *s = state;

    return s->vectors[(size_t)s->side + vector][i];
}

const struct peer peer_isal = { "ISA-L", 0, start, multiply, result, finish };
