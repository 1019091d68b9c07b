/*
 * rewrite.c - reads a vector and writes it block by block to standard output.
 *
 * Usage: vector-rewrite FORMAT TYPE OUTPUT [FILE]
 *
 * FORMAT and TYPE are those of vector_load, or - for none. OUTPUT is npy, raw or text; or double or
 * int for a .npy file of the elements converted by vector_to_double or vector_to_int.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vector/vector.h"
#include "vector/vector_writer.h"

/* A prime, so that blocks do not end at boundaries of the writer's buffer. */
#define BLOCK_ELEMS 1021

static int write_block(struct vector_writer *w, const struct vector *v, size_t at, size_t n,
                       const char *output, struct hagg_err *err)
{
    double doubles[BLOCK_ELEMS];
    int64_t ints[BLOCK_ELEMS];

    if (strcmp(output, "double") == 0) {
        vector_to_double(v, at, n, doubles);
        return vector_writer_elems(w, doubles, n, err);
    }
    if (strcmp(output, "int") == 0)
        return vector_to_int(v, at, n, ints, err) ? -1 : vector_writer_elems(w, ints, n, err);
    return vector_writer_elems(w, (const char *)v->data + at * vector_type_size(v->type), n, err);
}

static int write_vector(const struct vector *v, const char *output, struct hagg_err *err)
{
    bool is_double = strcmp(output, "double") == 0, is_int = strcmp(output, "int") == 0;
    const char *type = is_double ? "f8" : is_int ? "i8" : v->type;
    const char *format = is_double || is_int ? "npy" : output;
    struct vector_writer *w = vector_writer_new(STDOUT_FILENO, "standard output", format, type,
                                                v->shape, v->n_shape, err);
    int status = w ? 0 : -1;

    for (size_t at = 0; status == 0 && at < v->n_elems; at += BLOCK_ELEMS) {
        size_t left = v->n_elems - at;

        status = write_block(w, v, at, left < BLOCK_ELEMS ? left : BLOCK_ELEMS, output, err);
    }
    if (status == 0)
        status = vector_writer_end(w, err);
    vector_writer_free(w);
    return status;
}

static const char *given(const char *word)
{
    return strcmp(word, "-") == 0 ? NULL : word;
}

int main(int argc, char **argv)
{
    struct hagg_err err = { 0 };
    struct vector v;

    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: vector-rewrite FORMAT TYPE OUTPUT [FILE]\n");
        return HAGG_E_USAGE;
    }
    if (vector_load(&v, argc == 5 ? argv[4] : "-", given(argv[1]), given(argv[2]), &err) == 0)
        write_vector(&v, argv[3], &err);
    vector_free(&v);
    if (err.status)
        fprintf(stderr, "vector-rewrite: %s\n", err.text);
    return err.status;
}
