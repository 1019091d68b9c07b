/*
 * expand.c - expands a seed: expand FIELD SEED AT N
 *
 * Writes the packed elements AT .. AT + N - 1. SEED is in hexadecimal.
 */
#include "sharing/expand.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned char seed[EXPAND_SEED_BYTES], *elems;
    struct hagg_err err = { 0 };
    struct expand *e = NULL;
    struct field *f;
    size_t n;

    if (argc != 5)
        return 2;
    f = field_open(argv[1], &err);
    for (size_t i = 0; i < sizeof seed; i++)
        if (sscanf(argv[2] + 2 * i, "%2hhx", &seed[i]) != 1)
            return 2;
    n = strtoull(argv[4], NULL, 10);
    elems = f ? malloc(n * field_elem_size(f) + 1) : NULL;
    if (!elems || !(e = expand_new(f, seed, &err)) ||
        expand_elems(e, strtoull(argv[3], NULL, 10), elems, n, &err)) {
        fprintf(stderr, "expand: %s\n", err.text);
        return 1;
    }
    fwrite(elems, field_elem_size(f), n, stdout);
    expand_free(e);
    free(elems);
    field_free(f);
    return fflush(stdout) ? 1 : 0;
}
